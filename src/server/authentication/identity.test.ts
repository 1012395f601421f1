import { beforeEach, describe, expect, it } from 'vitest'
import { ADDRESS, ask, IdentityWorld, outcome, SECRET, THIS_MACHINE, token } from '../../../test/http/identity/world.ts'
import { loggerTo } from '../../logger.ts'
import type { Connection } from './authenticate.ts'
import type { IdentityOptions, OwnIdentity } from './identity-options.ts'

let world: IdentityWorld
beforeEach(async () => {
  world = await IdentityWorld.open()
})

describe('credentials that are read', () => {
  const identity = () => world.identity({ jwt: { secret: SECRET } })

  it.each<[string, (token: string, key: string) => Record<string, string>, string]>([
    ['none', () => ({}), 'nobody'],
    ['a token', (text) => ({ authorization: `Bearer ${text}` }), 'acme/ana'],
    ['a scheme in capitals', (text) => ({ authorization: `BEARER ${text}` }), 'acme/ana'],
    ['a key as a token', (_, key) => ({ authorization: `Bearer ${key}` }), 'acme/key:k1'],
    ['a key in its own header', (_, key) => ({ 'x-api-key': key }), 'acme/key:k1'],
    ['a key for another tenant', (_, key) => ({ 'x-api-key': key, 'x-tenant': 'globex' }), 'acme/key:k1'],
    ['Bearer and nothing', () => ({ authorization: 'Bearer' }), 'unauthenticated'],
    ['Bearer and a space', () => ({ authorization: 'Bearer ' }), 'unauthenticated'],
    ['Basic', () => ({ authorization: 'Basic YTpi' }), 'unauthenticated'],
    ['a token without a scheme', (text) => ({ authorization: text }), 'unauthenticated'],
    ['two tokens', (text) => ({ authorization: `Bearer ${text}, Bearer ${text}` }), 'unauthenticated'],
    ['a token and a key', (text, key) => ({ authorization: `Bearer ${text}`, 'x-api-key': key }), 'unauthenticated'],
    ['a token as a key', (text) => ({ 'x-api-key': text }), 'unauthenticated'],
    ['a key that nobody has', () => ({ 'x-api-key': `pk_k1_${'y'.repeat(43)}` }), 'unauthenticated'],
    ['a key of 4 kB', () => ({ 'x-api-key': `pk_${'y'.repeat(4_096)}` }), 'unauthenticated'],
    ['a token in a cookie of another name', (text) => ({ cookie: `token=${text}` }), 'nobody'],
    ['a token in the session cookie', (text) => ({ cookie: `__Host-pontual=${text}` }), 'unauthenticated'],
  ])('%s', async (_, headers, expected) => {
    const { text: key } = await world.key({ id: 'k1' })
    expect(await outcome(identity().authenticate(ask(headers(await token(), key)), ADDRESS))).toBe(expected)
  })

  it('a token in the URL is nobody’s', async () => {
    const text = await token()
    const request = ask({}, 'GET', `/api/jobs?access_token=${text}&token=${text}`)
    expect(await outcome(identity().authenticate(request, ADDRESS))).toBe('nobody')
  })

  it('who is refused is told of', async () => {
    const refused: Connection[] = []
    const who = world.identity(
      { jwt: { secret: SECRET } },
      { onRefused: (connection) => void refused.push(connection) },
    )
    await outcome(who.authenticate(ask(), ADDRESS))
    await outcome(who.authenticate(ask({ authorization: 'Bearer no' }), ADDRESS))
    expect(refused).toEqual([ADDRESS])
  })
})

describe('the ways in', () => {
  it.each<[string, IdentityOptions]>([
    ['nothing', {}],
    ['sessions alone', { sessions: { lifetimeMs: 1_000 } }],
    ['no keys', { apiKeys: false }],
  ])('%s is not enough to start', (_, options) => {
    expect(() => world.identity(options)).toThrow('set PONTUAL_JWT_SECRET (make one with: openssl rand -base64 48)')
  })

  it.each<[string, object, string]>([
    ['a way there is not', { jwtt: {} }, 'identity has no field "jwtt"'],
    ['a misspelt issuer', { jwt: { secret: SECRET, isuer: 'https://id' } }, 'Did you mean "issuer"?'],
    ['an issuer of nothing', { jwt: { secret: SECRET, issuer: '' } }, 'jwt.issuer must be text'],
    ['a claim there is not', { jwt: { secret: SECRET, claims: { role: 'r' } } }, 'jwt.claims has no field "role"'],
    ['a claim without a name', { jwt: { secret: SECRET, claims: { user: '' } } }, 'jwt.claims.user must be text'],
    [
      'a profile there is not',
      { jwt: { secret: SECRET, profiles: { boss: 'Root' } } },
      'jwt.profiles.boss must be one of',
    ],
    ['a tenant that is no name', { jwt: { secret: SECRET, tenant: ' ' } }, 'jwt.tenant must be text'],
  ])('%s is refused at the start', (_, options, message) => {
    expect(() => world.identity(options)).toThrow(message)
  })

  it('keys alone are enough where that is said', async () => {
    const { text } = await world.key({ id: 'k1' })
    const who = world.identity({ apiKeys: true })
    expect(await outcome(who.authenticate(ask({ 'x-api-key': text }), ADDRESS))).toBe('acme/key:k1')
    expect(await outcome(who.authenticate(ask({ authorization: `Bearer ${await token()}` }), ADDRESS))).toBe(
      'unauthenticated',
    )
  })

  it('keys are refused where they are off', async () => {
    const { text } = await world.key()
    const who = world.identity({ jwt: { secret: SECRET }, apiKeys: false })
    expect(await outcome(who.authenticate(ask({ 'x-api-key': text }), ADDRESS))).toBe('unauthenticated')
  })
})

describe('one’s own authenticate', () => {
  const bia: OwnIdentity = { tenant: 'acme', userId: 'bia', profile: 'Manager' }

  it.each<[string, unknown, Record<string, string>, string]>([
    ['somebody', bia, {}, 'acme/bia'],
    ['nobody, and no other credentials', null, {}, 'nobody'],
    ['a profile there is not', { ...bia, profile: 'Root' }, {}, 'identity.answer_invalid'],
    ['a permission there is not', { ...bia, permissions: ['root'] }, {}, 'identity.answer_invalid'],
    ['a tenant that is no name', { ...bia, tenant: '' }, {}, 'identity.answer_invalid'],
    ['a user who passes for a key', { ...bia, userId: 'key:1' }, {}, 'identity.answer_invalid'],
    ['somebody, made to ask by another page', bia, { origin: 'https://evil.example' }, 'csrf'],
    ['somebody, made to ask by another site', bia, { 'sec-fetch-site': 'cross-site' }, 'csrf'],
    [
      'somebody, from a page that is trusted',
      bia,
      { origin: 'https://portal.example', 'sec-fetch-site': 'cross-site' },
      'acme/bia',
    ],
    [
      'somebody, from our own page',
      bia,
      { origin: 'https://jobs.example.com', 'sec-fetch-site': 'same-origin' },
      'acme/bia',
    ],
  ])('%s', async (_, answer, headers, expected) => {
    const authenticate = () => answer as OwnIdentity | null
    const who = world.identity({ authenticate }, { trustedOrigins: ['https://portal.example'] })
    expect(await outcome(who.authenticate(ask(headers, 'POST'), ADDRESS))).toBe(expected)
  })

  it('narrows what the profile allows, and never widens it', async () => {
    const who = world.identity({ authenticate: () => ({ ...bia, permissions: ['jobs:read', 'jobs:approve'] }) })
    const principal = await who.authenticate(ask(), ADDRESS)
    expect([...(principal?.permissions ?? [])]).toEqual(['jobs:read'])
  })

  it('sees the request but for its body, which is left to be read', async () => {
    const seen: unknown[] = []
    const who = world.identity({
      authenticate: async (request) => {
        seen.push(request.method, request.url, request.headers.get('x-user'), await request.text())
        return null
      },
    })
    const init = { method: 'POST', body: '{}', headers: { 'x-user': 'bia' } }
    const request = new Request('https://jobs.example.com/api/jobs', init)
    await who.authenticate(request, ADDRESS)
    expect(seen).toEqual(['POST', 'https://jobs.example.com/api/jobs', 'bia', ''])
    expect(await request.text()).toBe('{}')
  })

  it('whom it does not know the other ways are tried for', async () => {
    const who = world.identity({ authenticate: async () => null, jwt: { secret: SECRET } })
    expect(await outcome(who.authenticate(ask({ authorization: `Bearer ${await token()}` }), ADDRESS))).toBe('acme/ana')
  })
})

describe('an API key', () => {
  const identity = () => world.identity({ apiKeys: true })

  it('is its own user, and counts as who owns it', async () => {
    const { text, id } = await world.key({ profile: 'Manager', permissions: ['jobs:read', 'jobs:approve'] })
    const principal = await identity().authenticate(ask({ 'x-api-key': text }), ADDRESS)
    expect(principal).toMatchObject({ userId: `key:${id}`, ownerId: 'ana', profile: 'Manager', source: 'apiKey' })
    expect([...(principal?.permissions ?? [])]).toEqual(['jobs:read'])
  })

  it('that is revoked is refused within five seconds, and asked for once in the meantime', async () => {
    const { text, id } = await world.key({ id: 'k1' })
    const who = identity()
    const asks = () => outcome(who.authenticate(ask({ 'x-api-key': text }), ADDRESS))
    expect(await Promise.all([asks(), asks(), asks()])).toEqual(Array(3).fill(`acme/key:${id}`))
    expect(world.lookups).toBe(1)
    await world.credentials.revokeKey('acme', id)
    world.advance(4_999)
    expect(await asks()).toBe('unauthenticated')
    expect(world.lookups).toBe(2)
  })

  it('ends when it ends, whatever is remembered of it', async () => {
    const { text } = await world.key({ expiresAt: world.env.now() + 1_000 })
    const who = identity()
    expect(await outcome(who.authenticate(ask({ 'x-api-key': text }), ADDRESS))).toContain('key:')
    world.advance(1_000)
    expect(await outcome(who.authenticate(ask({ 'x-api-key': text }), ADDRESS))).toBe('unauthenticated')
  })

  it('shows when it was used last, to the minute', async () => {
    const { text } = await world.key()
    const who = identity()
    const asks = () => outcome(who.authenticate(ask({ 'x-api-key': text }), ADDRESS))
    const lastUsedAt = async () => (await world.credentials.listKeys('acme'))[0]?.lastUsedAt
    const first = world.env.now()
    await asks()
    expect(await lastUsedAt()).toBe(first)
    world.advance(59_000)
    await asks()
    expect(await lastUsedAt()).toBe(first)
    world.advance(1_000)
    await asks()
    expect(await lastUsedAt()).toBe(first + 60_000)
  })
})

describe('development', () => {
  const local = { host: 'localhost:3000' }

  it.each<[string, Record<string, string>, Connection, string]>([
    ['this machine', local, THIS_MACHINE, 'default/dev'],
    ['this machine by its address', { host: '127.0.0.1:3000' }, THIS_MACHINE, 'default/dev'],
    ['this machine by version 6', { host: '[::1]:3000' }, { address: '::1' }, 'default/dev'],
    ['this machine, mapped', local, { address: '::ffff:127.0.0.1' }, 'default/dev'],
    ['another machine', local, ADDRESS, 'nobody'],
    ['nobody knows where', local, { address: null }, 'nobody'],
    ['another machine that says it is this one', { ...local, 'x-forwarded-for': '127.0.0.1' }, ADDRESS, 'nobody'],
    ['a proxy on this machine', { ...local, 'x-forwarded-for': '127.0.0.1' }, THIS_MACHINE, 'nobody'],
    ['a proxy that says so otherwise', { ...local, forwarded: 'for=127.0.0.1' }, THIS_MACHINE, 'nobody'],
    ['a name that somebody points at this machine', { host: 'rebound.evil.example' }, THIS_MACHINE, 'nobody'],
    ['a name that only looks like it', { host: 'localhost.evil.example' }, THIS_MACHINE, 'nobody'],
    ['a page of another site', { ...local, origin: 'https://evil.example' }, THIS_MACHINE, 'csrf'],
    ['a page of another port', { ...local, origin: 'http://localhost:8080' }, THIS_MACHINE, 'csrf'],
    ['our own page', { ...local, origin: 'http://localhost:3000' }, THIS_MACHINE, 'default/dev'],
    [
      'a cookie of a store that is gone',
      { ...local, cookie: `__Host-pontual=${'z'.repeat(43)}` },
      THIS_MACHINE,
      'default/dev',
    ],
    ['a token that does not hold', { ...local, authorization: 'Bearer x.y.z' }, THIS_MACHINE, 'unauthenticated'],
  ])('%s', async (_, headers, connection, expected) => {
    const who = world.identity({ dev: true })
    expect(who.isDev).toBe(true)
    expect(await outcome(who.authenticate(ask(headers, 'POST'), connection))).toBe(expected)
  })

  it('gives the profile Admin, and says so', async () => {
    const said: string[] = []
    const logger = loggerTo((level, message) => said.push(`${level} ${message}`))
    const who = world.identity({ dev: { tenant: 'demo', userId: 'eva' } }, { logger })
    expect(await who.authenticate(ask(local), THIS_MACHINE)).toMatchObject({
      tenant: 'demo',
      userId: 'eva',
      profile: 'Admin',
    })
    expect(said).toEqual([expect.stringContaining('warn Development: whoever asks from this machine is Admin')])
  })
})

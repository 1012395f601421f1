import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  ADDRESS,
  ask,
  CLAIMS,
  IdentityWorld,
  outcome,
  SECRET,
  START_SECOND,
  token,
} from '../../../test/http/identity/world.ts'
import type { Identity } from './identity.ts'
import type { JwtOptions } from './identity-options.ts'

let world: IdentityWorld
beforeEach(async () => {
  world = await IdentityWorld.open()
})

const asks = (identity: Identity, text: string) =>
  outcome(identity.authenticate(ask({ authorization: `Bearer ${text}` }), ADDRESS))

const base64url = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** A token whose header is put in the place of the signed one. */
async function withHeader(header: Record<string, unknown>): Promise<string> {
  const [, payload, signature] = (await token()).split('.')
  return [base64url(header), payload, signature].join('.')
}

/** A token that is signed for its header, whatever that says. */
async function signedWithHeader(header: Record<string, unknown>): Promise<string> {
  return await new SignJWT(CLAIMS)
    .setProtectedHeader({ alg: 'HS256', ...header })
    .sign(new TextEncoder().encode(SECRET), { crit: { 'urn:unknown': true } })
}

describe('a token of the secret', () => {
  const identity = (jwt: JwtOptions = {}) => world.identity({ jwt: { secret: SECRET, ...jwt } })

  it('names tenant, user, profile and permissions', async () => {
    const principal = await identity().authenticate(ask({ authorization: `bearer ${await token()}` }), ADDRESS)
    expect(principal).toMatchObject({
      tenant: 'acme',
      userId: 'ana',
      ownerId: null,
      profile: 'Developer',
      source: 'jwt',
    })
    expect(principal?.permissions.size).toBe(9)
  })

  it.each<[string, Record<string, unknown>, JwtOptions, string]>([
    ['as it should be', {}, {}, 'acme/ana'],
    ['with numbers for ids', { id: 7, clienteId: 12 }, { claims: { user: 'id' } }, '12/7'],
    ['expired', { exp: START_SECOND - 31 }, {}, 'unauthenticated'],
    ['expired within the skew', { exp: START_SECOND - 29 }, {}, 'acme/ana'],
    ['without exp', { exp: undefined }, {}, 'unauthenticated'],
    ['with exp beyond all time', { exp: 1e308 }, {}, 'unauthenticated'],
    ['with exp as text', { exp: String(START_SECOND + 60) }, {}, 'unauthenticated'],
    ['not valid yet', { nbf: START_SECOND + 61 }, {}, 'unauthenticated'],
    ['signed in the future', { iat: START_SECOND + 61 }, {}, 'unauthenticated'],
    ['signed by a clock a little ahead', { iat: START_SECOND + 20 }, {}, 'acme/ana'],
    ['for nobody in particular', {}, { audience: 'pontual' }, 'unauthenticated'],
    ['for somebody else', { aud: 'other' }, { audience: 'pontual' }, 'unauthenticated'],
    ['for us', { aud: 'pontual' }, { audience: 'pontual' }, 'acme/ana'],
    ['for several', { aud: ['pontual', 'other'] }, { audience: 'pontual' }, 'unauthenticated'],
    [
      'for several, where that is allowed',
      { aud: ['pontual', 'x'] },
      { audience: 'pontual', acceptsAudienceLists: true },
      'acme/ana',
    ],
    [
      'for others, where several are allowed',
      { aud: ['x'] },
      { audience: 'pontual', acceptsAudienceLists: true },
      'unauthenticated',
    ],
    ['of nobody', {}, { issuer: 'https://id' }, 'unauthenticated'],
    ['of another issuer', { iss: 'https://evil' }, { issuer: 'https://id' }, 'unauthenticated'],
    ['of the issuer', { iss: 'https://id' }, { issuer: 'https://id' }, 'acme/ana'],
    ['without a tenant', { clienteId: undefined }, {}, 'unauthenticated'],
    ['without a tenant, where there is one only', { clienteId: 'evil' }, { tenant: 'only' }, 'only/ana'],
    ['without a user', { sub: undefined }, {}, 'unauthenticated'],
    ['of a user who passes for a key', { sub: 'key:0198' }, {}, 'unauthenticated'],
    ['of a user who passes for code', { sub: 'code:billing' }, {}, 'unauthenticated'],
    ['of a user with NUL', { sub: 'a\0b' }, {}, 'unauthenticated'],
    ['of a user of spaces', { sub: '  ' }, {}, 'unauthenticated'],
    ['without a profile', { profile: undefined }, {}, 'unauthenticated'],
    ['with a profile of its own', { profile: 'Root' }, {}, 'unauthenticated'],
    [
      'with the name of a method for a profile',
      { profile: 'constructor' },
      { profiles: { boss: 'Admin' } },
      'unauthenticated',
    ],
    ['with a profile that is called otherwise', { profile: 'boss' }, { profiles: { boss: 'Admin' } }, 'acme/ana'],
    ['with permissions that cannot be read', { permissions: 3 }, {}, 'unauthenticated'],
    [
      'with other names for claims',
      { u: 'bia', t: 'b', realm: { role: ['x', 'Admin'] } },
      { claims: { user: 'u', tenant: 't', profile: ['realm', 'role'] } },
      'b/bia',
    ],
  ])('%s', async (_, claims, options, expected) => {
    expect(await asks(identity(options), await token(claims))).toBe(expected)
  })

  it.each<[string, () => Promise<string>]>([
    ['without a signature', async () => `${(await token()).split('.').slice(0, 2).join('.')}.`],
    ['with alg none', async () => new UnsecuredJWT(CLAIMS).encode()],
    ['with alg None', async () => withHeader({ alg: 'None' })],
    ['without an alg', async () => withHeader({})],
    ['with another alg of the same kind', async () => withHeader({ alg: 'HS512' })],
    ['of another secret', async () => token({}, 'another secret of more than 32 bytes, or so')],
    [
      'with a critical header nobody knows',
      async () => signedWithHeader({ crit: ['urn:unknown'], 'urn:unknown': true }),
    ],
    ['with a kid that is a path', async () => withHeader({ alg: 'HS256', kid: '../../dev/null' })],
    ['with a kid that is SQL', async () => withHeader({ alg: 'HS256', kid: "' OR 1=1--" })],
    ['with a kid of 10 kB', async () => signedWithHeader({ kid: 'k'.repeat(10_000) })],
    ['with a key of its own', async () => withHeader({ alg: 'HS256', jwk: { kty: 'oct', k: base64url('x') } })],
    ['of two parts', async () => 'a.b'],
    ['that is no token', async () => 'hello'],
    ['of an array', async () => [base64url({ alg: 'HS256' }), base64url([]), 'AAAA'].join('.')],
  ])('%s is refused', async (_, make) => {
    expect(await asks(identity(), await make())).toBe('unauthenticated')
  })

  it.each<[string, unknown, readonly string[]]>([
    ['a list', ['jobs:read', 'jobs:execute'], ['jobs:read', 'jobs:execute']],
    ['names with spaces', 'jobs:read openid', ['jobs:read']],
    ['more than the profile', ['jobs:read', 'jobs:approve'], ['jobs:read']],
    ['nothing', [], []],
  ])('permissions as %s narrow the profile', async (_, permissions, expected) => {
    const principal = await identity().authenticate(
      ask({ authorization: `Bearer ${await token({ permissions })}` }),
      ADDRESS,
    )
    expect([...(principal?.permissions ?? [])]).toEqual(expected)
  })

  it('of several profiles the one that allows most counts', async () => {
    const text = await token({ profile: ['Manager', 'x', 'Admin'] })
    const principal = await identity().authenticate(ask({ authorization: `Bearer ${text}` }), ADDRESS)
    expect(principal?.profile).toBe('Admin')
  })

  it('an old secret and a new one hold side by side', async () => {
    const newer = 'the secret that takes the place of the old'
    const both = identity({ secret: [newer, SECRET] })
    expect(await asks(both, await token())).toBe('acme/ana')
    expect(await asks(both, await token({}, newer))).toBe('acme/ana')
  })

  it('a token that has held ends when it ends', async () => {
    const text = await token({ exp: START_SECOND + 2 })
    const who = identity({ clockSkewSeconds: 0 })
    expect(await asks(who, text)).toBe('acme/ana')
    world.advance(2_000)
    expect(await asks(who, text)).toBe('unauthenticated')
  })

  it('a user who was removed is refused at once', async () => {
    let isMember = true
    const who = world.identity({ jwt: { secret: SECRET }, admit: ({ userId }) => userId !== 'ana' || isMember })
    const text = await token()
    expect(await asks(who, text)).toBe('acme/ana')
    isMember = false
    expect(await asks(who, text)).toBe('unauthenticated')
  })
})

describe('what a token is checked against', () => {
  it.each<[string, JwtOptions, string]>([
    ['nothing', {}, 'jwt needs one of secret, jwksUrl and keys, got none. Make one with: openssl rand -base64 48'],
    ['two kinds', { secret: SECRET, jwksUrl: 'https://id/keys' }, 'got secret and jwksUrl'],
    ['an empty secret', { secret: '' }, 'at least 32 bytes'],
    ['a short secret', { secret: 'x'.repeat(31) }, 'at least 32 bytes'],
    ['a secret of one letter', { secret: 'x'.repeat(64) }, 'that nobody can guess'],
    ['no secret in a list', { secret: [] }, 'at least 32 bytes'],
    ['a public algorithm for a secret', { secret: SECRET, algorithms: ['RS256'] }, 'must be of HS256'],
    ['no algorithm', { secret: SECRET, algorithms: [] }, 'got nothing'],
    ['none as an algorithm', { secret: SECRET, algorithms: ['none'] }, 'got "none"'],
    [
      'public keys without an audience',
      { jwksUrl: 'https://id/keys', issuer: 'https://id' },
      'needs issuer and audience',
    ],
    ['public keys over http', { jwksUrl: 'http://id/keys', issuer: 'i', audience: 'a' }, 'must be an https URL'],
    ['a file', { jwksUrl: 'file:///etc/passwd', issuer: 'i', audience: 'a' }, 'must be an https URL'],
    [
      'a secret algorithm for public keys',
      { keys: [], issuer: 'i', audience: 'a', algorithms: ['HS256'] },
      'must be of RS256',
    ],
    ['too much skew', { secret: SECRET, clockSkewSeconds: 61 }, 'must be 0-60, got 61'],
  ])('%s is refused at the start', (_, jwt, message) => {
    expect(() => world.identity({ jwt })).toThrow(message)
  })

  it('a secret that is refused is not told', () => {
    expect(() => world.identity({ jwt: { secret: 'hunter2' } })).toThrow(/^((?!hunter2).)*$/s)
  })
})

describe('a token of published keys', () => {
  const named = { issuer: 'https://id', audience: 'pontual' }
  const claims = { ...CLAIMS, iss: 'https://id', aud: 'pontual' }
  let rsa: CryptoKeyPair
  let curve: CryptoKeyPair
  let jwks: { keys: JWK[] }
  let server: Server
  let jwksUrl = ''
  let fetched = 0
  let isDown = false

  type CryptoKeyPair = Awaited<ReturnType<typeof generateKeyPair>>

  beforeAll(async () => {
    rsa = await generateKeyPair('RS256', { extractable: true })
    curve = await generateKeyPair('ES256', { extractable: true })
    jwks = {
      keys: [
        { ...(await exportJWK(rsa.publicKey)), kid: 'rsa', alg: 'RS256', use: 'sig' },
        { ...(await exportJWK(curve.publicKey)), kid: 'curve', alg: 'ES256', use: 'sig' },
      ],
    }
    server = createServer((_request, response) => {
      fetched += 1
      response.writeHead(isDown ? 500 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(jwks))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
  })
  beforeEach(() => {
    fetched = 0
    isDown = false
  })
  afterAll(() => server.close())

  const sign = (alg: string, kid: string, key: CryptoKeyPair['privateKey'], more: object = {}) =>
    new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg, kid }).sign(key)

  it.each(['keys', 'jwksUrl'] as const)('holds against %s, by RSA and by curves', async (kind) => {
    const who = world.identity({ jwt: kind === 'keys' ? { keys: jwks.keys, ...named } : { jwksUrl, ...named } })
    expect(await asks(who, await sign('RS256', 'rsa', rsa.privateKey))).toBe('acme/ana')
    expect(await asks(who, await sign('ES256', 'curve', curve.privateKey))).toBe('acme/ana')
    expect(await asks(who, await sign('RS256', 'rsa', rsa.privateKey, { aud: 'other' }))).toBe('unauthenticated')
    expect(fetched).toBe(kind === 'keys' ? 0 : 1)
  })

  it('a secret that is the public key is refused', async () => {
    const who = world.identity({ jwt: { keys: jwks.keys, ...named } })
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'rsa' })
      .sign(new TextEncoder().encode(await exportSPKI(rsa.publicKey)))
    expect(await asks(who, forged)).toBe('unauthenticated')
  })

  it.each<[string, Record<string, unknown>]>([
    ['jku', { jku: 'http://127.0.0.1:1/keys' }],
    ['x5u', { x5u: 'http://127.0.0.1:1/cert' }],
    ['kid', { kid: '../../dev/null' }],
  ])('a header %s of the token leads nowhere', async (_, header) => {
    const stranger = await generateKeyPair('RS256')
    const who = world.identity({ jwt: { jwksUrl, ...named } })
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: 'rsa', ...header })
      .sign(stranger.privateKey)
    expect(await asks(who, forged)).toBe('unauthenticated')
    expect(fetched).toBe(1)
  })

  it('keys that cannot be read are nobody’s fault, and are not asked for a thousand times', async () => {
    isDown = true
    const who = world.identity({ jwt: { jwksUrl, ...named } })
    const text = await sign('RS256', 'rsa', rsa.privateKey)
    expect(await asks(who, text)).toBe('unavailable')
    expect(await asks(who, text)).toBe('unavailable')
    expect(fetched).toBe(1)
    isDown = false
    world.advance(5_000)
    expect(await asks(who, text)).toBe('acme/ana')
  })
})

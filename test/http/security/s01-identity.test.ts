import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SECRET } from '../identity/world.ts'
import { openSecured, type Secured } from './world.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('who asks', () => {
  let world: Secured
  beforeAll(async () => {
    world = await openSecured()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const claims = (change: object = {}) => ({
    sub: 'ana',
    clienteId: 'acme',
    profile: 'Admin',
    exp: world.seconds() + 3_600,
    ...change,
  })
  const signed = (header: object, body: object, secret = SECRET) => {
    const text = `${part(header)}.${part(body)}`
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
  }
  const refused = async (headers: Record<string, string>, path = '/api/jobs') => {
    const { status, body, headers: got, text } = await world.ask(headers, 'GET', path)
    expect([status, body.code], text).toEqual([401, 'unauthenticated'])
    expect(got.get('www-authenticate')).toMatch(/^Bearer/)
    return text
  }

  describe('S1 no credentials, or not where they belong', () => {
    it.each<[string, Record<string, string>]>([
      ['nothing', {}],
      ['Bearer without a token', { authorization: 'Bearer' }],
      ['Bearer and a space', { authorization: 'Bearer ' }],
      ['Basic', { authorization: `Basic ${Buffer.from('ana:secret').toString('base64')}` }],
      ['Digest', { authorization: 'Digest username="ana"' }],
      ['an empty key', { 'x-api-key': '' }],
    ])('%s', async (_what, headers) => {
      await refused(headers)
    })

    it.each(['access_token', 'token', 'authorization', 'api_key', 'x-api-key', 'jwt', 'apikey'])(
      'in the query as %s, which is not logged either',
      async (name) => {
        const token = signed({ alg: 'HS256' }, claims())
        expect(await refused({}, `/api/jobs?${name}=${token}`)).not.toContain(token)
        expect(world.log()).not.toContain(token)
      },
    )
  })

  describe('S2 a token that its sender has signed as he likes', () => {
    it.each<[string, () => string]>([
      ['alg none', () => `${part({ alg: 'none' })}.${part(claims())}.`],
      ['alg None', () => `${part({ alg: 'None' })}.${part(claims())}.`],
      ['alg nOnE with a signature', () => signed({ alg: 'nOnE' }, claims())],
      ['no signature', () => `${part({ alg: 'HS256' })}.${part(claims())}.`],
      ['no third part', () => `${part({ alg: 'HS256' })}.${part(claims())}`],
      ['another secret', () => signed({ alg: 'HS256' }, claims(), 'guessed')],
      ['an empty secret', () => signed({ alg: 'HS256' }, claims(), '')],
      ['an unknown crit', () => signed({ alg: 'HS256', crit: ['exp2'], exp2: 1 }, claims())],
      ['a kid that is a path', () => signed({ alg: 'HS256', kid: '../../dev/null' }, claims(), '')],
      ['a kid that is SQL', () => signed({ alg: 'HS256', kid: "' OR 1=1--" }, claims(), '')],
      ['a kid of 10 kB', () => signed({ alg: 'HS256', kid: 'x'.repeat(10_000) }, claims())],
      ['a list of algorithms', () => signed({ alg: ['HS256', 'none'] }, claims())],
    ])('%s', async (_what, token) => {
      await refused({ authorization: `Bearer ${token()}` })
    })

    it.each(['jku', 'x5u'])('nobody is asked for the key that %s names', async (header) => {
      let asked = 0
      const server = createServer((_request, response) => {
        asked += 1
        response.end('{"keys":[]}')
      }).listen(0, '127.0.0.1')
      await new Promise((resolve) => server.once('listening', resolve))
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`
      await refused({ authorization: `Bearer ${signed({ alg: 'HS256', [header]: url }, claims(), 'x')}` })
      server.close()
      expect(asked).toBe(0)
    })

    it('a public key is no secret', async () => {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
      const [issuer, audience] = ['https://issuer.example', 'pontual']
      const keys = [{ ...(await exportJWK(publicKey)), alg: 'RS256', kid: '1' }]
      await using keyed = await openSecured({ identity: { jwt: { keys, issuer, audience } } })
      const own = { ...claims(), exp: keyed.seconds() + 3_600, iss: issuer, aud: audience }
      const bySecret = (secret: string) => ({
        authorization: `Bearer ${signed({ alg: 'HS256', kid: '1' }, own, secret)}`,
      })
      const rightly = rsaToken(privateKey, own)
      expect((await keyed.ask({ authorization: `Bearer ${rightly}` }, 'GET', '/api/jobs')).status).toBe(200)
      for (const format of ['pem', 'der'] as const) {
        const text = publicKey.export({ type: 'spki', format } as never) as unknown as string
        expect((await keyed.ask(bySecret(text), 'GET', '/api/jobs')).status).toBe(401)
      }
    })
  })

  describe('S3 a token for somebody else, or for another time', () => {
    it.each<[string, () => object]>([
      ['exp past', () => ({ exp: world.seconds() - 61 })],
      ['exp missing', () => ({ exp: undefined })],
      ['exp beyond time', () => ({ exp: 1e308 })],
      ['exp as text', () => ({ exp: String(world.seconds() + 60) })],
      ['nbf in the future', () => ({ nbf: world.seconds() + 3_600 })],
      ['nbf more than a minute ahead', () => ({ nbf: world.seconds() + 61 })],
      ['iat in the future', () => ({ iat: world.seconds() + 3_600 })],
      ['no tenant', () => ({ clienteId: undefined })],
      ['no user', () => ({ sub: undefined })],
      ['no profile', () => ({ profile: undefined })],
    ])('%s', async (_what, change) => {
      await refused({ authorization: `Bearer ${signed({ alg: 'HS256' }, claims(change()))}` })
    })

    it.each<[string, object]>([
      ['no aud', { iss: 'us' }],
      ['another aud', { iss: 'us', aud: 'them' }],
      ['a list with ours in it', { iss: 'us', aud: ['pontual', 'them'] }],
      ['another iss', { iss: 'them', aud: 'pontual' }],
      ['no iss', { aud: 'pontual' }],
    ])('%s', async (_what, change) => {
      await using strict = await openSecured({
        identity: { jwt: { secret: SECRET, issuer: 'us', audience: 'pontual' } },
      })
      const token = signed({ alg: 'HS256' }, { ...claims(change), exp: strict.seconds() + 60 })
      expect((await strict.ask({ authorization: `Bearer ${token}` }, 'GET', '/api/jobs')).status).toBe(401)
    })
  })

  describe('S4 credentials of somebody who lost them', () => {
    it('a revoked key is worth nothing within five seconds', async () => {
      const admin = await world.bearer()
      const { id, headers } = await world.key(admin)
      expect((await world.ask(headers, 'GET', '/api/jobs')).status).toBe(200)
      expect((await world.ask(admin, 'DELETE', `/api/jobs/api-keys/${id}`)).status).toBe(204)
      await world.test.advance('5s')
      await refused(headers)
    })

    it('somebody who was removed or demoted has what the application says now', async () => {
      const gone = new Set<string>()
      await using asking = await openSecured({
        identity: { jwt: { secret: SECRET }, admit: ({ userId }) => !gone.has(userId) },
      })
      const headers = await asking.bearer()
      expect((await asking.ask(headers, 'GET', '/api/jobs')).status).toBe(200)
      gone.add('ana')
      expect((await asking.ask(headers, 'GET', '/api/jobs')).status).toBe(401)
    })

    it('the tenant is that of the key, whatever a header says', async () => {
      const { headers } = await world.key(await world.bearer())
      const { body } = await world.ask({ ...headers, 'x-tenant': 'globex' }, 'GET', '/api/session')
      expect(body).toMatchObject({ clienteId: 'acme' })
    })
  })

  describe('S26 nobody is let in because of where he comes from', () => {
    it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'x-originating-ip', 'client-ip'])('%s', async (name) => {
      await refused({ [name]: name === 'forwarded' ? 'for=127.0.0.1' : '127.0.0.1' })
    })
  })

  describe('S53 a session', () => {
    it('is a cookie that scripts and other sites do not get', async () => {
      const { headers } = await world.ask(await world.bearer(), 'POST', '/api/session')
      const cookie = headers.get('set-cookie') ?? ''
      for (const wanted of [/^__Host-/, /; HttpOnly/i, /; Secure/i, /; SameSite=(Lax|Strict)/i, /; Path=\//i]) {
        expect(cookie).toMatch(wanted)
      }
      expect(cookie).not.toMatch(/; Domain=/i)
    })

    it('is another one with every login, and the one before is over', async () => {
      const first = await world.session(await world.bearer())
      const second = await world.session(first)
      expect(second['cookie']).not.toBe(first['cookie'])
      expect((await world.ask(first, 'GET', '/api/jobs')).status).toBe(401)
      expect((await world.ask(second, 'GET', '/api/jobs')).status).toBe(200)
    })

    it('cannot be brought along', async () => {
      const planted = { cookie: `__Host-pontual=${'a'.repeat(43)}` }
      const { headers } = await world.ask({ ...(await world.bearer()), ...planted }, 'POST', '/api/session')
      expect(headers.get('set-cookie')).not.toContain('a'.repeat(43))
    })

    it('is over on the server once somebody has logged out', async () => {
      const session = await world.session(await world.bearer())
      expect((await world.ask(session, 'DELETE', '/api/session')).status).toBe(204)
      expect((await world.ask(session, 'GET', '/api/jobs')).status).toBe(401)
    })
  })
})

function rsaToken(key: KeyObject, body: object): string {
  const text = `${part({ alg: 'RS256', kid: '1' })}.${part(body)}`
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

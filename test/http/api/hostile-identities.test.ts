import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { type Served, serve } from '../../../src/server/mount/serve.ts'
import { type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'
import { SECRET } from '../identity/world.ts'
import type { Reply } from './world.ts'

type Headers = Readonly<Record<string, string>>

let test: TestPontual
let served: Served
beforeAll(async () => {
  test = await testPontual({
    jobs: [job('Apagar', { sensitive: true, run: () => null }), job('Importar', { run: () => null })],
    tenant: 'acme',
  })
  const api = await createApi(test.app, { identity: { jwt: { secret: SECRET } }, limits: { refusals: 10_000 } })
  served = await serve(api, { port: 0 })
})
afterAll(async () => {
  await served.close()
  await test.stop()
})

const seconds = () => Math.floor(test.now() / 1_000)

async function bearer(claims: Record<string, unknown> = {}): Promise<Headers> {
  const token = await new SignJWT({
    sub: 'ana',
    clienteId: 'acme',
    profile: 'Admin',
    exp: seconds() + 3_600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'HS256' })
    .sign(new TextEncoder().encode(SECRET))
  return { authorization: `Bearer ${token}` }
}

async function ask(headers: Headers, method: string, path: string, body?: unknown) {
  const response = await fetch(`${served.url}${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: JSON.parse(text === '' ? '{}' : text) as Reply['body'],
  }
}

let made = 0
async function sensitiveJob(headers: Headers): Promise<string> {
  made += 1
  const fields = { name: `job ${made}`, jobType: 'Apagar', cronExpression: '0 2 * * *' }
  const { status, body, text } = await ask(headers, 'POST', '/api/jobs', fields)
  expect(status, text).toBe(201)
  return body.id
}

async function keyOf(headers: Headers, fields: object = {}): Promise<Headers> {
  made += 1
  const { status, body, text } = await ask(headers, 'POST', '/api/jobs/api-keys', {
    name: `key ${made}`,
    profile: 'Admin',
    ...fields,
  })
  expect(status, text).toBe(201)
  return { 'x-api-key': String(body['secret']) }
}

/** What a page of our own sends with a session. */
async function sessionOf(headers: Headers): Promise<Headers> {
  const { status, headers: got, text } = await ask(headers, 'POST', '/api/session')
  expect(status, text).toBe(201)
  const cookie = got.get('set-cookie')?.split(';')[0] ?? ''
  return { cookie, 'x-pontual-request': '1', origin: served.url }
}

describe('nobody approves what he has made himself', () => {
  /** Ways in which one person can come twice. */
  const ways: readonly [string, () => Promise<Headers>][] = [
    ['with his token', () => bearer()],
    ['with another token of his', () => bearer({ iat: seconds() - 60, jti: 'another' })],
    ['by a key of his', async () => keyOf(await bearer())],
    ['by a key that a key of his has made', async () => keyOf(await keyOf(await bearer()))],
    ['by a session of his', async () => sessionOf(await bearer())],
    ['by a session of a key of his', async () => sessionOf(await keyOf(await bearer()))],
    ['by a key that was made in a session of his', async () => keyOf(await sessionOf(await bearer()))],
  ]

  it.each(ways)('%s', async (_way, headers) => {
    const id = await sensitiveJob(await bearer())
    const { status, body } = await ask(await headers(), 'POST', `/api/jobs/${id}/approve`)
    expect([status, body.code]).toEqual([403, 'self_approval_forbidden'])
  })

  it.each(ways)('also where it was made %s', async (_way, headers) => {
    const id = await sensitiveJob(await headers())
    const { status, body } = await ask(await bearer(), 'POST', `/api/jobs/${id}/approve`)
    expect([status, body.code]).toEqual([403, 'self_approval_forbidden'])
    expect((await ask(await bearer({ sub: 'bia' }), 'POST', `/api/jobs/${id}/approve`)).status).toBe(200)
  })

  it('nor what he has edited', async () => {
    const id = await sensitiveJob(await bearer({ sub: 'bia' }))
    const edited = await ask(await keyOf(await bearer()), 'PUT', `/api/jobs/${id}`, { cronExpression: '0 3 * * *' })
    expect(edited.status).toBe(200)
    expect((await ask(await bearer(), 'POST', `/api/jobs/${id}/approve`)).status).toBe(403)
    // Nor does who made it, since he knows no less of it.
    expect((await ask(await bearer({ sub: 'bia' }), 'POST', `/api/jobs/${id}/approve`)).status).toBe(403)
    expect((await ask(await bearer({ sub: 'caio' }), 'POST', `/api/jobs/${id}/approve`)).status).toBe(200)
  })
})

describe('nobody gets more than he has', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['a Developer', { profile: 'Developer' }, { profile: 'Developer' }],
    ['an Admin whose token may do less', { permissions: 'jobs:read' }, { profile: 'Manager' }],
    ['an Admin whose token may do nothing', { permissions: [] }, { profile: 'Admin', permissions: [] }],
  ])('as a key: %s', async (_who, claims, fields) => {
    const { status } = await ask(await bearer(claims), 'POST', '/api/jobs/api-keys', { name: 'more', ...fields })
    expect(status).toBe(403)
  })

  it('as a session of a narrow key', async () => {
    const narrow = await keyOf(await bearer(), { permissions: ['jobs:read'] })
    const session = await sessionOf(narrow)
    expect((await ask(session, 'GET', '/api/session')).body['permissions']).toEqual(['jobs:read'])
    expect((await ask(session, 'POST', '/api/jobs/api-keys', { name: 'more', profile: 'Admin' })).status).toBe(403)
    expect((await ask(session, 'PUT', '/api/jobs/settings', { allowsSelfApproval: true })).status).toBe(403)
  })

  it.each(['x-tenant', 'x-clienteid', 'x-user-id', 'x-profile', 'x-forwarded-user', 'x-original-url', 'x-rewrite-url'])(
    'by the header %s',
    async (name) => {
      const headers = { ...(await bearer({ profile: 'Manager' })), [name]: 'globex' }
      const { body } = await ask(headers, 'GET', '/api/session')
      expect(body).toMatchObject({ clienteId: 'acme', userId: 'ana', profile: 'Manager' })
    },
  )
})

describe('a session', () => {
  it('ends with the key that it was exchanged for', async () => {
    const admin = await bearer()
    const { body } = await ask(admin, 'POST', '/api/jobs/api-keys', { name: 'soon gone', profile: 'Admin' })
    const session = await sessionOf({ 'x-api-key': String(body['secret']) })
    expect((await ask(session, 'GET', '/api/jobs')).status).toBe(200)
    expect((await ask(admin, 'DELETE', `/api/jobs/api-keys/${body.id}`)).status).toBe(204)
    await test.advance('5s')
    expect((await ask(session, 'GET', '/api/jobs')).status).toBe(401)
    expect((await ask({ 'x-api-key': String(body['secret']) }, 'GET', '/api/jobs')).status).toBe(401)
  })

  it('is not longer than the token, however often it is exchanged', async () => {
    const first = await sessionOf(await bearer({ exp: seconds() + 60 }))
    const second = await sessionOf(first)
    // The first is over with the second.
    expect((await ask(first, 'GET', '/api/jobs')).status).toBe(401)
    expect((await ask(second, 'GET', '/api/jobs')).status).toBe(200)
    await test.advance('2m')
    expect((await ask(second, 'GET', '/api/jobs')).status).toBe(401)
  })

  it.each<[string, (session: Headers) => Headers]>([
    ['another site', (session) => ({ ...session, origin: 'https://evil.example' })],
    ['no site at all', ({ origin: _origin, ...session }) => session],
    ['a page that cannot send headers', ({ 'x-pontual-request': _header, ...session }) => session],
    ['nowhere', (session) => ({ ...session, origin: 'null' })],
  ])('changes nothing for %s', async (_who, forged) => {
    const session = await sessionOf(await bearer())
    const body = { name: 'forged', jobType: 'Importar', cronExpression: '0 2 * * *' }
    expect((await ask(forged(session), 'POST', '/api/jobs', body)).body.code).toBe('csrf')
    expect((await ask(forged(session), 'DELETE', '/api/session')).body.code).toBe('csrf')
  })
})

describe('a token', () => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = (header: object, claims: object, secret = SECRET, hash = 'sha256') => {
    const text = `${part(header)}.${part(claims)}`
    return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
  }
  const claims = (change: object = {}) => ({
    sub: 'ana',
    clienteId: 'acme',
    profile: 'Admin',
    exp: seconds() + 3_600,
    ...change,
  })
  const HS256 = { alg: 'HS256' }

  it.each<[string, () => string]>([
    ['signed by nobody', () => `${part({ alg: 'none' })}.${part(claims())}.`],
    ['signed by No-one', () => signed({ alg: 'None' }, claims())],
    ['without a signature', () => `${part(HS256)}.${part(claims())}.`],
    ['of another algorithm', () => signed({ alg: 'HS512' }, claims(), SECRET, 'sha512')],
    ['with a key of its own', () => signed({ ...HS256, jwk: { kty: 'oct', k: part('x') } }, claims(), 'x')],
    ['that asks for what nobody knows', () => signed({ ...HS256, crit: ['x'], x: 1 }, claims())],
    ['whose payload is no JSON', () => `${part(HS256)}.${Buffer.from('{').toString('base64url')}.x`],
    ['that never ends', () => signed(HS256, claims({ exp: undefined }))],
    ['that ends at no time', () => signed(HS256, claims({ exp: 1e300 }))],
    ['that ends in words', () => signed(HS256, claims({ exp: 'tomorrow' }))],
    ['of the future', () => signed(HS256, claims({ iat: seconds() + 3_600 }))],
    ['of no tenant', () => signed(HS256, claims({ clienteId: undefined }))],
    ['of many tenants', () => signed(HS256, claims({ clienteId: ['acme', 'globex'] }))],
    ['of a tenant with NUL', () => signed(HS256, claims({ clienteId: 'acme\0' }))],
    ['of a user who would pass for a key', () => signed(HS256, claims({ sub: 'key:1' }))],
    ['of half a user', () => signed(HS256, claims({ sub: '\ud800' }))],
    ['of an unknown profile', () => signed(HS256, claims({ profile: '__proto__' }))],
    ['of 9 kB', () => signed(HS256, claims({ more: 'x'.repeat(9_000) }))],
  ])('%s is refused', async (_what, token) => {
    const { status, body, text } = await ask({ authorization: `Bearer ${token()}` }, 'GET', '/api/jobs')
    expect([status, body.code], text).toEqual([401, 'unauthenticated'])
  })
})

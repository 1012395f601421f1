import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { type Api, createApi } from '../../../src/server/create-api.ts'
import { type TestPontual, testPontual } from '../../../src/testing/test-pontual.ts'
import { SECRET } from '../identity/world.ts'
import { HOSTS, type Host } from './hosts.ts'

const PREFIX = '/ops'
const PORTAL = 'https://portal.example.com'

/** The API of production with tokens, keys and sessions, in every host there is. */
describe.each(Object.keys(HOSTS))('in %s', (name) => {
  let world: TestPontual
  let api: Api
  let host: Host

  beforeAll(async () => {
    world = await testPontual({ jobs: [job('import', { run: () => null })], tenant: 'acme' })
    api = await createApi(world.app, {
      identity: { jwt: { secret: SECRET } },
      cors: { origins: [PORTAL] },
      limits: { refusals: 20 },
    })
    host = await HOSTS[name]!(api, PREFIX)
  })
  afterAll(async () => {
    await host.close()
    api.close()
    await world.stop()
  })

  const token = (claims: Record<string, unknown> = {}) =>
    new SignJWT({ sub: 'ana', clienteId: 'acme', profile: 'Admin', exp: world.now() / 1_000 + 3_600, ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(SECRET))
  const bearer = async (claims?: Record<string, unknown>) => ({ authorization: `Bearer ${await token(claims)}` })

  const ask = (method: string, path: string, headers: Record<string, string>, body?: unknown) =>
    fetch(`${host.url}${PREFIX}${path}`, {
      method,
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })

  it.each<[string, Record<string, string>, string]>([
    ['no credentials', {}, ''],
    ['Bearer and nothing', { authorization: 'Bearer' }, ''],
    ['Basic', { authorization: 'Basic YTpi' }, ''],
    ['a token that is none', { authorization: 'Bearer x.y.z' }, ''],
    ['a token in the URL', {}, '?access_token=x'],
  ])('%s are answered with 401, and with how to do better', async (_, headers, query) => {
    const answer = await ask('GET', `/api/jobs${query}`, headers)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="pontual"')
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toMatchObject({ status: 401, code: 'unauthenticated' })
  })

  it('a job is made by a token, and is where the answer says', async () => {
    const fields = {
      name: `Importação ${name}`,
      jobType: 'import',
      cronExpression: '0 3 * * *',
      payload: { ação: ['✓', null] },
    }
    const made = await ask('POST', '/api/jobs', await bearer(), fields)
    expect(made.status).toBe(201)
    const location = made.headers.get('location') ?? ''
    expect(location).toMatch(/^\/ops\/api\/jobs\/[0-9a-f-]{36}$/)
    const read = await fetch(`${host.url}${location}`, { headers: await bearer() })
    expect(await read.json()).toMatchObject({ clienteId: 'acme', createdBy: 'ana', payload: { ação: ['✓', null] } })
    const foreign = await fetch(`${host.url}${location}`, { headers: await bearer({ clienteId: 'globex' }) })
    expect(foreign.status).toBe(403)
    expect(await foreign.text()).not.toContain('Importação')
  })

  it('a key does what it may, for its own tenant, until it is revoked', async () => {
    const key = { name: 'robot', profile: 'Developer', permissions: ['jobs:read'] }
    const made = (await (await ask('POST', '/api/jobs/api-keys', await bearer(), key)).json()) as {
      id: string
      secret: string
    }
    const byKey = { 'x-api-key': made.secret, 'x-tenant': 'globex' }
    const listed = (await (await ask('GET', '/api/jobs', byKey)).json()) as { items: { clienteId: string }[] }
    expect(listed.items.every(({ clienteId }) => clienteId === 'acme')).toBe(true)
    expect((await ask('GET', '/api/jobs/dashboard', byKey)).status).toBe(403)
    expect((await ask('DELETE', `/api/jobs/api-keys/${made.id}`, await bearer())).status).toBe(204)
    await world.advance('5s')
    expect((await ask('GET', '/api/jobs', byKey)).status).toBe(401)
  })

  it('a key wider than whoever makes it is not made', async () => {
    const narrow = await bearer({ permissions: ['jobs:read', 'jobs:create'] })
    expect((await ask('POST', '/api/jobs/api-keys', narrow, { name: 'wide', profile: 'Admin' })).status).toBe(403)
    const developer = await bearer({ profile: 'Developer' })
    expect((await ask('POST', '/api/jobs/api-keys', developer, { name: 'mine', profile: 'Developer' })).status).toBe(
      403,
    )
  })

  it('a browser exchanges a token for a cookie, and nothing else than its own page uses it', async () => {
    const opened = await ask('POST', '/api/session', await bearer())
    expect(opened.status).toBe(201)
    const setCookie = opened.headers.get('set-cookie') ?? ''
    expect(setCookie).toMatch(/^__Host-pontual=[\w-]{43}; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const cookie = setCookie.split(';', 1)[0] ?? ''
    expect(await (await ask('GET', '/api/session', { cookie })).json()).toMatchObject({
      isSession: true,
      clienteId: 'acme',
      userId: 'ana',
    })

    const question = { cronExpression: '0 3 * * *' }
    const page = { cookie, origin: host.url, 'x-pontual-request': '1' }
    const validate = (headers: Record<string, string>) => ask('POST', '/api/jobs/new/validate-cron', headers, question)
    expect((await validate(page)).status).toBe(200)
    for (const forged of [{ cookie }, { ...page, origin: 'https://evil.example' }, { cookie, origin: host.url }]) {
      const answer = await validate(forged)
      expect(answer.status).toBe(403)
      expect(await answer.json()).toMatchObject({ code: 'csrf' })
    }

    const closed = await ask('DELETE', '/api/session', page)
    expect(closed.status).toBe(204)
    expect(closed.headers.get('set-cookie')).toContain('Max-Age=0')
    expect((await ask('GET', '/api/session', { cookie })).status).toBe(401)
  })

  it.each<[string, string | null]>([
    [PORTAL, PORTAL],
    ['https://evil.example', null],
    ['null', null],
  ])('a page of %s reads what %s may', async (origin, expected) => {
    const answer = await ask('GET', '/api/jobs', { origin, ...(await bearer()) })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('access-control-allow-origin')).toBe(expected)
  })

  it('says how many requests are left', async () => {
    const answer = await ask('GET', '/api/jobs', await bearer())
    expect(answer.headers.get('ratelimit-policy')).toBe('"user";q=3000;w=60')
    expect(answer.headers.get('ratelimit')).toMatch(/^"user";r=\d+;t=\d+$/)
  })

  it('whoever goes on guessing is told to wait, and nobody else', async () => {
    await world.advance('1m')
    const guesses: number[] = []
    for (let guess = 0; guess < 22; guess += 1) {
      const answer = await ask('GET', '/api/jobs', { 'x-api-key': `pk_${guess}_${'x'.repeat(43)}` })
      guesses.push(answer.status)
      if (answer.status === 429) expect(answer.headers.get('retry-after')).toBe('3')
    }
    const isCounted = name !== 'Next'
    expect(guesses.slice(20)).toEqual(isCounted ? [429, 429] : [401, 401])
    expect((await ask('GET', '/api/jobs', await bearer())).status).toBe(200)
  })
})

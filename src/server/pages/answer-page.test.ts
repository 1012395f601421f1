import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BUILT, builtDashboard } from '../../../test/browser/built-dashboard.ts'
import { type TestPontual, testPontual } from '../../testing/test-pontual.ts'
import type { OwnIdentity } from '../authentication/identity-options.ts'
import { type Api, createApi } from '../create-api.ts'

const PEOPLE: Readonly<Record<string, OwnIdentity>> = {
  ana: { tenant: 'acme', userId: 'ana', profile: 'Admin' },
  nobodyMuch: { tenant: 'acme', userId: 'nil', profile: 'Manager', permissions: [] },
  sam: { tenant: 'globex', userId: 'sam', profile: 'Admin' },
}
const HTML = { accept: 'text/html,application/xhtml+xml' }

let world: TestPontual
let api: Api
let built: ReturnType<typeof builtDashboard>

beforeAll(async () => {
  built = builtDashboard()
  world = await testPontual({ tenant: 'acme' })
  api = await createApi(world.app, {
    identity: { authenticate: ({ headers }) => PEOPLE[headers.get('x-who') ?? ''] ?? null, apiKeys: true },
    dashboard: { folder: built.folder },
    service: { duties: false },
  })
})
afterAll(async () => {
  api.close()
  await world.stop()
  built[Symbol.dispose]()
})

const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.fetch(new Request(`http://localhost${path}`, { method, headers: { ...HTML, ...headers } }))
const ana = { 'x-who': 'ana' }

describe('a page', () => {
  it.each([
    ['/jobs', './jobs/'],
    ['/jobs/', './'],
    ['/jobs/list?q=tag:x', './'],
    ['/jobs/01999999-0000-7000-8000-00000000dead/edit', '../'],
  ])('%s knows the way to its root: %s', async (path, base) => {
    const answer = await ask(path, ana)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await answer.text()).toContain(`<head><base href="${base}"><title>`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('ratelimit-policy')).toBe('"user";q=3000;w=60')
  })

  it('is for whoever has shown who he is, whatever he may do', async () => {
    expect((await ask('/jobs/list', { 'x-who': 'nobodyMuch' })).status).toBe(200)
  })

  it('sends nobody to sign in, and from there back', async () => {
    const answer = await ask('/jobs/executions/7?tab=logs')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      '../sign-in?next=%2Fexecutions%2F7%3Ftab%3Dlogs',
    ])
    expect([await answer.text(), answer.headers.get('set-cookie')]).toEqual(['', null])
    expect((await ask('/jobs', {}, 'HEAD')).headers.get('location')).toBe('./jobs/sign-in')
  })

  it.each<[string, Record<string, string>]>([
    ['a key that does not hold', { 'x-api-key': `pk_x_${'x'.repeat(43)}` }],
    ['something else than credentials', { authorization: 'Basic YTpi' }],
  ])('sends whoever shows %s to sign in', async (_what, headers) => {
    expect((await ask('/jobs/list', headers)).status).toBe(302)
  })

  it('takes away the cookie of a session that has ended', async () => {
    const answer = await ask('/jobs/list', { cookie: `__Host-pontual=${'x'.repeat(43)}` })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, './sign-in?next=%2Flist'])
    expect(answer.headers.get('set-cookie')).toMatch(/^__Host-pontual=; .*Max-Age=0$/)
  })

  it('to sign in is for everybody', async () => {
    const answer = await ask('/jobs/sign-in?next=list')
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('<base href="./">')])
  })

  it('by HEAD is told of without its content', async () => {
    const answer = await ask('/jobs/list', ana, 'HEAD')
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })
})

describe('a file', () => {
  it.each(['pontual.svg', 'assets/main-AbCd1234.js', 'assets/main-Ef_gh-78.css'] as const)(
    '%s is for everybody',
    async (name) => {
      expect(await (await ask(`/jobs/${name}`)).text()).toBe(BUILT[name])
    },
  )

  it.each([
    'assets/main-OldOne12.js',
    'assets',
    'assets/',
    'assets/deep/er',
    'index.html',
    'favicon.ico',
    '.stamp',
    '.vite/manifest.json',
    'assets/main-AbCd1234.js/',
    'assets%2Fmain-AbCd1234.js/x.js',
    '%2e%2e%2f%2e%2e%2fpackage.json',
    '..%5c..%5cpackage.json',
    'assets/..%2f..%2f.stamp',
    'a/b/c/d/e/f/g/h/i/j/k',
  ])('%s is not there, for nobody and for Admins alike', async (name) => {
    for (const headers of [{}, ana]) expect((await ask(`/jobs/${name}`, headers)).status).toBe(404)
  })

  it.each(['/jobs/../package.json', '/jobs/%2e%2e/%2e%2e/etc/passwd', '/jobs/assets/../../../.env'])(
    '%s leads out of the dashboard, where nothing is',
    async (path) => {
      const answer = await ask(path, ana)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    },
  )
})

describe('any answer', () => {
  it.each<[string, Record<string, string>, number]>([
    ['/jobs/', ana, 200],
    ['/jobs/sign-in', {}, 200],
    ['/jobs/list', {}, 302],
    ['/jobs/assets/main-AbCd1234.js', {}, 200],
    ['/jobs/assets/nothing.js', {}, 404],
    ['/jobs/assets/nothing.js', { accept: 'application/json' }, 404],
    ['/jobs/%c0%ae', { accept: '*/*' }, 400],
  ])('%s carries what protects it', async (path, who, status) => {
    const answer = await ask(path, who)
    expect(answer.status).toBe(status)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-security-policy':
        "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'cross-origin-opener-policy': 'same-origin',
    })
  })

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('to %s is that it cannot be done', async (method) => {
    for (const path of ['/jobs', '/jobs/list', '/jobs/pontual.svg']) {
      const { status, headers } = await ask(path, ana, method)
      expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    }
  })

  it('to OPTIONS is what can be done', async () => {
    const { status, headers } = await ask('/jobs/list', {}, 'OPTIONS')
    expect([status, headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  it('that goes wrong is a problem to programs, and a page to people', async () => {
    const read = await ask('/jobs/nothing.js', { 'accept-language': 'pt' })
    expect([read.headers.get('content-type'), read.headers.get('content-language')]).toEqual([
      'text/html; charset=utf-8',
      'pt-BR',
    ])
    expect(await read.text()).toMatch(/<html lang="pt-BR">.*<h1>Não encontrado<\/h1>/s)
    const told = await ask('/jobs/nothing.js', { accept: '*/*' })
    expect(told.headers.get('content-type')).toBe('application/problem+json')
  })
})

describe('a dashboard that is switched off', () => {
  it('is not there for its tenant, and is for others', async () => {
    const body = JSON.stringify({ habilitado: false })
    const headers = { ...ana, 'content-type': 'application/json' }
    const url = 'http://localhost/api/jobs/flags/HANGFIRE_DASHBOARD'
    expect((await api.fetch(new Request(url, { method: 'PUT', headers, body }))).status).toBe(200)
    const answer = await ask('/jobs/', { ...ana, 'accept-language': 'pt-BR' })
    expect(answer.status).toBe(404)
    expect(await answer.text()).toMatch(/<html lang="pt-BR">.*HANGFIRE_DASHBOARD/s)
    expect((await ask('/jobs/', { 'x-who': 'sam' })).status).toBe(200)
    // The page to sign in is for both, and has to know.
    for (const [who, hasDashboard] of Object.entries({ ana: false, nobodyMuch: false, sam: true })) {
      const session = await ask('/api/session', { 'x-who': who, accept: 'application/json' })
      expect(await session.json()).toMatchObject({ hasDashboard })
    }
    expect((await ask('/jobs/pontual.svg')).status).toBe(200)
    expect((await ask('/jobs/sign-in')).status).toBe(200)
  })
})

describe('an API', () => {
  it('without a dashboard leaves /jobs alone', async () => {
    const other = await testPontual({})
    const bare = await createApi(other.app, { identity: { dev: true }, dashboard: false })
    expect(bare.hasDashboard).toBe(false)
    expect((await bare.fetch(new Request('http://localhost/jobs'))).status).toBe(404)
    bare.close()
    await other.stop()
  })

  it('that is to have one, and has not, does not start', async () => {
    const other = await testPontual({})
    const making = createApi(other.app, { identity: { dev: true }, dashboard: { folder: '/nowhere' } })
    await expect(making).rejects.toMatchObject({ code: 'dashboard.not_built' })
    await other.stop()
  })
})

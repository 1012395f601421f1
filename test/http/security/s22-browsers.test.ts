import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSettings } from '../../../src/cli/start-settings.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { testPontual } from '../../../src/testing/test-pontual.ts'
import { builtDashboard } from '../../browser/built-dashboard.ts'
import { exchange } from '../api/raw-http.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

/** Texts that a page, a terminal or a spreadsheet might take for more than text. */
const ACTIVE_TEXTS: readonly string[] = [
  '<img src=x onerror=alert(1)>',
  '"><svg/onload=alert(1)>',
  '</script><script>alert(1)</script>',
  '{{7*7}}',
  '$\u007b7*7}',
  'javascript:alert(1)',
  '=cmd()',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
]

/** Texts that reorder, hide or forge what stands beside them. */
const UNSEEN_TEXTS: readonly string[] = [
  '\u001b]8;;http://e\u0007',
  '\r\n2026-01-01 INFO forged line',
  'a\u2028b',
  'a\u202eb',
  'a\u200bb',
  'a\tb',
]

const built = builtDashboard()
let world: Secured
let ana: Headers
beforeAll(async () => {
  world = await openSecured({ cors: { origins: ['https://pontual.dev'] }, dashboard: { folder: built.folder } })
  ana = await world.bearer()
})
afterAll(async () => {
  await world[Symbol.asyncDispose]()
  built[Symbol.dispose]()
})

describe('S22 text that is more than text to whoever shows it', () => {
  it.each(ACTIVE_TEXTS)('%s is given as JSON, as it was', async (text) => {
    const id = await world.job(ana, { name: `${text} ${crypto.randomUUID()}`, description: text, tags: [text] })
    for (const path of [`/api/jobs/${id}`, '/api/jobs', '/api/jobs/audit-log']) {
      const { headers, status } = await world.ask(ana, 'GET', path)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect((await world.ask(ana, 'GET', `/api/jobs/${id}`)).body).toMatchObject({ description: text, tags: [text] })
  })

  it.each(UNSEEN_TEXTS)('%j is no name and no tag', async (text) => {
    for (const change of [{ name: `name ${text} end` }, { tags: [`a${text}b`] }]) {
      expect((await world.ask(ana, 'POST', '/api/jobs', { body: jobFields(change) })).status).toBe(400)
    }
  })

  it.each([...ACTIVE_TEXTS, '\u001b[31mred', '\r\n2026-01-01 INFO forged line'])(
    '%j as an error and in a log stays on its line',
    async (text) => {
      const id = await world.job(ana, { jobType: 'Falhar', payload: text, retryCount: 0 })
      const { body } = await world.ask(ana, 'POST', `/api/jobs/${id}/execute`)
      await world.test.settle()
      const found = await world.ask(ana, 'GET', `/api/jobs/executions/${body.executionId}`)
      expect(found.headers.get('content-type')).toBe('application/json')
      expect(found.body['errorMessage']).toBe(text)
      // A line of JSON is one line.
      for (const character of '\r\n\u001b') expect(found.text).not.toContain(character)
    },
  )

  it('what is reflected is cut and quoted, and no page', async () => {
    const evil = '<script>alert(1)</script>'
    for (const path of [`/api/${evil}`, `/api/jobs?sort=${evil}`, `/api/jobs?${evil}=1`, `/api/jobs/${evil}`]) {
      const { status, headers } = await world.ask(ana, 'GET', path)
      expect([400, 404]).toContain(status)
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })
})

describe('S22 a page', () => {
  it.each(['/jobs', '/jobs/', '/jobs/list', '/jobs/sign-in', '/jobs/assets/main-AbCd1234.js', '/jobs/nothing.js'])(
    '%s runs nothing of others, and is shown in nobody’s frame',
    async (path) => {
      for (const who of [ana, {}]) {
        const { headers } = await world.ask({ ...who, accept: 'text/html' }, 'GET', path)
        const policy = headers.get('content-security-policy') ?? ''
        for (const rule of ["default-src 'self'", "script-src 'self'", "object-src 'none'", "frame-ancestors 'none'"]) {
          expect(policy.split('; ')).toContain(rule)
        }
        expect(policy).not.toMatch(/unsafe|\*|https?:/)
        expect(headers.get('x-content-type-options')).toBe('nosniff')
        expect(headers.get('x-frame-options')).toBe('DENY')
      }
    },
  )

  it.each(ACTIVE_TEXTS)('says nothing again of %s', async (text) => {
    for (const path of [
      `/jobs/${encodeURIComponent(text)}`,
      `/jobs/list?q=${encodeURIComponent(text)}`,
      `/jobs/${text}`,
    ]) {
      for (const who of [ana, {}]) {
        const reply = await world.ask({ ...who, accept: 'text/html' }, 'GET', path)
        expect(reply.text).not.toContain(text)
        expect(reply.headers.get('location') ?? './').toMatch(/^\.\.?\/[\w\-./]*(\?next=[\w\-.%!'()*~]*)?$/)
      }
    }
  })
})

describe('S24 a request that another site makes a browser send', () => {
  const forged: readonly [string, (session: Headers) => Headers, number, string][] = [
    ['from another site', (session) => ({ ...session, origin: 'https://evil.example' }), 403, 'csrf'],
    [
      'from a site whose name begins like ours',
      (session) => ({ ...session, origin: 'http://127.0.0.1.evil.example' }),
      403,
      'csrf',
    ],
    ['from nowhere', (session) => ({ ...session, origin: 'null' }), 403, 'csrf'],
    ['without an origin', ({ origin: _origin, ...session }) => session, 403, 'csrf'],
    ['without the header of our pages', ({ 'x-pontual-request': _header, ...session }) => session, 403, 'csrf'],
    [
      'told to be cross-site',
      (session) => ({ ...session, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }),
      403,
      'csrf',
    ],
  ]
  it.each<[string, Headers]>([
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }],
    ['of a sibling host', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' }],
    ['of an opaque origin', { origin: 'null' }],
  ])('a stream is not opened with the session by a page %s', async (_whose, more) => {
    const { origin: _origin, ...session } = await world.session(ana)
    for (const path of ['/api/jobs/events', '/api/jobs']) {
      const { status, body } = await world.ask({ ...session, ...more }, 'GET', path)
      expect([path, status, body.code]).toEqual([path, 403, 'csrf'])
    }
  })

  it.each(forged)('%s', async (_what, change, status, code) => {
    const session = change(await world.session(ana))
    for (const [method, path, body] of [
      ['POST', '/api/jobs', jobFields()],
      ['PUT', '/api/jobs/settings', { language: 'en' }],
      ['DELETE', '/api/session', undefined],
    ] as const) {
      const reply = await world.ask(session, method, path, body === undefined ? {} : { body })
      expect([method, reply.status, reply.body.code]).toEqual([method, status, code])
    }
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'as %s',
    async (type) => {
      const headers = { 'content-type': type }
      const reply = await world.ask(ana, 'POST', '/api/jobs', { raw: JSON.stringify(jobFields()), headers })
      expect([reply.status, reply.body.code]).toEqual([415, 'unsupported_media_type'])
    },
  )

  it('to log somebody in as somebody else', async () => {
    const evil = { ...ana, origin: 'https://evil.example' }
    const { headers } = await world.ask(evil, 'POST', '/api/session')
    expect(headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('S25 pages of other origins', () => {
  it.each([
    'null',
    'https://evil.com',
    'https://pontual.dev.evil.com',
    'https://evilpontual.dev',
    'http://pontual.dev',
    'https://pontual.dev:8443',
    'https://PONTUAL.dev.',
    'file://',
  ])('%s reads nothing', async (origin) => {
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await world.ask(
        { ...ana, origin, 'access-control-request-method': 'PUT' },
        method,
        '/api/jobs',
      )
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('access-control-allow-credentials')).toBeNull()
    }
  })

  it('one that was named does, and never everybody', async () => {
    const { headers } = await world.ask({ ...ana, origin: 'https://pontual.dev' }, 'GET', '/api/jobs')
    expect(headers.get('access-control-allow-origin')).toBe('https://pontual.dev')
    expect(headers.get('vary')?.toLowerCase()).toContain('origin')
  })
})

describe('S26 a server that anybody could enter', () => {
  const DATABASE_URL = 'postgres://localhost/none'
  it.each<[string, Record<string, string>]>([
    ['without a secret', {}],
    ['with an empty one', { PONTUAL_JWT_SECRET: ' ' }],
    ['with keys of an issuer that nobody named', { PONTUAL_API_KEYS: 'false' }],
  ])('does not start %s', (_what, variables) => {
    expect(() => startSettings({ DATABASE_URL, ...variables })).toThrow(/Nobody could show who he is/)
  })

  it.each(['secret', 'change-me', 'x'.repeat(31), 'a'.repeat(64), 'default_token'])(
    'does not start with the secret %s, and has not touched a store by then',
    async (secret) => {
      let wasOpened = false
      const store = {
        kind: 'memory',
        open: () => {
          wasOpened = true
          return Promise.reject(new Error('opened'))
        },
      }
      const { pontual } = await import('../../../src/pontual.ts')
      const app = pontual({ store, jobs: [] })
      await expect(createApi(app, { identity: { jwt: { secret } } })).rejects.toMatchObject({
        code: 'identity.jwt_secret_weak',
      })
      expect(wasOpened).toBe(false)
    },
  )

  it.each<[string, Headers]>([
    ['nobody', {}],
    ['somebody who says that he is local', { 'x-forwarded-for': '127.0.0.1', 'x-real-ip': '127.0.0.1' }],
    ['somebody with a made-up session', { cookie: `__Host-pontual=${'x'.repeat(43)}` }],
    ['somebody with a made-up token', { authorization: 'Bearer x.y.z' }],
  ])('shows no page to %s, and says where to sign in', async (_who, headers) => {
    for (const path of ['/jobs', '/jobs/', '/jobs/list', '/jobs/executions/7?x=1', '/jobs//evil']) {
      const reply = await world.ask(headers, 'GET', path)
      expect([path, reply.status, reply.text]).toEqual([path, 302, ''])
      const target = new URL(reply.headers.get('location') ?? '', world.url + path)
      expect(target.origin + target.pathname).toBe(`${world.url}/jobs/sign-in`)
      expect(target.search).toMatch(/^(\?next=%2F(list|executions%2F7%3Fx%3D1))?$/)
    }
  })

  it.each([
    '/jobs/../../../../etc/passwd',
    '/jobs/..%2f..%2f..%2fetc%2fpasswd.txt',
    '/jobs/%2e%2e/%2e%2e/package.json',
    '/jobs/assets/..%5c..%5cpackage.json',
    '/jobs/assets/%00.js',
    '/jobs/.stamp',
    '/jobs/.vite/manifest.json',
    '/jobs\\..\\..\\package.json',
    '/jobs/%c0%ae%c0%ae/package.json',
  ])('gives no file but its own at %s', async (path) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`
    expect(await exchange(world.url, request)).toMatch(/^HTTP\/1\.1 (400|404) /)
  })

  it('in development takes nobody for local who came by a proxy', async () => {
    const test = await testPontual({})
    const dashboard = { folder: built.folder }
    const api = await createApi(test.app, { identity: { dev: true }, service: { duties: false }, dashboard })
    const ask = async (address: string, headers: Headers = {}) => {
      const answers = ['/api/jobs', '/jobs/'].map((path) =>
        api.fetch(new Request(`http://localhost${path}`, { headers: { host: 'localhost', ...headers } }), { address }),
      )
      return (await Promise.all(answers)).map(({ status }) => status)
    }
    expect(await ask('127.0.0.1')).toEqual([200, 200])
    expect(await ask('203.0.113.7')).toEqual([401, 302])
    expect(await ask('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toEqual([401, 302])
    expect(await ask('127.0.0.1', { host: 'evil.example' })).toEqual([401, 302])
    api.close()
    await test.stop()
  })
})

describe('S27 SQL in what is asked for', () => {
  const TEXTS: readonly string[] = [
    "' OR 1=1--",
    "'; drop table pontual.jobs; --",
    '" or ""="',
    '1; select pg_sleep(10)',
    '%',
    '_',
    '\\',
    "' & | ! ( ) : *",
    '$1',
    '(select 1)',
    'name; --',
    'name desc, (select 1)',
    'payload->>0',
    '𝕊𝔼𝕃𝔼ℂ𝕋',
  ]

  it.each(TEXTS)('%s as a text that is looked for finds nothing', async (text) => {
    for (const name of ['q', 'tag', 'jobType']) {
      const { status, body } = await world.ask(ana, 'GET', `/api/jobs?${name}=${encodeURIComponent(text)}`)
      if (text !== '%' && text !== '_' && text !== '\\') expect([name, status, body.items]).toEqual([name, 200, []])
      else expect(status).toBe(200)
    }
  })

  it.each(TEXTS)('%s as anything else is refused', async (text) => {
    for (const name of ['sort', 'status', 'priority', 'limit', 'cursor']) {
      const { status } = await world.ask(ana, 'GET', `/api/jobs?${name}=${encodeURIComponent(text)}`)
      expect([name, status]).toEqual([name, 400])
    }
    for (const name of ['from', 'operation', 'limit', 'cursor', 'jobId']) {
      const { status } = await world.ask(ana, 'GET', `/api/jobs/audit-log?${name}=${encodeURIComponent(text)}`)
      expect([name, status]).toEqual([name, 400])
    }
  })

  it('no statement is put together from anything but texts of the code', async () => {
    const folder = fileURLToPath(new URL('../../../src/store', import.meta.url))
    const files = (await readdir(folder, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
    const found: string[] = []
    for (const file of files) {
      const source = await readFile(join(folder, file), 'utf8')
      for (const [, text = ''] of source.matchAll(/(?:\btext:|\bnamed(?:<[^(]*>)?\(\s*'\w+',)\s*`([^`]*)`/g)) {
        for (const [, inserted = ''] of text.matchAll(/\$\{([^}]*)\}/g)) found.push(`${file}: ${inserted}`)
      }
    }
    // A constant is in capitals, or a function of literal texts. The rest is chosen from a list by the field that sorts.
    const constant =
      /: ([A-Z][A-Z0-9_]*(\.trim\(\)|\.lists|\.columns)?|\w+\('[^']*'(, '[^']*')*\)|\w+\.text(\.replace\('[\w.]+', '[\w.]+'\))?)$/
    const others = found.filter((each) => !constant.test(each))
    expect([...new Set(others)].filter((each) => !each.startsWith('postgres/jobs/search-jobs.ts: '))).toEqual([])
  })
})

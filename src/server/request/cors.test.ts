import { expect, it } from 'vitest'
import type { App } from '../app-options.ts'
import { withCors } from './cors.ts'

const app: App = { fetch: async () => Response.json({ ok: true }), close: () => {} }
const PORTAL = 'https://portal.example.com'

function ask(method: string, headers: Record<string, string>): Request {
  return new Request('https://jobs.example.com/api/jobs', { method, headers })
}

it.each<[string, readonly string[], string | null, string | null]>([
  ['no page, by default', [], PORTAL, null],
  ['a page that is listed', [PORTAL], PORTAL, PORTAL],
  ['no page', [PORTAL], null, null],
  ['another page', [PORTAL], 'https://evil.example', null],
  ['a page of a name that begins alike', [PORTAL], `${PORTAL}.evil.example`, null],
  ['a page of another scheme', [PORTAL], 'http://portal.example.com', null],
  ['a page of another port', [PORTAL], `${PORTAL}:8443`, null],
  ['a page without an origin', [PORTAL], 'null', null],
])('%s', async (_, origins, origin, expected) => {
  const answer = await withCors(app, { origins }).fetch(ask('GET', origin === null ? {} : { origin }))
  expect(answer.headers.get('access-control-allow-origin')).toBe(expected)
  expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  expect(answer.headers.get('vary')).toBe(origins.length > 0 ? 'Origin' : null)
  expect(await answer.json()).toEqual({ ok: true })
})

it('a page that is listed may ask beforehand', async () => {
  const request = ask('OPTIONS', { origin: PORTAL, 'access-control-request-method': 'PUT' })
  const answer = await withCors(app, { origins: [PORTAL] }).fetch(request)
  expect(answer.status).toBe(204)
  expect(answer.headers.get('access-control-allow-methods')).toContain('PUT')
  expect(answer.headers.get('access-control-allow-headers')).toContain('authorization')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

it('no other page may', async () => {
  const request = ask('OPTIONS', { origin: 'https://evil.example', 'access-control-request-method': 'PUT' })
  const answer = await withCors(app, { origins: [PORTAL] }).fetch(request)
  expect(answer.headers.get('access-control-allow-methods')).toBeNull()
})

it.each(['*', 'null', 'portal.example.com', 'https://portal.example.com/', 'https://*.example.com/'])(
  '%s is no origin',
  (origin) => {
    expect(() => withCors(app, { origins: [origin] })).toThrow('cors.origins must be origins')
  },
)

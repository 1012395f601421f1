import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { exchange, statusesIn } from '../api/raw-http.ts'
import { type Headers, openSecured, type Secured } from './world.ts'

let world: Secured
let ana: Headers
beforeAll(async () => {
  world = await openSecured()
  ana = await world.bearer()
})
afterAll(() => world[Symbol.asyncDispose]())

describe('S50 a spreadsheet', () => {
  it('takes nothing of an export for a formula', async () => {
    const evil = ['=cmd()', '+1', '-1', '@x', '\t=1']
    for (const text of evil.slice(0, 4)) await world.job(ana, { name: `${text} ${crypto.randomUUID()}` })
    const mallory = await world.bearer({ sub: '=HYPERLINK("http://evil.example")' })
    await world.job(mallory)
    const { text, headers } = await world.ask(ana, 'GET', '/api/jobs/audit-log/export')
    expect(headers.get('content-type')).toMatch(/^text\/csv/)
    expect(headers.get('content-disposition')).toMatch(/^attachment/)
    expect(text).toContain('HYPERLINK')
    for (const cell of text.split('\n').flatMap((line) => line.split(','))) {
      expect(cell).not.toMatch(/^"?[=+@\t]/)
    }
  })
})

describe('S52 what is not for everybody', () => {
  it.each([
    '/metrics',
    '/api/metrics',
    '/api/jobs/openapi.json',
    '/.env',
    '/.git/config',
    '/package.json',
    '/dist/index.js.map',
    '/server.js.map',
    '/debug',
    '/actuator',
    '/swagger',
    '/phpinfo.php',
    '/..%2f..%2f.env',
    '/%2e%2e/%2e%2e/.env',
  ])('%s', async (path) => {
    const [status] = statusesIn(
      await exchange(world.url, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`),
    )
    expect([400, 401, 404]).toContain(status)
  })

  it('a problem tells nothing of how this is made', async () => {
    const paths = ['/api/nothing', '/api/jobs?limit=x', '/api/jobs/x', '/api/jobs?cursor=abc.def']
    for (const path of paths) {
      const { text, headers } = await world.ask(ana, 'GET', path)
      expect(text).not.toMatch(/node_modules|\.[tj]s\b|hono|zod|postgres|stack|at \w+ \(/i)
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('server')).toBeNull()
    }
  })
})

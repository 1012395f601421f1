import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { EchoApp, type Heard } from '../../../test/http/mount/echo-app.ts'
import { HOSTS, type Host } from '../../../test/http/mount/hosts.ts'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Mounted at the path of the API alone, nothing beside it can be reached. */
const WITH_ROOM = Object.keys(HOSTS).filter((name) => !name.includes('at the path of the API'))

describe.each(WITH_ROOM)('the dashboard in %s', (name) => {
  describe.each(['', '/ops', '/ops/tools'])('under "%s"', (prefix) => {
    const ask = async (app: EchoApp, path: string) => {
      const host = await HOSTS[name]!(app, prefix)
      const answer = await fetch(`${host.url}${prefix}${path}`)
      const heard = { status: answer.status, path: answer.ok ? ((await answer.json()) as Heard).path : null }
      await host.close()
      return heard
    }

    it.each(['/jobs', '/jobs/', '/jobs/list?q=status%3Afailed%20tag%3Ax', '/jobs/assets/main-AbCd1234.js'])(
      'has %s, and leaves it to the host where there is none',
      async (path) => {
        expect(await ask(new EchoApp({ hasDashboard: true }), path)).toEqual({ status: 200, path })
        expect(await ask(new EchoApp(), path)).toEqual({ status: 404, path: null })
      },
    )
  })
})

describe.each(Object.keys(HOSTS))('%s', (name) => {
  describe.each(['', '/ops'])('under "%s"', (prefix) => {
    let app: EchoApp
    let host: Host
    beforeEach(async () => {
      app = new EchoApp()
      host = await HOSTS[name]!(app, prefix)
    })
    afterEach(() => host.close())

    const ask = (path: string, init: RequestInit = {}) => fetch(`${host.url}${prefix}${path}`, init)
    const heard = async (path: string, init: RequestInit = {}) => (await (await ask(path, init)).json()) as Heard

    it('hands over paths without the prefix, and queries as they are', async () => {
      expect(await heard('/api/jobs')).toMatchObject({ method: 'GET', path: '/api/jobs', body: '' })
      expect((await heard('/api/jobs/7/logs?level=warn&q=a%20b%2Fc')).path).toBe(
        '/api/jobs/7/logs?level=warn&q=a%20b%2Fc',
      )
      expect((await heard('/api/jobs?limit=5')).path).toBe('/api/jobs?limit=5')
    })

    it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('hands over the body of %s', async (method) => {
      const body = JSON.stringify({ name: 'fechamento – ação ✓', list: [1, null, 'x'.repeat(50_000)] })
      expect(await heard('/api/jobs/7', { method, body, headers: JSON_TYPE })).toMatchObject({
        method,
        body,
        contentType: 'application/json',
      })
    })

    it('hands over that there is no body', async () => {
      expect(await heard('/api/jobs/7/executar', { method: 'POST' })).toMatchObject({ method: 'POST', body: '' })
    })

    it('hands over bodies that are no JSON, for us to refuse', async () => {
      const headers = { 'content-type': 'text/plain' }
      expect(await heard('/api/jobs', { method: 'POST', body: '{"a":1}', headers })).toMatchObject({
        body: '{"a":1}',
        contentType: 'text/plain',
      })
    })

    it('answers with status and headers, and points at what stands under the prefix', async () => {
      const answer = await ask('/api/jobs', { method: 'POST', body: '{}', headers: JSON_TYPE })
      expect(answer.status).toBe(201)
      expect(answer.headers.get('location')).toBe(`${prefix}/api/jobs/1`)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('x-powered-by')).toBe(name.startsWith('Express') ? 'Express' : null)
    })

    it('leaves other paths to the host', async () => {
      expect(await (await fetch(`${host.url}/own`)).text()).toBe('own')
      expect((await ask('/api/jobsx')).status).toBe(404)
    })

    it('streams, and sees that whoever listened has gone', async () => {
      const leaving = new AbortController()
      const answer = await ask('/api/jobs/stream', { signal: leaving.signal })
      const reader = answer.body!.getReader() as ReadableStreamDefaultReader<Uint8Array>
      expect(new TextDecoder().decode((await reader.read()).value)).toBe('id: 1\n\n')
      leaving.abort()
      await app.left
    })

    it('does not believe whatever a request says about its address', async () => {
      const { address } = await heard('/api/jobs', { headers: { 'x-forwarded-for': '198.51.100.1' } })
      expect(address).toBe(name === 'Next' ? null : '127.0.0.1')
    })
  })
})

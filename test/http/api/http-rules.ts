import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BODY_LIMIT } from '../../../src/server/request/read-body.ts'
import { problemView } from '../../../src/server/routes/openapi.ts'
import { ADMIN, type AskOptions, DEVELOPER, nightly, openWorld, type Reply, type World } from './world.ts'

/** What holds for every request, whatever it asks for. */
export function describeHttpRules(): void {
  describe('every request', () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld()
    })
    afterAll(() => world[Symbol.asyncDispose]())

    const ask = (method: string, path: string, options?: AskOptions) => world.ask(ADMIN, method, path, options)

    /** Every problem has the same shape. */
    function expectProblem(reply: Reply, status: number, code: string): void {
      expect(reply.headers.get('content-type')).toBe('application/problem+json')
      expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(problemView.strict().parse(reply.body)).toMatchObject({ status, code })
      expect(reply.status).toBe(status)
    }

    describe('paths and methods', () => {
      it.each<[string, string, number, string]>([
        ['GET', '/', 404, 'not_found'],
        ['GET', '/api', 404, 'not_found'],
        ['GET', '/api/job', 404, 'not_found'],
        ['GET', '/API/JOBS', 404, 'not_found'],
        ['GET', '/api/jobs/DASHBOARD', 400, 'validation_failed'],
        ['GET', '/api//jobs', 404, 'not_found'],
        ['GET', '/api/jobs/dashboard/', 404, 'not_found'],
        ['GET', '/api/jobs/dashboard/x', 404, 'not_found'],
        ['GET', '/.env', 404, 'not_found'],
        ['GET', '/api/jobs/..%2f..%2fetc%2fpasswd', 400, 'validation_failed'],
        ['PATCH', '/api/jobs', 405, 'method_not_allowed'],
        ['DELETE', '/api/jobs', 405, 'method_not_allowed'],
        ['POST', '/api/jobs/dashboard', 405, 'method_not_allowed'],
        ['DELETE', '/api/jobs/dashboard', 405, 'method_not_allowed'],
        ['PUT', '/api/jobs/audit-log', 405, 'method_not_allowed'],
        ['DELETE', '/api/jobs/audit-log', 405, 'method_not_allowed'],
        ['PATCH', '/api/jobs/audit-log', 405, 'method_not_allowed'],
      ])('%s %s is answered with %i', async (method, path, status, code) => {
        expectProblem(await ask(method, path), status, code)
      })

      it('say what is allowed', async () => {
        expect((await ask('PATCH', '/api/jobs')).headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
        const options = await world.ask(null, 'OPTIONS', '/api/jobs/dashboard')
        expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
      })

      it('take no other method from a header', async () => {
        const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' }
        expect(await ask('GET', '/api/jobs?limit=1', { headers })).toMatchObject({ status: 200 })
      })

      it('of the list may end in a slash', async () => {
        expect(await ask('GET', '/api/jobs/?limit=1')).toMatchObject({ status: 200 })
      })

      it('HEAD is GET without a body, permissions included', async () => {
        const head = await ask('HEAD', '/api/jobs/dashboard')
        expect([head.status, head.text, head.headers.get('content-type')]).toEqual([200, '', 'application/json'])
        expect(await world.ask(null, 'HEAD', '/api/jobs/dashboard')).toMatchObject({ status: 401 })
        expect(await ask('HEAD', '/api/jobs/events')).toMatchObject({ status: 200, text: '' })
      })
    })

    describe('who asks', () => {
      it('is never told by the query', async () => {
        expectProblem(await world.ask(null, 'GET', '/api/jobs?access_token=secret'), 401, 'unauthenticated')
        const { status, text } = await ask('GET', '/api/jobs?token=s3cr3t')
        expect(status).toBe(400)
        expect(text).not.toContain('s3cr3t')
      })

      it('is told how to show it', async () => {
        expect((await world.ask(null, 'GET', '/api/jobs')).headers.get('www-authenticate')).toContain('Bearer')
      })

      it('has the tenant of his credentials, whatever a header says', async () => {
        const headers = { 'x-tenant': 'globex', 'x-clienteid': 'globex' }
        expect((await ask('GET', '/api/session', { headers })).body).toMatchObject({ clienteId: 'acme' })
      })

      it('may do without what he may not have', async () => {
        expectProblem(await world.ask(DEVELOPER, 'GET', '/api/jobs/audit-log'), 403, 'forbidden')
      })
    })

    describe('what is sent', () => {
      it.each<[string, AskOptions, number, string]>([
        ['nothing', {}, 400, 'body_required'],
        ['text', { raw: '{}', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
        ['a form', { raw: 'a=b', headers: { 'content-type': 'multipart/form-data' } }, 415, 'unsupported_media_type'],
        ['gzip', { raw: '{}', headers: { 'content-encoding': 'gzip' } }, 415, 'unsupported_media_type'],
        ['half of it', { raw: '{"name":' }, 400, 'json_invalid'],
        ['a list', { raw: '[]' }, 400, 'validation_failed'],
        ['null', { raw: 'null' }, 400, 'validation_failed'],
        ['a tower', { raw: '['.repeat(100_000) }, 400, 'validation_failed'],
        ['a name twice', { raw: '{"name":"a","name":"b"}' }, 400, 'validation_failed'],
        ['__proto__', { raw: '{"__proto__":{"profile":"Admin"}}' }, 400, 'validation_failed'],
        ['bytes that are no text', { raw: new Uint8Array([0xff, 0xfe]) }, 400, 'invalid_utf8'],
        ['too much', { raw: `"${'a'.repeat(BODY_LIMIT)}"` }, 413, 'payload_too_large'],
        ['a field of its own', { body: nightly({ isAdmin: true }) }, 400, 'unknown_field'],
        ['another tenant', { body: nightly({ clienteId: 'globex' }) }, 400, 'unknown_field'],
        ['its own approval', { body: nightly({ approvedByUserId: 'ana', status: 'APPROVED' }) }, 400, 'unknown_field'],
        ['a cron of four fields', { body: nightly({ cronExpression: '2 0 * *' }) }, 400, 'job.cron_invalid'],
        ['a cron of nonsense', { body: nightly({ cronExpression: 'abc' }) }, 400, 'job.cron_invalid'],
        ['a minute that is none', { body: nightly({ cronExpression: '60 * * * *' }) }, 400, 'job.cron_invalid'],
        ['a cron that never fires', { body: nightly({ cronExpression: '0 0 30 2 *' }) }, 400, 'validation_failed'],
        ['a name that is too short', { body: nightly({ name: 'ab' }) }, 400, 'validation_failed'],
        ['a type that nobody knows', { body: nightly({ jobType: 'constructor' }) }, 400, 'validation_failed'],
        ['a timeout of a day', { body: nightly({ timeoutMinutes: 1_440 }) }, 400, 'validation_failed'],
        ['a number as text', { body: nightly({ retryCount: '3' }) }, 400, 'validation_failed'],
        ['NUL in a payload', { body: nightly({ payload: { a: '\u0000' } }) }, 400, 'validation_failed'],
      ])('as %s is refused', async (_what, options, status, code) => {
        expectProblem(await ask('POST', '/api/jobs', options), status, code)
      })

      it('is never echoed at length', async () => {
        const name = `<script>${'x'.repeat(5_000)}`
        const { status, text } = await ask('POST', '/api/jobs', { body: nightly({ name, [name]: 1 }) })
        expect(status).toBe(400)
        expect(text.length).toBeLessThan(2_000)
      })

      it('may be nothing where nothing is needed', async () => {
        const { body } = await ask('POST', '/api/jobs', { body: nightly() })
        const { id } = body
        expect(await ask('POST', `/api/jobs/${id}/pausar`)).toMatchObject({ status: 200 })
        expect(await ask('POST', `/api/jobs/${id}/retomar`, { body: {} })).toMatchObject({ status: 200 })
        expectProblem(await ask('POST', `/api/jobs/${id}/retomar`, { body: { force: true } }), 400, 'unknown_field')
      })
    })

    describe('what is asked for', () => {
      it.each<[string, string]>([
        ['/api/jobs?limit=0', 'validation_failed'],
        ['/api/jobs?limit=201', 'validation_failed'],
        ['/api/jobs?limit=1e9', 'validation_failed'],
        ['/api/jobs?limit=1&limit=2', 'validation_failed'],
        ['/api/jobs?page=2', 'validation_failed'],
        ['/api/jobs?sort=name;drop', 'validation_failed'],
        ['/api/jobs?sort=payload', 'validation_failed'],
        ['/api/jobs?status=RUNNING', 'validation_failed'],
        ['/api/jobs?cursor=abc', 'invalid_cursor'],
        ['/api/jobs?q=%00', 'validation_failed'],
        ['/api/jobs/audit-log?from=1900-01-01T00:00:00Z', 'validation_failed'],
        ['/api/jobs/audit-log?from=2026-02-30T00:00:00Z', 'validation_failed'],
        ['/api/jobs/executions?archived=yes', 'validation_failed'],
      ])('%s is refused', async (path, code) => {
        expectProblem(await ask('GET', path), 400, code)
      })

      it('is found by whatever text, none of which is more than text', async () => {
        for (const q of ["' OR 1=1--", '%', '_', '\\', "' & | ! ( ) : *", '😀', '"']) {
          const { status, body } = await ask('GET', `/api/jobs?q=${encodeURIComponent(q)}`)
          expect([status, body.items], q).toEqual([200, []])
        }
      })

      it('may be taken as nothing that there is', async () => {
        expectProblem(await ask('GET', '/api/jobs', { headers: { accept: 'text/xml' } }), 406, 'not_acceptable')
      })

      it('is found in the trace that it belongs to', async () => {
        const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
        const { body } = await ask('GET', '/api/nothing', { headers: { traceparent } })
        expect(body).toMatchObject({ trace_id: '0af7651916cd43dd8448eb211c80319c', instance: '/api/nothing' })
      })
    })
  })
}

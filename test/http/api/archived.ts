import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreSource } from '../../../src/store/store.ts'
import { ADMIN, DEVELOPER, nightly, openWorld, type Reply, STRANGER, type World } from './world.ts'

const NINETY_DAYS_MS = 90 * 86_400_000

interface Old {
  readonly jobId: string
  readonly id: string
}

/** What is read over HTTP of what was moved into the archive. */
export function describeArchived(kind: string, openStore: () => StoreSource | undefined): void {
  describe(`the archive on ${kind}`, () => {
    let world: World
    let plain: Old
    let durable: Old
    let failed: Old
    beforeAll(async () => {
      world = await openWorld(openStore())
      plain = await ran('ImportarFaturas')
      durable = await ran('Resumo')
      failed = await ran('Falhar')
      // Nothing else happens meanwhile.
      const { items } = (await world.ask(ADMIN, 'GET', '/api/jobs?jobType=LimparCache')).body
      for (const item of items) await world.ask(ADMIN, 'POST', `/api/jobs/${(item as Old).id}/pause`)
      await world.test.advance('130 days')
      await execute(plain.jobId)
      const { archive } = (await world.test.app.opened()).store
      for (const part of await archive.due(NINETY_DAYS_MS)) {
        expect(await archive.move(part, NINETY_DAYS_MS)).toBe('done')
      }
    })
    afterAll(() => world?.[Symbol.asyncDispose]())

    async function ran(jobType: string): Promise<Old> {
      const fields = nightly({ jobType, cronExpression: '0 0 1 12 *', ...(jobType === 'Falhar' && { retryCount: 0 }) })
      const { body } = await world.ask(ADMIN, 'POST', '/api/jobs', { body: fields })
      return { jobId: body.id, id: await execute(body.id) }
    }

    async function execute(jobId: string): Promise<string> {
      const { body } = await world.ask(ADMIN, 'POST', `/api/jobs/${jobId}/execute`)
      for (let turn = 0; turn < 200; turn += 1) {
        // A server tells of work when it likes; a node that was not told looks for it after a second.
        await (turn % 20 === 19 ? world.test.advance('1s') : world.test.settle())
        const { items } = (await world.ask(ADMIN, 'GET', `/api/jobs/${jobId}/history?status=SUCCESS,FAILED`)).body
        if (items.some((item) => (item as Old).id === body.executionId)) return body.executionId
      }
      throw new Error('It does not end.')
    }

    const status = async (path: string, asker = ADMIN) => (await world.ask(asker, 'GET', path)).status
    const cursorOf = (body: Reply['body']) => encodeURIComponent(body['nextCursor'] as string)
    const idsOf = (items: readonly unknown[]) => items.map((item) => (item as Old).id)

    it.each(['', '/activities'])('is where an old execution%s is, and only there', async (what) => {
      const path = `/api/jobs/executions/${durable.id}${what}`
      expect(await status(path)).toBe(404)
      expect(await status(`${path}?archived=false`)).toBe(404)
      expect(await status(`${path}?archived=true`)).toBe(200)
    })

    it('says of what is in it where it is, in both languages', async () => {
      const ask = async (language: string) =>
        (
          await world.ask(ADMIN, 'GET', `/api/jobs/executions/${plain.id}`, {
            headers: { 'accept-language': language },
          })
        ).body['detail']
      expect(await ask('en')).toContain('archived=true')
      expect(await ask('pt-BR')).toContain('archived=true')
      expect(await ask('pt-BR')).not.toBe(await ask('en'))
    })

    it('is another tenant’s for another tenant', async () => {
      for (const query of ['', '?archived=true']) {
        for (const what of ['', '/activities']) {
          expect(await status(`/api/jobs/executions/${plain.id}${what}${query}`, STRANGER)).toBe(403)
        }
        expect(await status(`/api/jobs/${plain.jobId}/historico${query}`, STRANGER)).toBe(403)
        expect(await status(`/api/jobs/${plain.jobId}/logs${query}`, STRANGER)).toBe(403)
        const { items } = (await world.ask(STRANGER, 'GET', `/api/jobs/executions${query}`)).body
        expect(items).toEqual([])
      }
      expect((await world.ask(STRANGER, 'POST', `/api/jobs/executions/${plain.id}/erase`)).status).toBe(403)
    })

    it('is listed with what is new, page by page, without a gap and without a repetition', async () => {
      const whole = await world.ask(ADMIN, 'GET', '/api/jobs/executions?archived=true&limit=200')
      const ids = idsOf(whole.body.items)
      expect(ids).toEqual(expect.arrayContaining([plain.id, durable.id, failed.id]))
      expect(ids).toEqual(ids.toSorted().toReversed())
      const found: string[] = []
      let query = '?archived=true&limit=2'
      for (;;) {
        const { body } = await world.ask(ADMIN, 'GET', `/api/jobs/executions${query}`)
        found.push(...idsOf(body.items))
        if (body['nextCursor'] === null) break
        query = `?archived=true&limit=2&cursor=${cursorOf(body)}`
      }
      expect(found.slice(0, 200)).toEqual(ids)
      expect(new Set(found).size).toBe(found.length)
    })

    it('takes no cursor of the list without it, nor gives it one', async () => {
      for (const [one, other] of [
        ['true', 'false'],
        ['false', 'true'],
      ]) {
        const { body } = await world.ask(ADMIN, 'GET', `/api/jobs/executions?archived=${one}&limit=1`)
        expect(await status(`/api/jobs/executions?archived=${other}&limit=1&cursor=${cursorOf(body)}`)).toBe(400)
      }
    })

    it('holds the history and the logs of a job', async () => {
      const history = `/api/jobs/${plain.jobId}/historico`
      expect(idsOf((await world.ask(ADMIN, 'GET', history)).body.items)).toHaveLength(1)
      expect(idsOf((await world.ask(ADMIN, 'GET', `${history}?archived=true`)).body.items)).toContain(plain.id)
      const logs = `/api/jobs/${plain.jobId}/logs?executionId=${plain.id}`
      expect(await status(logs)).toBe(404)
      const { items } = (await world.ask(ADMIN, 'GET', `${logs}&archived=true`)).body
      expect(items).toMatchObject([{ message: 'imported' }])
    })

    it('holds the old part of the audit log, which still verifies', async () => {
      const operations = async (query: string) =>
        (await world.ask(ADMIN, 'GET', `/api/jobs/audit-log?limit=200&jobId=${plain.jobId}${query}`)).body.items.map(
          (item) => (item as { operation: string }).operation,
        )
      expect(await operations('')).not.toContain('JOBS_JOB_CREATE')
      expect(await operations('&archived=true')).toContain('JOBS_JOB_CREATE')
      expect((await world.ask(ADMIN, 'GET', '/api/jobs/audit-log/verify')).body).toMatchObject({ isIntact: true })
      const { text } = await world.ask(ADMIN, 'GET', '/api/jobs/audit-log/export?archived=true')
      expect(text).toContain('JOBS_JOB_CREATE')
    })

    it.each<[string, string, unknown]>([
      ['cancelled', 'executions/{id}/cancel', {}],
      ['signalled', 'executions/{id}/signal', { name: 'go' }],
      ['restarted', 'executions/{id}/restart', { sequence: 1 }],
      ['retried', '{jobId}/retry?executionId={id}', undefined],
    ])('is read: what is in it is not %s', async (_what, path, body) => {
      const target = path.startsWith('{jobId}') ? failed : durable
      const at = `/api/jobs/${path.replace('{jobId}', target.jobId).replace('{id}', target.id)}`
      const reply = await world.ask(ADMIN, 'POST', at, body === undefined ? {} : { body })
      expect([404, 409], reply.text).toContain(reply.status)
    })

    it('follows no logs', async () => {
      expect(await status(`/api/jobs/executions/${plain.id}/logs/stream`)).toBe(404)
    })

    it.each(['maybe', '1', 'TRUE', ''])('is asked for with true or false, and not with "%s"', async (word) => {
      expect(await status(`/api/jobs/executions?archived=${word}`)).toBe(400)
      expect(await status(`/api/jobs/executions/${plain.id}?archived=${word}`)).toBe(400)
      expect(await status(`/api/jobs/audit-log?archived=${word}`)).toBe(400)
    })

    it('can be erased from', async () => {
      const path = `/api/jobs/executions/${failed.id}`
      expect((await world.ask(DEVELOPER, 'POST', `${path}/erase`)).status).toBe(403)
      expect((await world.ask(ADMIN, 'POST', `${path}/erase`)).status).toBe(204)
      const { body } = await world.ask(ADMIN, 'GET', `${path}?archived=true`)
      expect(body).toMatchObject({ payloadError: 'payload_erased', status: 'FAILED' })
      expect(JSON.stringify(body)).not.toContain('no such file')
      expect(await status(`${path}/activities?archived=true`)).toBe(410)
      expect(await status(`/api/jobs/${failed.jobId}/logs?executionId=${failed.id}&archived=true`)).toBe(410)
    })
  })
}

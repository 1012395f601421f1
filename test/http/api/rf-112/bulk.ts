import { describe, expect, it } from 'vitest'
import type { Body } from './reply.ts'
import type { Stage } from './stage.ts'

/** What is asked of many jobs at once, and the logs of one execution. */
export function describeBulk(at: () => Stage): void {
  describe('many jobs at once', () => {
    it('are counted, and then paused, run and deleted, fifty a call', async () => {
      const a = at().company()
      for (let n = 0; n < 53; n += 1) await a.makes({ name: `noite ${n}`, tags: ['noite'] })
      await a.makes({ name: 'outro' })
      const query = { q: 'tag:noite' }
      const counted = await a.developer.post('/api/jobs/bulk', { verb: 'pause', query, dryRun: true })
      expect(counted.body).toMatchObject({ matched: 53, applicable: 53, done: 0, failed: [], nextCursor: null })
      expect(counted.body['sample']).toHaveLength(5)
      const first = await a.developer.post('/api/jobs/bulk', { verb: 'pause', query, reason: 'férias' })
      expect(first.body).toMatchObject({ matched: 50, applicable: null, done: 50, failed: [] })
      const cursor = first.body.nextCursor
      const rest = await a.developer.post('/api/jobs/bulk', { verb: 'pause', query, reason: 'férias', cursor })
      expect(rest.body).toMatchObject({ matched: 3, done: 3, nextCursor: null })
      expect((await a.manager.get('/api/jobs?status=PAUSED&limit=200')).body.items).toHaveLength(53)
      const audited = await a.audited('&operation=JOBS_JOB_PAUSE')
      expect(new Set(audited.map((entry) => entry['jobId'])).size).toBe(53)
    })

    it('tell what each refuses in the language asked for', async () => {
      const a = at().company()
      const { id, name } = await a.makes()
      await a.developer.post(`/api/jobs/${id}/pausar`)
      const { id: foreign } = await at().company().makes()
      const ask = async (language: string) => {
        const headers = { 'accept-language': language }
        const { body } = await a.developer.post('/api/jobs/bulk', { verb: 'pause', ids: [id, foreign] }, { headers })
        return (body['failed'] as Body[]).map((each) => [each.id, each['name'], each.code, each['message']])
      }
      expect(await ask('en')).toEqual([
        [
          id,
          name,
          'job.status_conflict',
          `Job "${String(name)}" is PAUSED; pause needs ACTIVE or FAULTED or APPROVED.`,
        ],
        [foreign, null, 'forbidden', `You have no access to job "${foreign}".`],
      ])
      const portuguese = await ask('pt-BR')
      expect(portuguese.map(([, , code]) => code)).toEqual(['job.status_conflict', 'forbidden'])
      for (const [, , , message] of portuguese) expect(message).not.toMatch(/needs|You have/)
    })

    it('are run once for a request that is sent again', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const headers = { 'idempotency-key': 'once' }
      for (const _ of [1, 2]) {
        const reply = await a.developer.post('/api/jobs/bulk', { verb: 'execute', ids: [id] }, { headers })
        expect(reply.body).toMatchObject({ done: 1, failed: [] })
      }
      expect((await a.manager.get(`/api/jobs/${id}/historico`)).body.items).toHaveLength(1)
    })

    it.each([
      ['nothing', { verb: 'pause' }, '/ids'],
      ['both', { verb: 'pause', ids: ['0190a4b2-0000-7000-8000-00000000000f'], query: {} }, '/query'],
      ['another verb', { verb: 'approve', query: {} }, '/verb'],
      [
        'too many',
        { verb: 'pause', ids: Array.from({ length: 101 }, () => '0190a4b2-0000-7000-8000-00000000000f') },
        '/ids',
      ],
      ['a search that is none', { verb: 'pause', query: { q: 'x:y' } }, '/query/q'],
    ])('are refused with %s', async (_case, body, pointer) => {
      const reply = await at().company().developer.post('/api/jobs/bulk', body)
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
    })

    it('need the permission of the verb', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const ask = async (verb: string, who = a.developer) =>
        (await who.post('/api/jobs/bulk', { verb, ids: [id] })).status
      expect(await Promise.all(['pause', 'execute', 'delete'].map((verb) => ask(verb, a.manager)))).toEqual([
        403, 403, 403,
      ])
      expect(await ask('delete')).toBe(403)
      expect(await ask('delete', a.admin)).toBe(200)
    })
  })

  describe('the log of an execution', () => {
    it('is read by level and attempt, and downloaded as text', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { failures: 1 } })
      const executionId = await a.executes(id)
      await at().endedAfterRetries(a.admin, executionId)
      const path = `/api/jobs/executions/${executionId}/logs`
      const { body } = await a.developer.get(path)
      expect(body.executionId).toBe(executionId)
      expect(new Set(body.items.map((line) => line['attempt']))).toEqual(new Set([1, 2]))
      const second = (await a.developer.get(`${path}?attempt=2&level=info`)).body.items
      expect(second).toMatchObject([{ attempt: 2, message: 'started', fields: { attempt: 2 } }])
      const page = (await a.developer.get(`${path}?limit=1`)).body
      expect((await a.developer.get(`${path}?after=${page.nextCursor}`)).body.items).toEqual(body.items.slice(1))
      const download = await a.developer.get(`${path}/download?attempt=2&level=info`)
      expect(download.text).toMatch(/^\d{4}-\S+Z INFO started \{"attempt":2\}\n$/)
      expect(Object.fromEntries(download.headers)).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="execution-${executionId}.log"`,
        'x-content-type-options': 'nosniff',
      })
      expect((await a.developer.get(`${path}?level=loud`)).status).toBe(400)
      expect((await a.developer.get(`${path}/download?attempt=0`)).status).toBe(400)
    })
  })
}

import { beforeAll, describe, expect, it } from 'vitest'
import type { Body } from './reply.ts'
import type { Stage } from './stage.ts'

/** RN-JOB-112-06, and the retention of sections 2.4 and 4.3. */
export function describeNinetyDays(at: () => Stage): void {
  /** Runs a job of Pontual's own. */
  async function runs(name: 'pontual.archive' | 'pontual.purge'): Promise<Body> {
    const { admin } = at().operator()
    const [own] = (await admin.get(`/api/jobs?q=${name}`)).body.items
    const { executionId } = (await admin.post(`/api/jobs/${own?.id ?? ''}/executar`)).body
    const read = async () => {
      // Whoever meets others at the tables tries again three seconds later.
      await at().test.advance('3s')
      return (await admin.get(`/api/jobs/executions/${executionId}`)).body
    }
    return await at().until(read, ({ status }) => status !== 'QUEUED' && status !== 'RUNNING')
  }

  describe('RN-JOB-112-06: history goes back 90 days', () => {
    // They run every night, and here are many.
    beforeAll(async () => {
      const { admin } = at().operator()
      const { items } = (await admin.get('/api/jobs?q=pontual.')).body
      expect(items.map(({ name }) => name)).toEqual(['pontual.archive', 'pontual.purge'])
      for (const { id } of items) await admin.post(`/api/jobs/${id}/pausar`)
    })

    it('an execution is seen for 90 days, and from then on by those who ask for the archive', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const { id: executionId } = await a.runs(id)
      const seen = async (query = '') => (await a.manager.get(`/api/jobs/${id}/historico${query}`)).body.items.length
      await at().test.advance('30 days')
      expect(await seen()).toBe(1)
      await at().test.advance(60 * 86_400_000 - 1)
      expect(await seen()).toBe(1)
      expect(await a.reads(id)).toMatchObject({ statistics: { totalExecutions: 1 } })
      await at().test.advance(1)
      expect([await seen(), await seen('?archived=true')]).toEqual([0, 1])
      expect(await a.reads(id)).toMatchObject({ statistics: { totalExecutions: 0 }, lastExecutions: [] })
      await at().test.advance('1 day')
      const path = `/api/jobs/executions/${executionId}`
      expect(await a.manager.get(path)).toMatchObject({ status: 404 })
      expect(await a.manager.get(`${path}?archived=true`)).toMatchObject({ status: 200 })
    })

    it('what is old is in the archive, with its logs and the audit log, and five years are not over', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const { id: executionId } = await a.runs(id)
      // The month is over, and its last day 90 days old.
      await at().test.advance('125 days')
      expect(await runs('pontual.archive')).toMatchObject({ status: 'SUCCESS', output: { postponed: [] } })
      const path = `/api/jobs/executions/${executionId}`
      const missing = await a.manager.get(path, { headers: { 'accept-language': 'pt-BR' } })
      expect(missing).toMatchObject({
        status: 404,
        body: { detail: expect.stringContaining('archived=true') as unknown },
      })
      expect(await a.manager.get(`${path}?archived=true`)).toMatchObject({ status: 200, body: { status: 'SUCCESS' } })
      const logs = `/api/jobs/${id}/logs?executionId=${executionId}`
      expect(await a.developer.get(logs)).toMatchObject({ status: 404 })
      expect((await a.developer.get(`${logs}&archived=true`)).body.items).toMatchObject([{ message: 'started' }])
      expect(await a.audited()).toEqual([])
      expect((await a.audited('&archived=true')).map(({ operation }) => operation)).toEqual([
        'JOBS_JOB_EXECUTE',
        'JOBS_JOB_CREATE',
      ])
      expect((await a.admin.get('/api/jobs/audit-log/verify')).body).toMatchObject({ isIntact: true, entries: 2 })

      expect(await runs('pontual.purge')).toMatchObject({ status: 'SUCCESS', output: { parts: [] } })
      expect(await a.manager.get(`${path}?archived=true`)).toMatchObject({ status: 200 })
    })
  })
}

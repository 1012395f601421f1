import { describe, expect, it } from 'vitest'
import { fieldsOf, type Stage } from './stage.ts'

const PRIORITIES = ['HIGH', 'MEDIUM', 'LOW']

/** Section 2.1: jobs come, change and go. */
export function describeOperations(at: () => Stage, hasTables: boolean): void {
  const now = () => new Date(at().test.now()).toISOString()

  describe('2.1 create', () => {
    it('a job has what it was given, and defaults for the rest', async () => {
      const a = at().company()
      const given = {
        name: 'Importar faturas',
        jobType: 'ImportarFaturas',
        cronExpression: '0 0 1 1 *',
        priority: 'HIGH',
        timeoutMinutes: 45,
        payload: { operator: 'A', months: [1, 2] },
      }
      const reply = await a.developer.post('/api/jobs', given)
      expect(reply).toMatchObject({
        status: 201,
        body: { ...given, requiresTwoStepExecution: false, status: 'ACTIVE' },
      })
      expect(reply.headers.get('location')).toBe(`/api/jobs/${reply.body.id}`)
      expect((await a.manager.get(`/api/jobs/${reply.body.id}`)).body).toMatchObject(reply.body)
      expect(await a.makes()).toMatchObject({ priority: 'MEDIUM', timeoutMinutes: 30, payload: null })
    })

    it.each(['ImportarFaturas', 'LimparCache', 'SincronizarAzureAD', 'DeletarDadosObsoletos'])(
      'a job may be of type %s',
      async (jobType) => {
        expect(await at().company().makes({ jobType })).toMatchObject({ jobType })
      },
    )

    it('a type that nobody runs is refused', async () => {
      const reply = await at()
        .company()
        .developer.post('/api/jobs', fieldsOf({ jobType: 'Inventado' }))
      expect(reply).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/jobType', code: 'job_type_unknown' }] },
      })
    })

    it.each(PRIORITIES)('its priority may be %s', async (priority) => {
      expect(await at().company().makes({ priority })).toMatchObject({ priority })
    })

    it.each([5, 30, 240])('its timeout may be %i minutes', async (timeoutMinutes) => {
      expect(await at().company().makes({ timeoutMinutes })).toMatchObject({ timeoutMinutes })
    })

    it('marked as sensitive it waits for an approval', async () => {
      const job = await at().company().makes({ requiresTwoStepExecution: true })
      expect(job).toMatchObject({ requiresTwoStepExecution: true, status: 'PENDING_APPROVAL' })
    })
  })

  describe('2.1 update', () => {
    it('another cron gives another next execution', async () => {
      const a = at().company()
      const { id, nextExecution } = await a.makes()
      const { body } = await a.developer.put(`/api/jobs/${id}`, { cronExpression: '30 6 15 6 *' })
      expect(nextExecution).toBe('2027-01-01T00:00:00.000Z')
      expect(body).toMatchObject({ cronExpression: '30 6 15 6 *', nextExecution: '2026-06-15T06:30:00.000Z' })
    })

    it('timeout, priority and payload can be changed, and what is not sent stays', async () => {
      const a = at().company()
      const job = await a.makes({ description: 'monthly' })
      const change = { timeoutMinutes: 90, priority: 'LOW', payload: [1, 2] }
      const { body } = await a.developer.put(`/api/jobs/${job.id}`, change)
      const { updatedAt, updatedBy, version, scheduledByUserId } = body
      expect(body).toEqual({ ...job, ...change, updatedAt, updatedBy, version, scheduledByUserId })
      expect(body).toMatchObject({ updatedAt: now(), updatedBy: a.developer.id, version: job.version + 1 })
    })

    it('the job type cannot', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const reply = await a.admin.put(`/api/jobs/${id}`, { jobType: 'LimparCache' })
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/jobType', code: 'read_only_field' }] } })
      expect(await a.reads(id)).toMatchObject({ jobType: 'ImportarFaturas' })
    })
  })

  describe('2.1 view', () => {
    it('a job comes with its statistics and its last executions', async () => {
      const a = at().company()
      const { id } = await a.makes({ retryCount: 0 })
      await a.runs(id)
      await a.runs(id)
      await a.runs(id)
      const failed = await a.runs(id, { payload: { failures: 1 } })
      expect(await a.reads(id)).toMatchObject({
        name: expect.any(String) as unknown,
        jobType: 'ImportarFaturas',
        cronExpression: '0 0 1 1 *',
        status: 'FAULTED',
        statistics: {
          successRate: 0.75,
          totalExecutions: 4,
          succeeded: 3,
          failed: 1,
          meanDurationMs: expect.any(Number) as unknown,
          lastFailure: { executionId: failed.id, errorMessage: 'no answer to attempt 1', at: now() },
        },
        lastExecutions: [{ id: failed.id, status: 'FAILED' }, {}, {}, { executionNumber: 1 }],
      })
    })

    it('its mean duration is that of its executions', async () => {
      const a = at().company()
      const { id } = await a.makes({ retryCount: 0, timeoutMinutes: 5, payload: { isEndless: true } })
      const executionId = await a.executes(id)
      await at().reached(a.admin, executionId, 'RUNNING')
      await at().test.advance('5m')
      await at().ended(a.admin, executionId)
      expect(await a.reads(id)).toMatchObject({ statistics: { meanDurationMs: 300_000, timedOut: 1, successRate: 0 } })
    })

    if (hasTables) {
      it('its history has a hundred executions on a page', async () => {
        const a = at().company()
        await a.admin.put('/api/jobs/settings', { concurrency: 60 })
        const { id } = await a.makes()
        const enqueue = () => a.developer.post('/api/jobs/enqueue', { jobId: id, delayMs: 60_000 })
        for (let round = 0; round < 6; round += 1) await Promise.all(Array.from({ length: 17 }, enqueue))
        const first = (await a.manager.get(`/api/jobs/${id}/historico`)).body
        expect(first.items).toHaveLength(100)
        const rest = (await a.manager.get(`/api/jobs/${id}/historico?cursor=${first.nextCursor}`)).body
        expect(rest).toMatchObject({ items: [{}, {}], nextCursor: null })
        await a.developer.post(`/api/jobs/${id}/cancelar`)
      })
    }
  })

  describe('2.1 delete', () => {
    it('a deleted job is DELETED, out of lists, fires no more, and keeps its history', async () => {
      const a = at().company()
      const { id } = await a.makes({ cronExpression: '* * * * *' })
      const { id: executionId } = await a.runs(id)
      const reply = await a.admin.delete(`/api/jobs/${id}`)
      expect([reply.status, reply.text]).toEqual([204, ''])
      const deletedAt = now()
      await at().test.advance('3m')
      expect(await a.reads(id)).toMatchObject({
        status: 'DELETED',
        deletedAt,
        deletedBy: a.admin.id,
        nextExecution: null,
      })
      expect((await a.admin.get('/api/jobs')).body.items).toEqual([])
      expect((await a.admin.get(`/api/jobs/${id}/historico`)).body.items).toMatchObject([{ id: executionId }])
      expect((await a.admin.get(`/api/jobs/${id}/logs`)).body.items).not.toEqual([])
    })
  })
}

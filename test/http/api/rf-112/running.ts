import { describe, expect, it } from 'vitest'
import type { Stage } from './stage.ts'

/** Sections 2.2 to 2.4: running jobs, and seeing what became of it. */
export function describeRunning(at: () => Stage): void {
  const now = () => new Date(at().test.now()).toISOString()

  describe('2.2 execute now', () => {
    it('a job runs at once, whatever its cron says, and its history calls it manual', async () => {
      const a = at().company()
      const { id, nextExecution } = await a.makes()
      const { status, body } = await a.developer.post(`/api/jobs/${id}/executar`)
      expect([status, body['notice']]).toEqual([202, null])
      await at().ended(a.admin, body.executionId)
      expect((await a.admin.get(`/api/jobs/${id}/historico`)).body.items).toMatchObject([
        { id: body.executionId, status: 'SUCCESS', origin: 'manual', executedBy: a.developer.id },
      ])
      expect(await a.reads(id)).toMatchObject({ nextExecution })
    })

    it('what fires by itself is nobody’s', async () => {
      const a = at().company()
      const { id } = await a.makes({ cronExpression: '* * * * *' })
      await at().test.advance('1m')
      const history = async () => (await a.admin.get(`/api/jobs/${id}/historico`)).body.items
      const [execution] = await at().until(history, ({ length }) => length > 0)
      expect(await at().ended(a.admin, execution?.id ?? '')).toMatchObject({ origin: 'schedule', executedBy: null })
      await a.admin.delete(`/api/jobs/${id}`)
    })

    it('it may be given another payload and priority, once', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { month: 1 } })
      const ended = await a.runs(id, { payload: { month: 2 }, priority: 'HIGH' })
      expect(ended).toMatchObject({ payload: { month: 2 }, priority: 'HIGH' })
      expect(await a.reads(id)).toMatchObject({ payload: { month: 1 }, priority: 'MEDIUM' })
    })

    it('enqueued it waits as long as it is told', async () => {
      const a = at().company()
      const { id, name } = await a.makes()
      const runAt = new Date(at().test.now() + 120_000).toISOString()
      const later = await a.developer.post('/api/jobs/enqueue', { jobName: name, runAt, payload: { month: 3 } })
      const sooner = await a.developer.post('/api/jobs/enqueue', { jobId: id, delayMs: 60_000 })
      expect([later.status, sooner.status]).toEqual([202, 202])
      await at().test.advance('1m')
      await at().ended(a.admin, sooner.body.executionId)
      expect((await a.admin.get(`/api/jobs/executions/${later.body.executionId}`)).body.status).toBe('QUEUED')
      await at().test.advance('1m')
      expect(await at().ended(a.admin, later.body.executionId)).toMatchObject({
        status: 'SUCCESS',
        payload: { month: 3 },
      })
    })

    it('a job type that is declared enqueueable runs without a job, and the audit log names the caller', async () => {
      const a = at().company()
      const { status, body } = await a.developer.post('/api/jobs/enqueue', {
        jobType: 'Exportar',
        payload: { year: 1 },
      })
      expect([status, body['notice']]).toEqual([202, null])
      expect(await at().ended(a.admin, body.executionId)).toMatchObject({
        status: 'SUCCESS',
        jobId: null,
        jobType: 'Exportar',
        origin: 'manual',
        executedBy: a.developer.id,
      })
      const audited = await a.admin.get(`/api/jobs/audit-log?executionId=${body.executionId}`)
      expect(audited.body.items).toMatchObject([
        { operation: 'JOBS_JOB_EXECUTE', userId: a.developer.id, jobId: null, newValues: { jobType: 'Exportar' } },
      ])
    })

    it('other job types are refused, and those that a sensitive job of the tenant uses', async () => {
      const a = at().company()
      const enqueue = async (jobType: string) => {
        const { status, body } = await a.developer.post('/api/jobs/enqueue', { jobType })
        return [status, body.code]
      }
      expect(await enqueue('LimparCache')).toEqual([403, 'job_type.not_enqueueable'])
      expect(await enqueue('DeletarDadosObsoletos')).toEqual([403, 'job_type.sensitive'])
      expect(await enqueue('Exportra')).toEqual([400, 'validation_failed'])
      expect((await a.manager.post('/api/jobs/enqueue', { jobType: 'Exportar' })).status).toBe(403)
      await a.makes({ jobType: 'Exportar', requiresTwoStepExecution: true })
      expect(await enqueue('Exportar')).toEqual([403, 'job_type.sensitive'])
    })

    it('an idempotency key in the body enqueues once', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const body = { jobId: id, idempotencyKey: 'march' }
      const first = await a.developer.post('/api/jobs/enqueue', body)
      const second = await a.developer.post('/api/jobs/enqueue', body)
      expect([first.body['isNew'], second.body['isNew']]).toEqual([true, false])
      expect(second.body.executionId).toBe(first.body.executionId)
      const other = await a.developer.post('/api/jobs/enqueue', { ...body, payload: { month: 4 } })
      expect(other.status).toBe(422)
    })
  })

  describe('2.2 pause and resume', () => {
    it('a paused job does not fire, and keeps its history', async () => {
      const a = at().company()
      const { id } = await a.makes({ cronExpression: '* * * * *' })
      await at().test.advance('1m')
      const history = async () => (await a.admin.get(`/api/jobs/${id}/historico`)).body.items
      await at().until(history, ({ length }) => length === 1)
      const paused = await a.developer.post(`/api/jobs/${id}/pausar`, { reason: 'migration' })
      expect(paused).toMatchObject({
        status: 200,
        body: { status: 'PAUSED', statusReason: 'migration', nextExecution: null },
      })
      await at().test.advance('5m')
      expect(await history()).toHaveLength(1)
      await a.admin.delete(`/api/jobs/${id}`)
    })

    it('a resumed one fires from then on', async () => {
      const a = at().company()
      const { id } = await a.makes({ cronExpression: '0 * * * *' })
      await a.developer.post(`/api/jobs/${id}/pausar`)
      await at().test.advance('3h')
      const resumed = await a.developer.post(`/api/jobs/${id}/retomar`)
      const nextHour = new Date(Math.floor(at().test.now() / 3_600_000 + 1) * 3_600_000).toISOString()
      expect(resumed).toMatchObject({ status: 200, body: { status: 'ACTIVE', nextExecution: nextHour } })
      await at().test.advance('1h')
      const history = async () => (await a.admin.get(`/api/jobs/${id}/historico`)).body.items
      expect(await at().until(history, ({ length }) => length > 0)).toMatchObject([{ scheduledAt: nextHour }])
      await a.admin.delete(`/api/jobs/${id}`)
    })

    it('a pause may end by itself', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const until = new Date(at().test.now() + 600_000).toISOString()
      const paused = await a.developer.post(`/api/jobs/${id}/pausar`, { until })
      expect(paused.body).toMatchObject({ status: 'PAUSED', pausedUntil: until })
      await at().test.advance('10m')
      const resumed = await at().until(
        () => a.reads(id),
        ({ status }) => status === 'ACTIVE',
      )
      expect(resumed).toMatchObject({ pausedUntil: null })
    })
  })

  describe('2.2 cancel', () => {
    it('a running execution is CANCELLED, and its worker is free', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { isEndless: true } })
      const executionId = await a.executes(id)
      await at().reached(a.admin, executionId, 'RUNNING')
      const reply = await a.developer.post(`/api/jobs/${id}/cancelar`, { executionId, reason: 'wrong month' })
      expect(reply).toMatchObject({ status: 202, body: { cancelled: [executionId] } })
      await at().test.advance('10s')
      expect(await at().ended(a.admin, executionId)).toMatchObject({ status: 'CANCELLED' })
      expect((await a.admin.get('/api/jobs/workers')).body).toMatchObject({ running: 0 })
      expect(await a.reads(id)).toMatchObject({ status: 'ACTIVE' })
    })

    it('without an execution all of the job’s are, those in the queue included', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { isEndless: true } })
      const running = await a.executes(id)
      await at().reached(a.admin, running, 'RUNNING')
      const queued = (await a.developer.post('/api/jobs/enqueue', { jobId: id, delayMs: 60_000 })).body.executionId
      const { body } = await a.developer.post(`/api/jobs/${id}/cancelar`)
      expect((body['cancelled'] as string[]).toSorted()).toEqual([running, queued].toSorted())
      for (const each of [running, queued])
        expect(await at().ended(a.admin, each)).toMatchObject({ status: 'CANCELLED' })
    })

    it('what has ended cannot be', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const { id: executionId } = await a.runs(id)
      expect(await a.developer.post(`/api/jobs/${id}/cancelar`, { executionId })).toMatchObject({ status: 409 })
      expect(await a.developer.post(`/api/jobs/executions/${executionId}/cancel`)).toMatchObject({ status: 409 })
    })
  })

  describe('2.3 approval', () => {
    it('one schedules, another approves, a third executes, each with one permission more than to read', async () => {
      const a = at().company()
      const scheduler = a.person('Developer', ['jobs:read', 'jobs:create', 'jobs:schedule'])
      const approver = a.person('Admin', ['jobs:read', 'jobs:approve', 'jobs:execute'])
      const executor = a.person('Developer', ['jobs:read', 'jobs:execute'])
      const job = await a.makes({ jobType: 'DeletarDadosObsoletos' }, scheduler)
      expect(job).toMatchObject({ status: 'PENDING_APPROVAL', scheduledByUserId: scheduler.id })
      expect(await scheduler.post(`/api/jobs/${job.id}/approve`)).toMatchObject({ status: 403 })
      expect(await executor.post(`/api/jobs/${job.id}/executar`)).toMatchObject({ status: 409 })
      expect(await approver.post(`/api/jobs/${job.id}/approve`)).toMatchObject({
        status: 200,
        body: { status: 'APPROVED', approvedByUserId: approver.id },
      })
      expect(await scheduler.post(`/api/jobs/${job.id}/executar`)).toMatchObject({ status: 403 })
      const { body } = await executor.post(`/api/jobs/${job.id}/executar`)
      expect(await at().ended(a.admin, body.executionId)).toMatchObject({ status: 'SUCCESS', executedBy: executor.id })
    })
  })

  describe('2.4 dashboard', () => {
    it('tells what runs, workers used and possible, the queue, and the success of the last day', async () => {
      const a = at().company()
      await a.admin.put('/api/jobs/settings', { concurrency: 2 })
      const done = await a.makes({ retryCount: 0 })
      for (const payload of [{}, {}, {}, { failures: 1 }]) await a.runs(done.id, { payload })
      const endless = await a.makes({ payload: { isEndless: true } })
      for (let made = 0; made < 3; made += 1) await a.executes(endless.id)
      const dashboard = async () => (await a.developer.get('/api/jobs/dashboard')).body
      const body = await at().until(dashboard, ({ running }) => running === 2)
      expect(body).toMatchObject({
        running: 2,
        queued: 1,
        workers: { used: 2, maximum: 2 },
        jobs: { ACTIVE: 1, FAULTED: 1 },
        last24Hours: { successRate: 0.75, succeeded: 3, failed: 1, timedOut: 0, cancelled: 0 },
      })
      await a.developer.post(`/api/jobs/${endless.id}/cancelar`)
    })
  })

  describe('2.4 history', () => {
    it.each<[string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
      ['SUCCESS', {}, { errorMessage: null, durationMs: 0, duration: 0 }],
      ['FAILED', { failures: 1 }, { errorMessage: 'no answer to attempt 1', durationMs: 0, duration: 0 }],
      ['TIMEOUT', { isEndless: true }, { durationMs: 300_000, duration: 300 }],
      ['CANCELLED', { isEndless: true }, { durationMs: 60_000, duration: 60 }],
    ])(
      'an execution that ended as %s has its times, its duration in seconds and its error',
      async (status, payload, expected) => {
        const a = at().company()
        const { id } = await a.makes({ retryCount: 0, timeoutMinutes: 5, payload })
        const startedAt = now()
        const executionId = await a.executes(id)
        if (payload['isEndless']) await at().reached(a.admin, executionId, 'RUNNING')
        if (status === 'CANCELLED') {
          await at().test.advance('1m')
          await a.developer.post(`/api/jobs/${id}/cancelar`)
        }
        if (status === 'TIMEOUT') await at().test.advance('5m')
        await at().ended(a.admin, executionId)
        const completedAt = new Date(Date.parse(startedAt) + (expected['durationMs'] as number)).toISOString()
        expect((await a.manager.get(`/api/jobs/${id}/historico`)).body.items).toMatchObject([
          { id: executionId, status, startedAt, completedAt, ...expected },
        ])
        expect((await a.manager.get(`/api/jobs/${id}/historico?status=${status}`)).body.items).toHaveLength(1)
        expect((await a.manager.get(`/api/jobs/${id}/historico?status=QUEUED,RUNNING`)).body.items).toEqual([])
      },
    )
  })

  describe('2.4 logs', () => {
    it('are structured, and belong to an execution', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const first = await a.runs(id)
      const second = await a.runs(id)
      const line = {
        sequence: expect.any(Number) as unknown,
        attempt: 1,
        level: 'info',
        message: 'started',
        fields: { attempt: 1 },
      }
      const read = async (query = '') => (await a.developer.get(`/api/jobs/${id}/logs${query}`)).body
      expect(await read()).toMatchObject({ executionId: second.id, items: [line] })
      expect(await read(`?executionId=${first.id}`)).toMatchObject({ executionId: first.id, items: [line] })
      expect(await read('?level=error')).toMatchObject({ items: [] })
      const sequence = String((await read()).items[0]?.['sequence'])
      expect(await read(`?after=${sequence}`)).toMatchObject({ items: [] })
    })

    it('those of every attempt are there', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { failures: 1 } })
      const executionId = await a.executes(id)
      await at().endedAfterRetries(a.admin, executionId)
      const { items } = (await a.developer.get(`/api/jobs/${id}/logs`)).body
      expect(items.filter(({ message }) => message === 'started').map(({ attempt }) => attempt)).toEqual([1, 2])
    })
  })
}

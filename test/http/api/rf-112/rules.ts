import { describe, expect, it } from 'vitest'
import { type Company, fieldsOf, type Stage } from './stage.ts'

/** The rules of the requirement, but those on retention and notification. */
export function describeRules(at: () => Stage): void {
  describe('RN-JOB-112-01: a job’s name is unique within its tenant', () => {
    const named = (company: Company) => company.developer.post('/api/jobs', fieldsOf({ name: 'ImportarFaturas' }))

    it('tenants A and B each have a job "ImportarFaturas"', async () => {
      const [a, b] = [at().company(), at().company()]
      expect(await named(a)).toMatchObject({ status: 201, body: { name: 'ImportarFaturas', clienteId: a.id } })
      expect(await named(b)).toMatchObject({ status: 201, body: { name: 'ImportarFaturas', clienteId: b.id } })
    })

    it('tenant A gets 409 for a second one', async () => {
      const a = at().company()
      await named(a)
      expect(await named(a)).toMatchObject({ status: 409, body: { code: 'job.name_taken' } })
      expect((await a.admin.get('/api/jobs')).body.items).toHaveLength(1)
    })

    it('of several who ask at once one gets it', async () => {
      const a = at().company()
      const replies = await Promise.all(Array.from({ length: 8 }, () => named(a)))
      const statuses = replies.map(({ status }) => status)
      expect(statuses.toSorted((x, y) => x - y)).toEqual([201, ...Array.from({ length: 7 }, () => 409)])
    })

    it('no other job can be given it', async () => {
      const a = at().company()
      await named(a)
      const { id } = await a.makes()
      const put = await a.developer.put(`/api/jobs/${id}`, { name: 'ImportarFaturas' })
      expect(put).toMatchObject({ status: 409, body: { code: 'job.name_taken' } })
    })

    it('the name of a deleted job is free', async () => {
      const a = at().company()
      const { body } = await named(a)
      await a.admin.delete(`/api/jobs/${body.id}`)
      expect(await named(a)).toMatchObject({ status: 201 })
    })
  })

  describe('RN-JOB-112-02: a cron expression is valid', () => {
    it.each<[string, string]>([
      ['0 2 * * *', '2026-01-01T02:00:00.000Z'],
      ['0 0 * * 0', '2026-01-04T00:00:00.000Z'],
    ])('%s is taken', async (cronExpression, first) => {
      const a = at().company()
      const from = new Date(at().test.now()).toISOString()
      const { body } = await a.developer.post('/api/jobs', fieldsOf({ cronExpression }))
      expect(body).toMatchObject({ cronExpression, status: 'ACTIVE' })
      // Whatever the day of the test: at that time of day, or of week.
      const next = Date.parse(body['nextExecution'] as string)
      const cycle = cronExpression.endsWith('0') ? 7 * 86_400_000 : 86_400_000
      expect((next - Date.parse(first)) % cycle).toBe(0)
      expect(next).toBeGreaterThan(Date.parse(from))
      await a.admin.delete(`/api/jobs/${body.id}`)
    })

    it.each<[string, string, RegExp]>([
      ['2 0 * *', 'has 4 fields', /5 fields|4 fields|got 4/i],
      ['60 * * * *', 'has a minute 60', /minute.*0-59.*60/i],
      ['abc', 'is none', /field/i],
    ])('%s is refused with 400 and why: it %s', async (cronExpression, _why, message) => {
      const a = at().company()
      const reply = await a.developer.post('/api/jobs', fieldsOf({ cronExpression }))
      expect(reply).toMatchObject({ status: 400, body: { code: 'job.cron_invalid' } })
      expect(reply.body.errors).toMatchObject([
        { pointer: '/cronExpression', message: expect.stringMatching(message) as unknown },
      ])
      expect((await a.admin.get('/api/jobs')).body.items).toEqual([])
    })

    it('an update with such a one is refused, and changes nothing', async () => {
      const a = at().company()
      const before = await a.makes()
      const put = await a.developer.put(`/api/jobs/${before.id}`, { cronExpression: '60 * * * *', priority: 'HIGH' })
      expect(put).toMatchObject({ status: 400, body: { code: 'job.cron_invalid' } })
      expect(await a.reads(before.id)).toMatchObject(before)
    })
  })

  describe('RN-JOB-112-03: what fails is tried again after 1, 2 and 4 minutes', () => {
    it('the fourth failure marks the job as faulted', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { failures: 4 } })
      const begun = at().test.now()
      const executionId = await a.executes(id)
      const attempts = async () => {
        const { body } = await a.admin.get(`/api/jobs/executions/${executionId}`)
        return (body['attempts'] as unknown[]).length
      }
      for (const [index, minutes] of [1, 2, 4].entries()) {
        const waiting = await at().reached(a.admin, executionId, 'QUEUED')
        const nextRetryAt = new Date(at().test.now() + minutes * 60_000).toISOString()
        expect(waiting).toMatchObject({ retryCount: index, nextRetryAt, executionNumber: null })
        expect(await a.reads(id)).toMatchObject({ status: 'ACTIVE' })
        await at().test.advance(minutes * 60_000 - 1)
        expect(await at().reached(a.admin, executionId, 'QUEUED')).toMatchObject({ retryCount: index })
        await at().test.advance(1)
        await at().until(attempts, (count) => count === index + 2)
      }
      const ended = await at().ended(a.admin, executionId)
      expect(ended).toMatchObject({ status: 'FAILED', retryCount: 3, errorMessage: 'no answer to attempt 4' })
      expect((ended['attempts'] as Body[]).map((each) => Date.parse(each['startedAt'] as string) - begun)).toEqual([
        0, 60_000, 180_000, 420_000,
      ])
      expect(await a.reads(id)).toMatchObject({ status: 'FAULTED', nextExecution: null })
    })

    it('the third retry may succeed, and then nothing is faulted', async () => {
      const a = at().company()
      const { id } = await a.makes({ payload: { failures: 3 } })
      const executionId = await a.executes(id)
      const ended = await at().endedAfterRetries(a.admin, executionId)
      expect(ended).toMatchObject({ status: 'SUCCESS', retryCount: 3 })
      expect(await a.reads(id)).toMatchObject({ status: 'ACTIVE' })
    })
  })

  describe('RN-JOB-112-04: an execution has 30 minutes, or what its job says', () => {
    it.each<[string, number | undefined, number]>([
      ['ImportarFaturas', undefined, 30],
      ['LimparCache', 5, 5],
      ['SincronizarAzureAD', 120, 120],
    ])('%s with a timeout of %s has %i minutes', async (jobType, timeoutMinutes, expected) => {
      const job = await at()
        .company()
        .makes({ jobType, ...(timeoutMinutes && { timeoutMinutes }) })
      expect(job).toMatchObject({ jobType, timeoutMinutes: expected })
    })

    it.each([4, 241, 5.5, 0, -30])('%f minutes are refused', async (timeoutMinutes) => {
      const reply = await at().company().developer.post('/api/jobs', fieldsOf({ timeoutMinutes }))
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: '/timeoutMinutes' }] } })
    })

    it.each<[number | undefined, number]>([
      [undefined, 30],
      [5, 5],
    ])(
      'one that says %s is ended as TIMEOUT after %i minutes, and its worker is free',
      async (timeoutMinutes, after) => {
        const a = at().company()
        const { id } = await a.makes({
          retryCount: 0,
          payload: { isEndless: true },
          ...(timeoutMinutes && { timeoutMinutes }),
        })
        const executionId = await a.executes(id)
        await at().reached(a.admin, executionId, 'RUNNING')
        expect((await a.admin.get('/api/jobs/workers')).body).toMatchObject({ running: 1 })
        await at().test.advance(after * 60_000 - 1)
        await at().reached(a.admin, executionId, 'RUNNING')
        await at().test.advance(1)
        const ended = await at().ended(a.admin, executionId)
        expect(ended).toMatchObject({ status: 'TIMEOUT', durationMs: after * 60_000 })
        expect((await a.admin.get('/api/jobs/workers')).body).toMatchObject({ running: 0 })
      },
    )
  })

  describe('RN-JOB-112-05: ten executions of a tenant run at once', () => {
    it('ten run, the eleventh waits for one of them, and another tenant has ten of its own', async () => {
      const [a, b] = [at().company(), at().company()]
      const start = async (company: Company, count: number) => {
        const { id } = await company.makes({ payload: { isEndless: true } })
        const replies = []
        for (let made = 0; made < count; made += 1)
          replies.push((await company.developer.post(`/api/jobs/${id}/executar`)).body)
        await at().test.settle()
        return { id, replies }
      }
      const ofA = await start(a, 10)
      for (const { executionId } of ofA.replies) await at().reached(a.admin, executionId, 'RUNNING')
      expect((await a.admin.get('/api/jobs/workers')).body).toMatchObject({ cap: 10, running: 10, queued: 0 })

      const eleventh = await a.developer.post(`/api/jobs/${ofA.id}/executar`)
      expect(eleventh).toMatchObject({ status: 202, body: { notice: 'maxWorkersExceeded' } })
      await at().test.advance('1m')
      const full = { running: 10, queued: 1, queues: [{ queue: 'default', queued: 1 }] }
      expect((await a.admin.get('/api/jobs/workers')).body).toMatchObject(full)

      const ofB = await start(b, 10)
      for (const { executionId } of ofB.replies) await at().reached(b.admin, executionId, 'RUNNING')
      expect((await b.admin.get('/api/jobs/workers')).body).toMatchObject({ cap: 10, running: 10, queued: 0 })

      await a.developer.post(`/api/jobs/${ofA.id}/cancelar`, { executionId: ofA.replies[0]?.executionId })
      await at().test.advance('10s')
      await at().reached(a.admin, eleventh.body.executionId, 'RUNNING')
      expect((await a.admin.get('/api/jobs/workers')).body).toMatchObject({ running: 10, queued: 0 })
      for (const [company, { id }] of [
        [a, ofA],
        [b, ofB],
      ] as const)
        await company.developer.post(`/api/jobs/${id}/cancelar`)
    })

    it('a tenant may be given more or fewer', async () => {
      const a = at().company()
      await a.admin.put('/api/jobs/settings', { concurrency: 2 })
      const { id } = await a.makes({ payload: { isEndless: true } })
      for (let made = 0; made < 3; made += 1) await a.executes(id)
      const workers = async () => (await a.admin.get('/api/jobs/workers')).body
      await at().until(workers, ({ running }) => running === 2)
      await at().test.advance('1m')
      expect(await workers()).toMatchObject({ cap: 2, running: 2, queued: 1 })
      await a.developer.post(`/api/jobs/${id}/cancelar`)
    })
  })
}

type Body = Readonly<Record<string, unknown>>

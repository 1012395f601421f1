import { describe, expect, it } from 'vitest'
import { fieldsOf, once, type Stage } from './stage.ts'

/** The rules on who sees, who decides, and what is kept of it. */
export function describeRulesOfPeople(at: () => Stage, hasTables: boolean): void {
  describe('RN-JOB-112-08: what is a tenant’s is no other’s', () => {
    it('each sees its own job of the same name, and no other', async () => {
      const [a, b] = [at().company(), at().company()]
      const ofA = await a.makes({ name: 'ImportarFaturas' })
      const ofB = await b.makes({ name: 'ImportarFaturas' })
      for (const [company, { id }] of [
        [a, ofA],
        [b, ofB],
      ] as const) {
        expect((await company.manager.get('/api/jobs')).body.items).toMatchObject([{ id, clienteId: company.id }])
        expect((await company.manager.get('/api/jobs?q=ImportarFaturas')).body.items).toMatchObject([{ id }])
      }
    })

    /** A job of one tenant, for another to ask for. */
    const prepare = once(async () => {
      const [a, b] = [at().company(), at().company()]
      const job = await a.makes()
      return { a, b, job, executionId: (await a.runs(job.id)).id }
    })

    if (hasTables) {
      it.each<[method: string, path: string, body?: unknown]>([
        ['GET', '/api/jobs/{id}'],
        ['PUT', '/api/jobs/{id}', { priority: 'HIGH' }],
        ['DELETE', '/api/jobs/{id}'],
        ['POST', '/api/jobs/{id}/executar'],
        ['POST', '/api/jobs/{id}/pausar'],
        ['POST', '/api/jobs/{id}/retomar'],
        ['POST', '/api/jobs/{id}/cancelar'],
        ['POST', '/api/jobs/{id}/retry'],
        ['POST', '/api/jobs/{id}/approve'],
        ['POST', '/api/jobs/{id}/reject', { reason: 'no' }],
        ['GET', '/api/jobs/{id}/historico'],
        ['GET', '/api/jobs/{id}/logs'],
        ['GET', '/api/jobs/{id}/nextExecution'],
        ['POST', '/api/jobs/{id}/validate-cron', { cronExpression: '* * * * *' }],
        ['POST', '/api/jobs/enqueue', { jobId: '{id}' }],
        ['GET', '/api/jobs/executions?jobId={id}'],
        ['GET', '/api/jobs/executions/{executionId}'],
        ['GET', '/api/jobs/executions/{executionId}/logs/stream'],
        ['POST', '/api/jobs/executions/{executionId}/cancel'],
        ['POST', '/api/jobs/simulate', { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', jobId: '{id}' }],
      ])('another tenant gets 403 for %s %s', async (method, path, body) => {
        const { a, b, job, executionId } = await prepare()
        const filled = (text: string) => text.replace('{id}', job.id).replace('{executionId}', executionId)
        const sent = body === undefined ? undefined : (JSON.parse(filled(JSON.stringify(body))) as unknown)
        const reply = await b.admin.ask(method, filled(path), { body: sent })
        expect(reply).toMatchObject({ status: 403, body: { code: 'forbidden' } })
        expect(reply.text).not.toContain(job['name'])
        expect(await a.reads(job.id)).toMatchObject({ version: job.version, status: 'ACTIVE' })
      })
    }

    it('nothing else of it shows: executions, audit log, counters, calendars, settings, keys', async () => {
      const [a, b] = [at().company(), at().company()]
      const { id } = await a.makes()
      await a.runs(id)
      await a.admin.put('/api/jobs/calendars/feriados', { definition: { type: 'holiday', dates: ['2026-12-25'] } })
      await a.admin.put('/api/jobs/settings', { language: 'en', concurrency: 3 })
      await a.admin.post('/api/jobs/api-keys', { name: 'robot', profile: 'Manager' })
      const answers = await Promise.all(
        ['executions', 'audit-log', 'calendars', 'api-keys'].map((list) => b.admin.get(`/api/jobs/${list}`)),
      )
      expect(answers.map(({ body }) => body.items)).toEqual([[], [], [], []])
      expect((await b.admin.get('/api/jobs/settings')).body).toMatchObject({ language: 'pt-BR', concurrency: null })
      expect((await b.admin.get('/api/jobs/dashboard')).body).toMatchObject({ jobs: {}, last24Hours: { succeeded: 0 } })
    })
  })

  describe('RN-JOB-112-09: a sensitive job needs two people', () => {
    const SENSITIVE = { name: 'DeletarDadosObsoletos', jobType: 'DeletarDadosObsoletos' }

    it('it is created as PENDING_APPROVAL, and neither fires nor can be executed', async () => {
      const a = at().company()
      const job = await a.makes({ ...SENSITIVE, cronExpression: '* * * * *' })
      expect(job).toMatchObject({ status: 'PENDING_APPROVAL', requiresTwoStepExecution: true, nextExecution: null })
      await at().test.advance('3m')
      expect((await a.admin.get(`/api/jobs/${job.id}/historico`)).body.items).toEqual([])
      expect(await a.developer.post(`/api/jobs/${job.id}/executar`)).toMatchObject({
        status: 409,
        body: { code: 'job.status_conflict' },
      })
    })

    it('whoever may execute and approve makes it APPROVED, and is named', async () => {
      const a = at().company()
      const { id } = await a.makes(SENSITIVE)
      const approved = await a.approver.post(`/api/jobs/${id}/approve`, { comment: 'agreed' })
      expect(approved).toMatchObject({
        status: 200,
        body: {
          status: 'APPROVED',
          approvedByUserId: a.approver.id,
          approvedAt: new Date(at().test.now()).toISOString(),
        },
      })
    })

    it('then the approver executes it', async () => {
      const a = at().company()
      const { id } = await a.makesApproved(SENSITIVE)
      const { status, body } = await a.approver.post(`/api/jobs/${id}/executar`)
      expect(status).toBe(202)
      expect(await at().ended(a.admin, body.executionId)).toMatchObject({
        status: 'SUCCESS',
        executedBy: a.approver.id,
      })
    })

    it('whoever may not execute gets 403 for approving', async () => {
      const a = at().company()
      const { id } = await a.makes(SENSITIVE)
      const b = a.person('Admin', ['jobs:read', 'jobs:approve'])
      expect(await b.post(`/api/jobs/${id}/approve`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      expect(await a.reads(id)).toMatchObject({ status: 'PENDING_APPROVAL', approvedByUserId: null })
    })

    it('whoever may not approve gets 403 for it as well', async () => {
      const a = at().company()
      const { id } = await a.makes(SENSITIVE)
      for (const b of [a.developer, a.manager, a.person('Admin', ['jobs:read', 'jobs:execute'])]) {
        expect(await b.post(`/api/jobs/${id}/approve`)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
      }
    })

    it('who scheduled it is not who approves it, unless the tenant allows it', async () => {
      const a = at().company()
      const { id } = await a.makes(SENSITIVE, a.admin)
      const own = () => a.admin.post(`/api/jobs/${id}/approve`)
      expect(await own()).toMatchObject({ status: 403, body: { code: 'self_approval_forbidden' } })
      await a.admin.put('/api/jobs/settings', { allowsSelfApproval: true })
      expect(await own()).toMatchObject({ status: 403 })
      expect(await a.approver.post('/api/jobs/settings/approve')).toMatchObject({ status: 200 })
      expect(await own()).toMatchObject({ status: 200, body: { status: 'APPROVED' } })
    })

    it('creating and rescheduling one needs jobs:schedule', async () => {
      const a = at().company()
      const b = a.person('Developer', ['jobs:read', 'jobs:create', 'jobs:update'])
      expect(await b.post('/api/jobs', fieldsOf(SENSITIVE))).toMatchObject({ status: 403 })
      expect(await b.post('/api/jobs', fieldsOf({ requiresTwoStepExecution: true }))).toMatchObject({ status: 403 })
      expect(await b.post('/api/jobs', fieldsOf())).toMatchObject({ status: 201 })
      const { id } = await a.makes(SENSITIVE)
      expect(await b.put(`/api/jobs/${id}`, { cronExpression: '0 3 * * *' })).toMatchObject({ status: 403 })
      expect(await b.put(`/api/jobs/${id}`, { description: 'by month' })).toMatchObject({ status: 200 })
    })

    it.each<[string, string, Readonly<Record<string, unknown>>]>([
      ['another cron', 'PENDING_APPROVAL', { cronExpression: '0 3 * * *' }],
      ['another payload', 'PENDING_APPROVAL', { payload: { months: 6 } }],
      ['another name', 'PENDING_APPROVAL', { name: 'another name' }],
      ['another timeout', 'PENDING_APPROVAL', { timeoutMinutes: 60 }],
      ['another priority', 'PENDING_APPROVAL', { priority: 'HIGH' }],
      ['another description', 'APPROVED', { description: 'by month' }],
      ['other tags', 'APPROVED', { tags: ['cleaning'] }],
    ])('with %s an approved one is %s', async (_what, status, change) => {
      const a = at().company()
      const { id } = await a.makesApproved(SENSITIVE)
      const { body } = await a.developer.put(`/api/jobs/${id}`, change)
      expect(body).toMatchObject({ status, approvedByUserId: status === 'APPROVED' ? a.approver.id : null })
    })

    it('what runs is the payload that was approved', async () => {
      const a = at().company()
      const { id } = await a.makesApproved({ ...SENSITIVE, payload: { months: 12 } })
      const other = await a.developer.post(`/api/jobs/${id}/executar`, { payload: { months: 0 } })
      expect(other).toMatchObject({ status: 409, body: { code: 'job.payload_not_approved' } })
      expect(await a.runs(id)).toMatchObject({ status: 'SUCCESS', payload: { months: 12 } })
    })

    it('a second person may say no, which disables it', async () => {
      const a = at().company()
      const { id } = await a.makes(SENSITIVE)
      expect(await a.approver.post(`/api/jobs/${id}/reject`)).toMatchObject({ status: 400 })
      const rejected = await a.approver.post(`/api/jobs/${id}/reject`, { reason: 'too many' })
      expect(rejected).toMatchObject({ status: 200, body: { status: 'DISABLED', statusReason: 'too many' } })
    })
  })

  describe('RN-JOB-112-10: every operation is in the audit log', () => {
    it('CREATE: who, and what', async () => {
      const a = at().company()
      const { id } = await a.makes({ name: 'ImportarFaturas' })
      expect(await a.audited()).toMatchObject([
        {
          operation: 'JOBS_JOB_CREATE',
          operationType: 'CREATE',
          userId: a.developer.id,
          clienteId: a.id,
          jobId: id,
          oldValues: null,
          newValues: { name: 'ImportarFaturas' },
          timestamp: new Date(at().test.now()).toISOString(),
        },
      ])
    })

    it('UPDATE: what it was, and what it is', async () => {
      const a = at().company()
      const { id } = await a.makes()
      await a.admin.put(`/api/jobs/${id}`, { timeoutMinutes: 60 })
      const [entry] = await a.audited()
      expect(entry).toMatchObject({
        operationType: 'UPDATE',
        userId: a.admin.id,
        oldValues: { timeoutMinutes: 30 },
        newValues: { timeoutMinutes: 60 },
      })
    })

    it('EXECUTE: when', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const { id: executionId } = await a.runs(id)
      const [entry] = await a.audited()
      const timestamp = new Date(at().test.now()).toISOString()
      expect(entry).toMatchObject({ operationType: 'EXECUTE', jobId: id, executionId, timestamp })
    })

    it('FAIL: why', async () => {
      const a = at().company()
      const { id } = await a.makes({ retryCount: 0, payload: { failures: 1 } })
      await a.runs(id)
      const [entry] = await a.audited()
      expect(entry).toMatchObject({ operationType: 'FAIL', newValues: { errorMessage: 'no answer to attempt 1' } })
    })

    it('nobody can change or take away an entry', async () => {
      const a = at().company()
      await a.makes()
      const [entry] = await a.audited()
      for (const method of ['PUT', 'PATCH', 'DELETE', 'POST']) {
        for (const path of ['/api/jobs/audit-log', `/api/jobs/audit-log/${entry?.['sequence'] as number}`]) {
          expect([404, 405]).toContain((await a.admin.ask(method, path)).status)
        }
      }
      expect(await a.audited()).toEqual([entry])
    })

    it('entries form a chain that can be verified', async () => {
      const a = at().company()
      const { id } = await a.makes()
      await a.runs(id)
      await a.admin.delete(`/api/jobs/${id}`)
      const entries = await a.audited()
      expect(entries.map(({ sequence }) => sequence)).toEqual([3, 2, 1])
      expect(entries.map((entry) => entry['previousHash'])).toEqual([
        ...entries.slice(1).map(({ hash }) => hash),
        '0'.repeat(64),
      ])
      const verdict = await a.admin.get('/api/jobs/audit-log/verify')
      expect(verdict.body).toEqual({ isIntact: true, entries: 3, hash: entries[0]?.['hash'] })
    })

    it('what is refused leaves none', async () => {
      const a = at().company()
      const { id } = await a.makes()
      await a.manager.post(`/api/jobs/${id}/pausar`)
      await a.developer.put(`/api/jobs/${id}`, { timeoutMinutes: 1 })
      await a.developer.post(`/api/jobs/${id}/retomar`)
      expect(await a.audited()).toHaveLength(1)
    })
  })
}

import { describe, expect, it } from 'vitest'
import { type Company, once, type Stage } from './stage.ts'

interface Row {
  readonly operation: string
  readonly what: string
  /** Does it, and gives the job. */
  readonly act: (company: Company, stage: Stage) => Promise<{ readonly jobId: string; readonly by: string | null }>
  readonly newValues: (company: Company, now: string) => Readonly<Record<string, unknown>>
  readonly oldValues?: Readonly<Record<string, unknown>>
}

const FIELDS = { name: 'ImportarFaturas', cronExpression: '0 0 1 1 *', priority: 'HIGH', timeoutMinutes: 45 }

const ROWS: readonly Row[] = [
  {
    operation: 'JOBS_JOB_CREATE',
    what: 'name, type, cron, priority and timeout',
    act: async (company) => ({ jobId: (await company.makes(FIELDS)).id, by: company.developer.id }),
    newValues: () => ({ ...FIELDS, jobType: 'ImportarFaturas', status: 'ACTIVE' }),
  },
  {
    operation: 'JOBS_JOB_UPDATE',
    what: 'name, cron, priority and timeout, before and after',
    async act(company) {
      const { id } = await company.makes(FIELDS)
      const change = { name: 'Importar', cronExpression: '0 0 2 1 *', priority: 'LOW', timeoutMinutes: 60 }
      await company.admin.put(`/api/jobs/${id}`, change)
      return { jobId: id, by: company.admin.id }
    },
    oldValues: FIELDS,
    newValues: () => ({ name: 'Importar', cronExpression: '0 0 2 1 *', priority: 'LOW', timeoutMinutes: 60 }),
  },
  {
    operation: 'JOBS_JOB_UPDATE',
    what: 'status, before and after',
    async act(company) {
      const { id } = await company.makes()
      await company.admin.put(`/api/jobs/${id}`, { status: 'DISABLED' })
      return { jobId: id, by: company.admin.id }
    },
    oldValues: { status: 'ACTIVE' },
    newValues: () => ({ status: 'DISABLED' }),
  },
  {
    operation: 'JOBS_JOB_DELETE',
    what: 'the job and its name',
    async act(company) {
      const { id } = await company.makes({ name: 'ImportarFaturas' })
      await company.admin.delete(`/api/jobs/${id}`)
      return { jobId: id, by: company.admin.id }
    },
    newValues: (_company, now) => ({ jobName: 'ImportarFaturas', status: 'DELETED', deletedAt: now }),
  },
  {
    operation: 'JOBS_JOB_EXECUTE',
    what: 'when it ran, and how long',
    async act(company) {
      const { id } = await company.makes()
      await company.runs(id)
      return { jobId: id, by: company.developer.id }
    },
    newValues: (_company, now) => ({ executionTime: now, durationMs: 0 }),
  },
  {
    operation: 'JOBS_JOB_FAIL',
    what: 'the error and the retries',
    async act(company, stage) {
      const { id } = await company.makes({ retryCount: 1, payload: { failures: 2 } })
      const executionId = await company.executes(id)
      await stage.endedAfterRetries(company.admin, executionId)
      return { jobId: id, by: company.developer.id }
    },
    oldValues: { status: 'ACTIVE' },
    newValues: () => ({ errorMessage: 'no answer to attempt 2', retryCount: 1, status: 'FAULTED' }),
  },
  {
    operation: 'JOBS_JOB_CANCEL',
    what: 'the reason',
    async act(company, stage) {
      const { id } = await company.makes({ payload: { isEndless: true } })
      const executionId = await company.executes(id)
      await stage.reached(company.admin, executionId, 'RUNNING')
      await company.admin.post(`/api/jobs/${id}/cancelar`, { executionId, reason: 'wrong month' })
      await stage.test.advance('10s')
      await stage.ended(company.admin, executionId)
      return { jobId: id, by: company.admin.id }
    },
    newValues: () => ({ reason: expect.stringContaining('wrong month') as unknown }),
  },
  {
    operation: 'JOBS_JOB_PAUSE',
    what: 'since when',
    async act(company) {
      const { id } = await company.makes()
      await company.admin.post(`/api/jobs/${id}/pausar`)
      return { jobId: id, by: company.admin.id }
    },
    oldValues: { status: 'ACTIVE' },
    newValues: (_company, now) => ({ status: 'PAUSED', pausedAt: now }),
  },
  {
    operation: 'JOBS_JOB_RESUME',
    what: 'since when',
    async act(company) {
      const { id } = await company.makes()
      await company.admin.post(`/api/jobs/${id}/pausar`)
      await company.developer.post(`/api/jobs/${id}/retomar`)
      return { jobId: id, by: company.developer.id }
    },
    oldValues: { status: 'PAUSED' },
    newValues: (_company, now) => ({ status: 'ACTIVE', resumedAt: now }),
  },
  {
    operation: 'JOBS_JOB_APPROVE',
    what: 'who, when, and to what',
    act: async (company) => ({ jobId: (await company.makesApproved()).id, by: company.approver.id }),
    oldValues: { status: 'PENDING_APPROVAL' },
    newValues: ({ approver }, now) => ({
      status: 'APPROVED',
      approvedBy: approver.id,
      approvedAt: now,
      definitionHash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown,
    }),
  },
  {
    operation: 'JOBS_JOB_REJECT',
    what: 'the reason',
    async act(company) {
      const { id } = await company.makes({ requiresTwoStepExecution: true })
      await company.approver.post(`/api/jobs/${id}/reject`, { reason: 'too many' })
      return { jobId: id, by: company.approver.id }
    },
    oldValues: { status: 'PENDING_APPROVAL' },
    newValues: () => ({ status: 'DISABLED', statusReason: 'too many' }),
  },
]

/** Section 4.3: what is audited, under which code, and with what. */
export function describeAudited(at: () => Stage): void {
  describe('4.3 the audit log', () => {
    it.each(ROWS.map((row) => [row.operation, row.what, row] as const))(
      '%s tells %s',
      async (operation, _what, { act, oldValues, newValues }) => {
        const company = at().company()
        const { jobId, by } = await act(company, at())
        const now = new Date(at().test.now()).toISOString()
        const [entry] = await company.audited(`&operation=${operation}`)
        expect(entry).toMatchObject({
          operation,
          operationType: operation.replace('JOBS_JOB_', ''),
          clienteId: company.id,
          jobId,
          userId: by,
          newValues: newValues(company, now),
          ...(oldValues && { oldValues }),
        })
      },
    )

    it('an execution that nobody asked for is Pontual’s own', async () => {
      const company = at().company()
      const { id } = await company.makes({ cronExpression: '* * * * *' })
      await at().test.advance('1m')
      const ends = () => company.audited('&operation=JOBS_JOB_EXECUTE')
      const [entry] = await at().until(ends, ({ length }) => length > 0)
      await company.admin.delete(`/api/jobs/${id}`)
      expect(entry).toMatchObject({ jobId: id, userId: null, newValues: { durationMs: expect.any(Number) as unknown } })
    })

    it('has one entry for each execution that ended, and none for its retries', async () => {
      const company = at().company()
      const { id } = await company.makes({ payload: { failures: 3 } })
      const executionId = await company.executes(id)
      await at().endedAfterRetries(company.admin, executionId)
      const entries = await company.audited(`&executionId=${executionId}`)
      expect(entries.map(({ operation }) => operation)).toEqual(['JOBS_JOB_EXECUTE'])
    })

    it('tells what an Admin did to settings, calendars and keys', async () => {
      const { admin, ...company } = at().company()
      await admin.put('/api/jobs/settings', { language: 'en' })
      const definition = { type: 'holiday', dates: ['2026-12-25'] }
      await admin.put('/api/jobs/calendars/feriados', { definition })
      await admin.delete('/api/jobs/calendars/feriados')
      const { body: key } = await admin.post('/api/jobs/api-keys', { name: 'robot', profile: 'Manager' })
      await admin.delete(`/api/jobs/api-keys/${key.id}`)
      const { body, text } = await admin.get('/api/jobs/audit-log')
      expect(body.items.map(({ operation, userId, clienteId }) => [operation, userId, clienteId])).toEqual(
        [
          'JOBS_APIKEY_DELETE',
          'JOBS_APIKEY_CREATE',
          'JOBS_CALENDAR_DELETE',
          'JOBS_CALENDAR_UPDATE',
          'JOBS_SETTINGS_UPDATE',
        ].map((operation) => [operation, admin.id, company.id]),
      )
      expect(body.items.at(-1)).toMatchObject({ oldValues: { language: 'pt-BR' }, newValues: { language: 'en' } })
      expect(text).not.toContain(key['secret'])
    })

    describe('can be read', () => {
      const prepare = once(async () => {
        const company = at().company()
        const jobs = [await company.makes(), await company.makes({}, company.admin)]
        await at().test.advance('1h')
        await company.admin.post(`/api/jobs/${jobs[0]?.id}/pausar`)
        return { company, jobId: jobs[0]?.id ?? '', pausedAt: new Date(at().test.now()).toISOString() }
      })
      type Prepared = Awaited<ReturnType<typeof prepare>>

      it.each<[string, (prepared: Prepared) => string, readonly number[]]>([
        ['as a whole, the newest first', () => '', [3, 2, 1]],
        ['by operation', () => '&operation=JOBS_JOB_PAUSE', [3]],
        ['by several operations', () => '&operation=JOBS_JOB_PAUSE,JOBS_JOB_CREATE', [3, 2, 1]],
        ['by user', ({ company }) => `&userId=${company.admin.id}`, [3, 2]],
        ['by job', ({ jobId }) => `&jobId=${jobId}`, [3, 1]],
        ['from an instant on', ({ pausedAt }) => `&from=${pausedAt}`, [3]],
        ['up to an instant', ({ pausedAt }) => `&to=${pausedAt}`, [2, 1]],
      ])('%s', async (_how, query, sequences) => {
        const prepared = await prepare()
        const entries = await prepared.company.audited(query(prepared))
        expect(entries.map(({ sequence }) => sequence)).toEqual(sequences)
      })

      it('in pages', async () => {
        const { admin } = (await prepare()).company
        const first = (await admin.get('/api/jobs/audit-log?limit=2')).body
        const second = (await admin.get(`/api/jobs/audit-log?limit=2&cursor=${first.nextCursor}`)).body
        expect([...first.items, ...second.items].map(({ sequence }) => sequence)).toEqual([3, 2, 1])
        expect(second.nextCursor).toBeNull()
      })

      it('as a file', async () => {
        const { headers, text } = await (await prepare()).company.admin.get('/api/jobs/audit-log/export')
        expect(headers.get('content-disposition')).toContain('attachment')
        expect(text.trim().split('\r\n')).toHaveLength(4)
      })

      it('by nobody but Admins', async () => {
        const { developer, manager } = (await prepare()).company
        for (const person of [developer, manager]) {
          for (const path of ['audit-log', 'audit-log/export', 'audit-log/verify']) {
            expect(await person.get(`/api/jobs/${path}`)).toMatchObject({ status: 403 })
          }
        }
      })
    })
  })
}

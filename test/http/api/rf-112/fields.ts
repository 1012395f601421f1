import { describe, expect, it } from 'vitest'
import { DETAIL_DEFAULTS } from '../../../../src/job/job-fields.ts'
import type { Body } from './reply.ts'
import { fieldsOf, type Stage } from './stage.ts'

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

const guid = expect.stringMatching(GUID) as unknown
const instant = expect.stringMatching(INSTANT) as unknown

/** 100 characters, and one more. */
const LONG_CRON = `10${',0'.repeat(45)} * 1 1 *`.replace(' * 1 1 *', ' 0 1 1 *')
const KIB = 1_024

/** What a field that may be set takes, and what it does not. */
const RANGES: readonly (readonly [field: string, taken: readonly unknown[], refused: readonly unknown[]])[] = [
  [
    'name',
    ['abc', 'Importação de faturas', 'n'.repeat(255)],
    ['', 'ab', 'n'.repeat(256), 'a\u0000bc', 'a\u202ebc', 'a\u200bbc', 12, null],
  ],
  ['description', [null, '', 'd'.repeat(1_000)], ['d'.repeat(1_001), 12, 'a\u202e']],
  ['jobType', ['ImportarFaturas', 'LimparCache'], ['', 'Inventado', 't'.repeat(101), null, 3]],
  ['cronExpression', ['0 0 1 1 *', LONG_CRON], ['', '2 0 * *', `${LONG_CRON} `.padEnd(101), null, 5, '0 0 30 2 *']],
  ['priority', ['HIGH', 'MEDIUM', 'LOW'], ['', 'high', 'URGENT', null, 1]],
  ['timeoutMinutes', [5, 30, 240], [4, 241, 5.5, '30', null]],
  ['retryCount', [0, 3, 10], [-1, 11, 1.5, '3', null]],
  ['requiresTwoStepExecution', [true, false], [null, 'true', 1]],
  [
    'payload',
    [null, {}, [], 'text', 0, false, { a: { b: [1] } }, 'p'.repeat(256 * KIB - 2)],
    ['p'.repeat(256 * KIB - 1)],
  ],
  ['timeZone', ['UTC', 'America/Sao_Paulo'], ['', 'Mars/Olympus', 3, null]],
  ['misfirePolicy', ['smart', 'fireNow', 'fireOnce', 'fireAll', 'skipToNext', 'ignore'], ['', 'sometimes', 3]],
  ['misfireThresholdSeconds', [0, 60, 604_800], [-1, 604_801, 1.5, '60']],
  ['overlap', ['allow', 'queue', 'skip', 'replace', { atMost: 3 }], ['', 'never', { atMost: 0 }, 3]],
  [
    'tags',
    [[], ['a'], ['t'.repeat(64)]],
    [[''], ['t'.repeat(65)], 'a', Array.from({ length: 21 }, (_, index) => `t${index}`)],
  ],
  ['calendar', [null], ['nobody has it', 3]],
]

/** Fields that nobody sets. */
const READ_ONLY = [
  'id',
  'clienteId',
  'status',
  'nextExecution',
  'scheduledByUserId',
  'approvedByUserId',
  'approvedAt',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'deletedAt',
  'deletedBy',
  'version',
]

/** Ranges of section 7. What is refused never reaches a store, so that they are tried on one. */
export function describeRanges(at: () => Stage): void {
  describe('7.1 ranges of a job’s fields', () => {
    describe.each(RANGES)('%s', (field, taken, refused) => {
      it('takes what it should', async () => {
        const a = at().company()
        for (const value of taken) {
          const reply = await a.developer.post('/api/jobs', fieldsOf({ [field]: value }))
          expect(reply.status, `${brief(value)}: ${reply.text.slice(0, 500)}`).toBe(201)
          expect(reply.body[field]).toEqual(field === 'description' && value === '' ? null : value)
        }
      })

      it('refuses the rest by name, whether the job is new or not', async () => {
        const a = at().company()
        const { id } = await a.makes()
        for (const value of refused) {
          for (const reply of [
            await a.developer.post('/api/jobs', fieldsOf({ [field]: value })),
            await a.developer.put(`/api/jobs/${id}`, { [field]: value }),
          ]) {
            expect(reply.status, `${brief(value)}: ${reply.text.slice(0, 500)}`).toBe(400)
            expect(reply.body.errors[0]?.pointer).toMatch(new RegExp(`^/${field}(/|$)`))
          }
        }
        expect((await a.manager.get('/api/jobs')).body.items).toMatchObject([{ id, version: 1 }])
      })
    })

    it.each(READ_ONLY)('%s is nobody’s to set', async (field) => {
      const a = at().company()
      const posted = await a.admin.post('/api/jobs', fieldsOf({ [field]: 'APPROVED' }))
      expect(posted).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${field}` }] } })
    })

    it.each(READ_ONLY.filter((field) => !['nextExecution', 'updatedAt', 'version'].includes(field)))(
      '%s may be sent back as it was, and not otherwise',
      async (field) => {
        const a = at().company()
        const job = await a.makes()
        expect(await a.developer.put(`/api/jobs/${job.id}`, { [field]: job[field] })).toMatchObject({ status: 200 })
        const put = await a.developer.put(`/api/jobs/${job.id}`, { [field]: 'APPROVED' })
        expect(put).toMatchObject({
          status: 400,
          body: { errors: [{ pointer: `/${field}`, code: 'read_only_field' }] },
        })
      },
    )

    it.each(['name', 'jobType', 'cronExpression'])('%s is required', async (field) => {
      const { [field]: _, ...rest } = fieldsOf()
      const reply = await at().company().developer.post('/api/jobs', rest)
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ pointer: `/${field}` }] } })
    })
  })
}

function brief(value: unknown): string {
  return JSON.stringify(value).slice(0, 60)
}

/** Section 7: what entities consist of. */
export function describeFields(at: () => Stage): void {
  describe('7.1 the fields of a job', () => {
    it('are all there, from its creation to its deletion', async () => {
      const a = at().company()
      const created = await a.makes({ name: 'DeletarDadosObsoletos', jobType: 'DeletarDadosObsoletos' })
      const seed = {
        id: guid,
        clienteId: a.id,
        name: 'DeletarDadosObsoletos',
        description: null,
        jobType: 'DeletarDadosObsoletos',
        cronExpression: '0 0 1 1 *',
        status: 'PENDING_APPROVAL',
        priority: 'MEDIUM',
        timeoutMinutes: 30,
        retryCount: 3,
        requiresTwoStepExecution: true,
        payload: null,
        nextExecution: null,
        scheduledByUserId: a.developer.id,
        approvedByUserId: null,
        approvedAt: null,
        createdAt: instant,
        createdBy: a.developer.id,
        updatedAt: null,
        updatedBy: null,
        deletedAt: null,
        deletedBy: null,
      }
      const beyond = {
        ...DETAIL_DEFAULTS,
        timeZone: 'UTC',
        trigger: { type: 'cron', expression: '0 0 1 1 *', timeZone: 'UTC' },
        calendar: null,
        misfirePolicy: 'smart',
        misfireThresholdSeconds: 60,
        overlap: 'allow',
        tags: [],
        version: 1,
        statusReason: null,
        pausedUntil: null,
        origin: 'runtime',
        differsFromCode: null,
        cronOverride: null,
        isSuspended: false,
      }
      expect(created).toEqual({ ...seed, ...beyond })

      await at().test.advance('1m')
      const { body: approved } = await a.approver.post(`/api/jobs/${created.id}/approve`)
      const approvedAt = new Date(at().test.now()).toISOString()
      expect(approved).toMatchObject({
        status: 'APPROVED',
        approvedByUserId: a.approver.id,
        approvedAt,
        nextExecution: instant,
      })
      expect(approved).toMatchObject({ updatedAt: approvedAt, updatedBy: a.approver.id })

      await at().test.advance('1m')
      await a.admin.delete(`/api/jobs/${created.id}`)
      const deletedAt = new Date(at().test.now()).toISOString()
      expect(await a.reads(created.id)).toMatchObject({ status: 'DELETED', deletedAt, deletedBy: a.admin.id })
    })
  })

  describe('7.1 the fields of an execution', () => {
    it('are all there', async () => {
      const a = at().company()
      const { id: jobId } = await a.makes({ payload: { failures: 1 } })
      const executionId = await a.executes(jobId)
      const waiting = await at().reached(a.admin, executionId, 'QUEUED')
      expect(waiting).toMatchObject({
        executionNumber: null,
        retryCount: 0,
        nextRetryAt: new Date(at().test.now() + 60_000).toISOString(),
        completedAt: null,
        duration: null,
      })
      await at().test.advance('1m')
      const startedAt = new Date(at().test.now()).toISOString()
      const ended = await at().ended(a.admin, executionId)
      expect(ended).toMatchObject({
        id: executionId,
        jobId,
        clienteId: a.id,
        executionNumber: 1,
        status: 'SUCCESS',
        startedAt,
        completedAt: startedAt,
        duration: 0,
        errorMessage: null,
        retryCount: 1,
        nextRetryAt: null,
        executedBy: a.developer.id,
      })
      expect((ended['logOutput'] as string).split('\n')).toEqual(
        expect.arrayContaining([expect.stringContaining('started')]),
      )
    })

    it('its log is for those who may see logs', async () => {
      const a = at().company()
      const { id } = await a.makes()
      const { id: executionId } = await a.runs(id)
      const read = async (person: typeof a.admin) =>
        (await person.get(`/api/jobs/executions/${executionId}`)).body['logOutput']
      expect(await read(a.developer)).toContain('started')
      expect(await read(a.manager)).toBeNull()
    })

    it('numbers of a job’s executions are 1, 2, 3, whatever became of them', async () => {
      const a = at().company()
      const { id } = await a.makes({ retryCount: 0 })
      const ended: Body[] = []
      for (const payload of [{}, { failures: 1 }, {}]) ended.push(await a.runs(id, { payload }))
      expect(ended.map((each) => each['executionNumber'])).toEqual([1, 2, 3])
    })
  })
}

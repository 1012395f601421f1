import { describe, expect, it } from 'vitest'
import type { Company, Person, Stage } from './stage.ts'
import { fieldsOf } from './stage.ts'

interface Endpoint {
  readonly method: string
  readonly path: string
  /** The same under another name. */
  readonly alias?: string
  readonly status: number
  readonly body?: (id: string) => unknown
  /** The job that is asked for. */
  readonly job?: (company: Company, stage: Stage) => Promise<string>
  readonly by?: (company: Company) => Person
  /** What is answered. */
  readonly answers: (id: string) => Readonly<Record<string, unknown>>
}

const plain = async (company: Company) => (await company.makes()).id

/** Section 6, at exactly those paths. */
const ENDPOINTS: readonly Endpoint[] = [
  { method: 'GET', path: '/api/jobs', status: 200, answers: () => ({ items: expect.any(Array), nextCursor: null }) },
  {
    method: 'GET',
    path: '/api/jobs/{id}',
    status: 200,
    job: plain,
    answers: (id) => ({ id, statistics: {}, lastExecutions: [] }),
  },
  { method: 'POST', path: '/api/jobs', status: 201, body: () => fieldsOf(), answers: () => ({ status: 'ACTIVE' }) },
  {
    method: 'PUT',
    path: '/api/jobs/{id}',
    status: 200,
    job: plain,
    body: () => ({ priority: 'HIGH' }),
    answers: (id) => ({ id, priority: 'HIGH' }),
  },
  { method: 'DELETE', path: '/api/jobs/{id}', status: 204, job: plain, by: ({ admin }) => admin, answers: () => ({}) },
  {
    method: 'POST',
    path: '/api/jobs/{id}/executar',
    alias: '/api/jobs/{id}/execute',
    status: 202,
    job: plain,
    answers: () => ({ executionId: expect.any(String) }),
  },
  {
    method: 'POST',
    path: '/api/jobs/{id}/pausar',
    alias: '/api/jobs/{id}/pause',
    status: 200,
    job: plain,
    answers: (id) => ({ id, status: 'PAUSED' }),
  },
  {
    method: 'POST',
    path: '/api/jobs/{id}/retomar',
    alias: '/api/jobs/{id}/resume',
    status: 200,
    async job(company) {
      const id = await plain(company)
      await company.developer.post(`/api/jobs/${id}/pausar`)
      return id
    },
    answers: (id) => ({ id, status: 'ACTIVE' }),
  },
  {
    method: 'POST',
    path: '/api/jobs/{id}/cancelar',
    alias: '/api/jobs/{id}/cancel',
    status: 202,
    job: plain,
    answers: () => ({ cancelled: [], cancelling: [] }),
  },
  {
    method: 'GET',
    path: '/api/jobs/{id}/historico',
    alias: '/api/jobs/{id}/history',
    status: 200,
    async job(company) {
      const id = await plain(company)
      await company.runs(id)
      return id
    },
    by: ({ manager }) => manager,
    answers: (jobId) => ({ items: [{ jobId, executionNumber: 1, status: 'SUCCESS' }], nextCursor: null }),
  },
  {
    method: 'GET',
    path: '/api/jobs/{id}/logs',
    status: 200,
    async job(company) {
      const id = await plain(company)
      await company.runs(id)
      return id
    },
    answers: () => ({ executionId: expect.any(String), items: [{ message: 'started' }] }),
  },
  {
    method: 'POST',
    path: '/api/jobs/{id}/retry',
    status: 202,
    async job(company) {
      const { id } = await company.makes({ retryCount: 0, payload: { failures: 1 } })
      await company.runs(id)
      return id
    },
    answers: () => ({ executionId: expect.any(String) }),
  },
  {
    method: 'GET',
    path: '/api/jobs/dashboard',
    status: 200,
    answers: () => ({ running: 0, queued: 0, workers: { used: 0, maximum: 10 } }),
  },
  {
    method: 'GET',
    path: '/api/jobs/workers',
    status: 200,
    by: ({ manager }) => manager,
    answers: () => ({ nodes: [{ slots: 64, isAlive: true }], queues: [], cap: 10 }),
  },
  {
    method: 'POST',
    path: '/api/jobs/enqueue',
    status: 202,
    job: plain,
    body: (jobId) => ({ jobId, priority: 'HIGH' }),
    answers: () => ({ executionId: expect.any(String) }),
  },
  {
    method: 'GET',
    path: '/api/jobs/{id}/nextExecution',
    status: 200,
    job: plain,
    by: ({ manager }) => manager,
    answers: () => ({
      nextExecution: '2027-01-01T00:00:00.000Z',
      upcoming: Array.from({ length: 10 }, (_, index) => `${2027 + index}-01-01T00:00:00.000Z`),
    }),
  },
  {
    method: 'POST',
    path: '/api/jobs/{id}/approve',
    status: 200,
    job: async (company) => (await company.makes({ requiresTwoStepExecution: true })).id,
    by: ({ approver }) => approver,
    answers: (id) => ({ id, status: 'APPROVED' }),
  },
  {
    method: 'POST',
    path: '/api/jobs/{id}/validate-cron',
    status: 200,
    job: plain,
    by: ({ manager }) => manager,
    body: () => ({ cronExpression: '0 2 * * *' }),
    answers: () => ({ valid: true, description: expect.any(String), upcoming: expect.any(Array) }),
  },
  {
    method: 'GET',
    path: '/api/jobs/audit-log',
    status: 200,
    job: plain,
    by: ({ admin }) => admin,
    answers: (jobId) => ({ items: [{ operation: 'JOBS_JOB_CREATE', jobId }] }),
  },
]

/** Section 6: the endpoints. */
export function describeEndpoints(at: () => Stage, hasTables: boolean): void {
  describe('6 the endpoints', () => {
    it('are the 18 of the table, and one to cancel', () => {
      expect(ENDPOINTS).toHaveLength(18 + 1)
    })

    const rows = ENDPOINTS.flatMap((endpoint) =>
      [endpoint.path, hasTables ? endpoint.alias : undefined]
        .filter((path) => path !== undefined)
        .map((path) => [endpoint.method, path, endpoint] as const),
    )

    it.each(rows)('%s %s is served', async (method, path, { status, body, job, by, answers }) => {
      const company = at().company()
      const id = (await job?.(company, at())) ?? ''
      const asker = by?.(company) ?? company.developer
      const reply = await asker.ask(method, path.replace('{id}', id), { body: body?.(id) })
      expect(reply.status, reply.text).toBe(status)
      expect(reply.body).toMatchObject(answers(id))
    })

    it('POST /api/jobs/{id}/retry makes a new execution that names the old one', async () => {
      const a = at().company()
      const { id } = await a.makes({ retryCount: 0, payload: { failures: 1 } })
      const failed = await a.runs(id)
      const { body } = await a.developer.post(`/api/jobs/${id}/retry?executionId=${failed.id}`)
      expect(body.executionId).not.toBe(failed.id)
      const again = await at().ended(a.admin, body.executionId)
      expect(again).toMatchObject({
        retryOf: failed.id,
        origin: 'retry',
        executedBy: a.developer.id,
        executionNumber: 2,
      })
      const none = await a.makes()
      expect(await a.developer.post(`/api/jobs/${none.id}/retry`)).toMatchObject({ status: 409 })
    })

    it.each<[string, string, Readonly<Record<string, unknown>>]>([
      ['0 2 * * *', 'valid', { valid: true }],
      ['2 0 * *', 'too short', { valid: false, error: expect.any(String) }],
      [
        '60 * * * *',
        'out of range',
        { valid: false, error: expect.stringMatching(/^Expressão CRON inválida: minuto deve ser 0-59/) },
      ],
      ['abc', 'none', { valid: false, error: expect.any(String) }],
      ['0 0 30 2 *', 'one that never fires', { valid: false, error: expect.stringMatching(/não dispara/) }],
      ['*/10 * * * * *', 'one with seconds', { valid: false, error: expect.any(String) }],
    ])(
      'POST /api/jobs/new/validate-cron says that %s is %s, and stores nothing',
      async (cronExpression, _what, expected) => {
        const a = at().company()
        const reply = await a.manager.post('/api/jobs/new/validate-cron', { cronExpression })
        expect(reply).toMatchObject({ status: 200, body: expected })
        expect((await a.manager.get('/api/jobs')).body.items).toEqual([])
      },
    )

    it('what nobody knows is 404', async () => {
      const { admin } = at().company()
      const unknown = '0190a4b2-0000-7000-8000-00000000000f'
      for (const [method, path, { body }] of rows.filter(([, each]) => each.includes('{id}'))) {
        const reply = await admin.ask(method, path.replace('{id}', unknown), { body: body?.(unknown) })
        expect(reply, `${method} ${path}`).toMatchObject({ status: 404, body: { code: 'not_found' } })
      }
    })

    it('whoever does not say who he is gets 401', async () => {
      for (const [method, path] of rows) {
        const response = await fetch(at().url + path.replace('{id}', '0190a4b2-0000-7000-8000-00000000000f'), {
          method,
        })
        expect(response.status, `${method} ${path}`).toBe(401)
        await response.body?.cancel()
      }
    })
  })
}

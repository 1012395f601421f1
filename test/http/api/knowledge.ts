import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreSource } from '../../../src/store/store.ts'
import { ADMIN, APPROVER, DEVELOPER, MANAGER, nightly, openWorld, type World } from './world.ts'

const SENSITIVE = { jobType: 'DeletarDadosObsoletos' }

/** What is told over HTTP about jobs, what they may be of, and who asks. */
export function describeKnowledge(kind: string, openStore: () => StoreSource | undefined): void {
  describe(`what is known about jobs, on ${kind}`, () => {
    let world: World
    beforeAll(async () => {
      world = await openWorld(openStore())
      // What others have made of a database that they share does not count.
      await world.ask(ADMIN, 'PUT', '/api/jobs/settings', { body: { language: 'pt-BR' } })
    })
    afterAll(() => world?.[Symbol.asyncDispose]())

    const make = async (change: object) => {
      const { status, text, body } = await world.ask(ADMIN, 'POST', '/api/jobs', { body: nightly({ ...change }) })
      expect(status, text).toBe(201)
      return `/api/jobs/${body.id}`
    }
    const read = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
      await world.ask(ADMIN, 'GET', path, { headers })

    it('is told of job types, with the schema of what each may be given', async () => {
      await make({ jobType: 'Estrito', payload: {} })
      const { items } = (await read('/api/jobs/types')).body
      expect(items).toContainEqual({
        id: 'Estrito',
        isKnown: true,
        isDurable: false,
        isSensitive: false,
        isEnqueueable: false,
        queue: 'default',
        inputSchema: expect.objectContaining({
          properties: { month: { type: 'string' } },
          additionalProperties: false,
        }) as unknown,
        jobCount: 1,
      })
      expect(items).toContainEqual(expect.objectContaining({ id: 'Pedido', isDurable: true, inputSchema: null }))
    })

    it('is told of a job against what was approved', async () => {
      const path = await make({ ...SENSITIVE, retryCount: 1 })
      expect((await read(`${path}/approval`)).body).toMatchObject({
        isPending: true,
        isFirst: true,
        requestedBy: 'ana',
      })
      expect((await world.ask(APPROVER, 'POST', `${path}/approve`, { body: {} })).status).toBe(200)
      expect((await read(`${path}/approval`)).body).toMatchObject({ isPending: false, isFirst: false, changes: [] })
      await world.ask(DEVELOPER, 'PUT', path, { body: { retryCount: 4, cronExpression: '0 5 * * *' } })
      expect((await read(`${path}/approval`)).body).toMatchObject({
        isPending: true,
        isFirst: false,
        requestedBy: 'davi',
        changes: [
          { field: 'cronExpression', current: '0 5 * * *' },
          { field: 'retryCount', approved: 1, current: 4 },
        ],
      })
    })

    it.each<[string, Readonly<Record<string, string>>, string, string]>([
      ['in the language asked for', { 'accept-language': 'en' }, 'en', 'At 09:00'],
      ['in another', { 'accept-language': 'pt' }, 'pt-BR', 'Às 09:00'],
      ['in that of the tenant', { 'accept-language': '*' }, 'pt-BR', 'Às 09:00'],
    ])('is a trigger in words, %s', async (_, headers, language, description) => {
      const path = await make({ cronExpression: '0 9 * * *' })
      const answer = await read(`${path}/nextExecution`, headers)
      expect([answer.body['description'], answer.headers.get('content-language')]).toEqual([description, language])
      expect(answer.body['upcoming']).toHaveLength(10)
    })

    it('is what an outage does to a job under its own policy', async () => {
      const path = await make({ cronExpression: '0 * * * *', misfirePolicy: 'fireAll' })
      const outage = { from: '2026-01-05T00:30:00Z', to: '2026-01-05T03:30:00Z', jobId: path.split('/').at(-1) }
      const { status, body } = await world.ask(ADMIN, 'POST', '/api/jobs/simulate', { body: outage })
      expect([status, body['nextCursor']]).toEqual([200, null])
      expect(body['jobs']).toMatchObject([
        {
          policy: 'fireAll',
          missed: 3,
          missedAt: ['2026-01-05T01:00:00.000Z', '2026-01-05T02:00:00.000Z', '2026-01-05T03:00:00.000Z'],
          policies: {
            fireAll: { executions: 3, consolidated: 0, skipped: 0, dropped: 0 },
            fireOnce: { executions: 1, consolidated: 2 },
            skipToNext: { executions: 0, skipped: 3 },
          },
        },
      ])
      const cursor = { body: { ...outage, jobId: undefined, cursor: 'made-up' } }
      expect((await world.ask(ADMIN, 'POST', '/api/jobs/simulate', cursor)).body.code).toBe('invalid_cursor')
    })

    it('is the language of the tenant, for whoever is of it', async () => {
      const session = { clienteId: 'acme', profile: 'Manager', language: 'pt-BR', hasDashboard: true, isDev: false }
      expect((await world.ask({ ...MANAGER, permissions: [] }, 'GET', '/api/session')).body).toMatchObject({
        ...session,
        permissions: [],
        isSession: false,
      })
      expect((await world.ask(MANAGER, 'POST', '/api/session')).body).toMatchObject({ ...session, isSession: true })
    })
  })
}

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pathsOf, routes } from '../../../src/server/routes/routes.ts'
import { fill, probeOf, UNKNOWN_ID } from '../api/probes.ts'
import { ADMIN, APPROVER, type Asker, nightly, openWorld, STRANGER, type World } from '../api/world.ts'
import { HOSTILE_IDS } from './hostile-ids.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world[Symbol.asyncDispose]())

async function make(asker: Asker, change: object = {}): Promise<string> {
  const { status, body, text } = await world.ask(asker, 'POST', '/api/jobs', { body: nightly({ ...change }) })
  expect(status, text).toBe(201)
  return body.id
}

async function run(asker: Asker, change: object = {}): Promise<string> {
  const id = await make(asker, change)
  const { body } = await world.ask(asker, 'POST', `/api/jobs/${id}/execute`)
  await world.test.settle()
  return body.executionId
}

const withId = routes.filter(({ path }) => path.includes(':id'))

describe('S5 what belongs to another tenant', () => {
  it.each(withId.map((route) => [route.name, route] as const))('%s: 403, 404 or 400', async (_name, route) => {
    const probe = await probeOf(world, route)
    const asked = async (asker: Asker, id: string) => {
      const path = fill(pathsOf(route)[0] ?? '', { ...probe, params: { ...probe.params, id } })
      return await world.ask(asker, route.method, path, probe)
    }
    const own = probe.params?.['id'] ?? ''
    const foreign = await asked(STRANGER, own)
    expect([foreign.status, foreign.body.code]).toEqual([403, 'forbidden'])
    expect(foreign.text.replaceAll(own, '')).not.toMatch(/acme|zoe|ImportarFaturas|job \d/)
    expect((await asked(STRANGER, own.toUpperCase())).status).toBe(403)
    expect((await asked(ADMIN, UNKNOWN_ID)).status).toBe(404)
    for (const id of HOSTILE_IDS) {
      const { status, headers, text } = await asked(ADMIN, id)
      expect([id, status], text).toEqual([id, 400])
      expect(headers.get('content-type')).toBe('application/problem+json')
      expect(text).not.toContain(id.slice(0, 201).padEnd(201, '-'))
    }
  })
})

describe('S6 ids of another tenant within a body', () => {
  it.each<[string, (ids: { job: string; execution: string; own: string }) => [string, unknown], number]>([
    ['jobId of enqueue', ({ job }) => ['/api/jobs/enqueue', { jobId: job }], 403],
    ['executionId of cancel', ({ own, execution }) => [`/api/jobs/${own}/cancel`, { executionId: execution }], 403],
    ['jobId of simulate', ({ job }) => ['/api/jobs/simulate', { ...OUTAGE, jobId: job }], 403],
    ['an inner tenant', ({ own }) => ['/api/jobs/enqueue', { jobId: own, tenant: 'acme', clienteId: 'acme' }], 400],
    ['a parent', ({ own, execution }) => ['/api/jobs/enqueue', { jobId: own, parentId: execution }], 400],
    ['what it runs after', ({ own, execution }) => ['/api/jobs/enqueue', { jobId: own, after: [execution] }], 400],
    ['a list of jobs', ({ own, job }) => ['/api/jobs/enqueue', [{ jobId: own }, { jobId: job }]], 400],
  ])('%s', async (_what, request, expected) => {
    const execution = await run(ADMIN, { jobType: 'Demorar' })
    const [path, body] = request({ job: await make(ADMIN), execution, own: await make(STRANGER) })
    const { status, text } = await world.ask(STRANGER, 'POST', path, { body })
    expect(status, text).toBe(expected)
    expect((await world.ask(ADMIN, 'GET', `/api/jobs/executions/${execution}`)).body['status']).toBe('RUNNING')
  })

  it('an execution in the query is another tenant’s too', async () => {
    const execution = await run(ADMIN)
    const own = await make(STRANGER)
    for (const path of [`/api/jobs/${own}/logs?executionId=${execution}`]) {
      expect((await world.ask(STRANGER, 'GET', path)).status).toBe(403)
    }
    const retry = await world.ask(STRANGER, 'POST', `/api/jobs/${own}/retry?executionId=${execution}`)
    expect(retry.status).toBe(403)
  })

  it('a calendar of another tenant is none', async () => {
    const definition = { type: 'weekly', weekdays: [0] }
    await world.ask(ADMIN, 'PUT', '/api/jobs/calendars/ours', { body: { definition } })
    const { status, text } = await world.ask(STRANGER, 'POST', '/api/jobs', { body: nightly({ calendar: 'ours' }) })
    expect([status, text.includes('/calendar')]).toEqual([400, true])
  })
})

describe('S7 what one tenant was given is worth nothing to another', () => {
  it('a cursor', async () => {
    for (let count = 0; count < 3; count += 1) await make(ADMIN)
    const { body } = await world.ask(ADMIN, 'GET', '/api/jobs?limit=1')
    const cursor = String(body['nextCursor'])
    expect((await world.ask(ADMIN, 'GET', `/api/jobs?limit=1&cursor=${cursor}`)).status).toBe(200)
    const [head = '', mac = ''] = cursor.split('.')
    for (const [asker, text] of [
      [STRANGER, cursor],
      [ADMIN, `${head}x.${mac}`],
      [ADMIN, `${head}.${mac.toLowerCase() === mac ? mac.toUpperCase() : mac.toLowerCase()}`],
      [ADMIN, head],
      [ADMIN, `.${mac}`],
    ] as const) {
      const reply = await world.ask(asker, 'GET', `/api/jobs?limit=1&cursor=${text}`)
      expect([reply.status, reply.body.code], text).toEqual([400, 'invalid_cursor'])
    }
    // Nor is it one for another list of the same tenant.
    expect((await world.ask(ADMIN, 'GET', `/api/jobs/executions?cursor=${cursor}`)).body.code).toBe('invalid_cursor')
  })

  it('an entity tag', async () => {
    const [ours, theirs] = [await make(ADMIN), await make(STRANGER)]
    const etag = (await world.ask(ADMIN, 'GET', `/api/jobs/${ours}`)).headers.get('etag') ?? ''
    const change = { body: { priority: 'LOW' }, headers: { 'if-match': etag } }
    expect((await world.ask(STRANGER, 'PUT', `/api/jobs/${ours}`, change)).status).toBe(403)
    expect((await world.ask(STRANGER, 'PUT', `/api/jobs/${theirs}`, change)).status).toBe(200)
  })

  it('an idempotency key, of a request and of an execution', async () => {
    const headers = { 'idempotency-key': 'the-same' }
    const [one, other] = [nightly(), nightly()]
    const first = await world.ask(ADMIN, 'POST', '/api/jobs', { body: one, headers })
    const second = await world.ask(STRANGER, 'POST', '/api/jobs', { body: other, headers })
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).not.toBe(first.body.id)
    const enqueue = (asker: Asker, jobId: string) =>
      world.ask(asker, 'POST', '/api/jobs/enqueue', { body: { jobId, idempotencyKey: 'once', delayMs: 60_000 } })
    const made = [await enqueue(ADMIN, first.body.id), await enqueue(STRANGER, second.body.id)]
    expect(made.map(({ status }) => status)).toEqual([202, 202])
    expect(made[0]?.body.executionId).not.toBe(made[1]?.body.executionId)
  })

  it('a stream of logs, or a place in the stream of events', async () => {
    const execution = await run(ADMIN, { jobType: 'Demorar' })
    expect((await world.ask(STRANGER, 'GET', `/api/jobs/executions/${execution}/logs/stream`)).status).toBe(403)
    const events = await world.service.audit.eventsAfter(
      {
        tenant: 'globex',
        userId: 'sam',
        ownerId: null,
        profile: 'Admin',
        permissions: new Set(['jobs:read']),
        source: 'jwt',
      },
      0,
      1_000,
    )
    expect(events.filter(({ executionId }) => executionId === execution)).toEqual([])
  })
})

describe('S8 what is unique is so within a tenant', () => {
  it('a name', async () => {
    const body = nightly()
    expect((await world.ask(ADMIN, 'POST', '/api/jobs', { body })).status).toBe(201)
    expect((await world.ask(STRANGER, 'POST', '/api/jobs', { body })).status).toBe(201)
    expect((await world.ask(APPROVER, 'POST', '/api/jobs', { body })).status).toBe(409)
  })

  it('a calendar', async () => {
    const path = '/api/jobs/calendars/twice'
    const put = (asker: Asker, weekday: number) =>
      world.ask(asker, 'PUT', path, { body: { definition: { type: 'weekly', weekdays: [weekday] } } })
    expect((await put(ADMIN, 0)).status).toBe(200)
    expect((await put(STRANGER, 6)).status).toBe(200)
    const { body } = await world.ask(ADMIN, 'GET', '/api/jobs/calendars')
    const found = body.items.find((item) => (item as { name: string }).name === 'twice')
    expect(found).toMatchObject({ definition: { weekdays: [0] } })
  })
})

const OUTAGE = { from: '2026-01-01T00:00:00Z', to: '2026-01-01T01:00:00Z' }

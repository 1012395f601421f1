import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { postgres } from '../../../src/postgres.ts'
import { createApi } from '../../../src/server/create-api.ts'
import { serve } from '../../../src/server/mount/serve.ts'
import { testPontual } from '../../../src/testing/test-pontual.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { SECRET } from '../identity/world.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

describe('S36 how often somebody may ask', () => {
  const identity = { jwt: { secret: SECRET } }

  it('who has asked too often is told when to ask again', async () => {
    await using world = await openSecured({ identity, limits: { perUser: 5 } })
    const ana = await world.bearer()
    for (let count = 0; count < 5; count += 1) expect((await world.ask(ana, 'GET', '/api/jobs')).status).toBe(200)
    const { status, body, headers } = await world.ask(ana, 'GET', '/api/jobs')
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect(headers.get('ratelimit')).toMatch(/^"user";r=0;t=\d+$/)
    expect(headers.get('ratelimit-policy')).toBe('"user";q=5;w=60')
    // Others ask all the same.
    expect((await world.ask(await world.bearer({ sub: 'bia' }), 'GET', '/api/jobs')).status).toBe(200)
  })

  it.each<[string, string, string, object]>([
    ['session', 'POST', '/api/session', {}],
    ['enqueue', 'POST', '/api/jobs/enqueue', { jobName: 'none' }],
    ['approve', 'POST', '/api/jobs/0190a4b2-0000-7000-8000-00000000000f/approve', {}],
    ['execute', 'POST', '/api/jobs/0190a4b2-0000-7000-8000-00000000000f/execute', {}],
    ['key', 'POST', '/api/jobs/api-keys', {}],
  ])('whatever is asked for counts: %s', async (_what, method, path, body) => {
    await using world = await openSecured({ identity, limits: { perUser: 3 } })
    const ana = await world.bearer()
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) statuses.push((await world.ask(ana, method, path, { body })).status)
    expect(statuses.slice(0, 3)).not.toContain(429)
    expect(statuses[3]).toBe(429)
  })

  it('all of a tenant together, with however many keys', async () => {
    await using world = await openSecured({ identity, limits: { perTenant: 8 } })
    const ana = await world.bearer()
    const askers = [
      ana,
      (await world.key(ana)).headers,
      (await world.key(ana)).headers,
      await world.bearer({ sub: 'bia' }),
    ]
    const statuses: number[] = []
    for (let count = 0; count < 8; count += 1) {
      statuses.push((await world.ask(askers[count % 4] ?? ana, 'GET', '/api/jobs')).status)
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(6)
    const stranger = await world.bearer({ clienteId: 'globex' })
    expect((await world.ask(stranger, 'GET', '/api/jobs')).status).toBe(200)
  })

  it('who guesses is slowed down, whatever address he claims to have', async () => {
    await using world = await openSecured({ identity, limits: { refusals: 5 } })
    const statuses: number[] = []
    for (let count = 0; count < 8; count += 1) {
      const guess = { authorization: `Bearer guess${count}`, 'x-forwarded-for': `203.0.113.${count}` }
      statuses.push((await world.ask(guess, 'GET', '/api/jobs')).status)
    }
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429])
    expect((await world.ask(await world.bearer(), 'GET', '/api/jobs')).status).toBe(200)
  })

  describe.skipIf(isPostgresSkipped())('over two processes on one database', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })
    afterAll(() => database?.drop())

    it('is as often as over one', async () => {
      const limits = { perUser: 30, refusals: 10 }
      const open = () => openSecured({ identity, limits, store: postgres(database.url, { maxConnections: 2 }) })
      await using one = await open()
      await using other = await open()
      const ana = await one.bearer()
      const asked = await Promise.all(
        Array.from({ length: 60 }, (_, at) => (at % 2 === 0 ? one : other).ask(ana, 'GET', '/api/session')),
      )
      expect(asked.filter(({ status }) => status === 200)).toHaveLength(30)
      expect(asked.filter(({ status }) => status === 429)).toHaveLength(30)
      const guess = { authorization: 'Bearer guess' }
      const guessed = await Promise.all(
        Array.from({ length: 24 }, (_, at) => (at % 2 === 0 ? one : other).ask(guess, 'GET', '/api/session')),
      )
      expect(guessed.filter(({ status }) => status === 401)).toHaveLength(10)
    })
  })
})

describe('S37 how much one answer may hold', () => {
  let world: Secured
  let ana: Headers
  beforeAll(async () => {
    world = await openSecured({ streamsPerTenant: 5 })
    ana = await world.bearer()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  it.each([
    '/api/jobs?limit=1000000000',
    '/api/jobs?limit=201',
    '/api/jobs/executions?limit=100000',
    '/api/jobs/audit-log?limit=5000',
    '/api/jobs/audit-log?from=1900-01-01T00:00:00Z',
    '/api/jobs?offset=1000000',
    '/api/jobs?page=100000',
    '/api/jobs/dashboard?days=100000',
    '/api/jobs/kpis?windowHours=100000000',
  ])('%s', async (path) => {
    const { status } = await world.ask(ana, 'GET', path)
    expect([400, 404]).toContain(status)
  })

  it('an outage of a thousand years is not simulated', async () => {
    const body = { from: '1900-01-01T00:00:00Z', to: '2900-01-01T00:00:00Z' }
    expect((await world.ask(ana, 'POST', '/api/jobs/simulate', { body })).status).toBe(400)
  })

  it('streams beyond what a tenant may have are refused, and others have theirs', async () => {
    const controllers = Array.from({ length: 8 }, () => new AbortController())
    const open = (headers: Headers, { signal }: AbortController) =>
      fetch(`${world.url}/api/jobs/events`, { headers, signal })
    const statuses: number[] = []
    for (const controller of controllers) statuses.push((await open(ana, controller)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    const stranger = new AbortController()
    expect((await open(await world.bearer({ clienteId: 'globex' }), stranger)).status).toBe(200)
    for (const controller of [...controllers, stranger]) controller.abort()
  })

  it('no more connections are open than may be', async () => {
    const test = await testPontual({})
    const api = await createApi(test.app, { identity: { jwt: { secret: SECRET } }, service: { duties: false } })
    const served = await serve(api, { port: 0, graceMs: 100, connections: 5 })
    const sockets: Socket[] = []
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, () => {
        const socket = connect(served.port, '127.0.0.1')
        sockets.push(socket)
        return new Promise<string>((resolve) => {
          socket.on('close', () => resolve('closed'))
          socket.on('error', () => resolve('closed'))
          socket.on('data', () => resolve('answered'))
          socket.write('GET /api/jobs HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n')
        })
      }),
    )
    expect(outcomes.filter((outcome) => outcome === 'answered')).toHaveLength(5)
    for (const socket of sockets) socket.destroy()
    await served.close()
    await test.stop()
  })
})

describe('S38 one tenant that floods the queue', () => {
  it('is refused more, and nobody else is', async () => {
    await using world = await openSecured({ service: { queuedPerTenant: 20, tenantConcurrency: 1 } })
    const [ana, sam] = [await world.bearer(), await world.bearer({ clienteId: 'globex', sub: 'sam' })]
    const id = await world.job(ana, { jobType: 'Esperar' })
    const statuses: number[] = []
    const bodies: unknown[] = []
    for (let count = 0; count < 30; count += 1) {
      const { status, body } = await world.ask(ana, 'POST', `/api/jobs/${id}/execute`)
      statuses.push(status)
      if (status !== 202) bodies.push(body.code)
    }
    expect(statuses.filter((status) => status === 202).length).toBeGreaterThanOrEqual(20)
    expect(statuses.at(-1)).toBe(409)
    expect(new Set(bodies)).toEqual(new Set(['quota_exceeded']))
    for (const path of ['/api/jobs/enqueue', `/api/jobs/${id}/retry`]) {
      const body = path.endsWith('enqueue') ? { jobId: id } : undefined
      const reply = await world.ask(ana, 'POST', path, body === undefined ? {} : { body })
      expect([path, reply.body.code]).toEqual([path, 'quota_exceeded'])
    }
    const theirs = await world.job(sam)
    expect((await world.ask(sam, 'POST', `/api/jobs/${theirs}/execute`)).status).toBe(202)
    // There is room again once it is emptied.
    await world.ask(ana, 'POST', `/api/jobs/${id}/cancel`, { body: {} })
    await world.test.settle()
    expect((await world.ask(ana, 'POST', `/api/jobs/${id}/execute`)).status).toBe(202)
  })

  it('has no more jobs than it may have', async () => {
    await using world = await openSecured({ service: { jobsPerTenant: 5 } })
    const ana = await world.bearer()
    for (let count = 0; count < 5; count += 1) await world.job(ana)
    const { status, body } = await world.ask(ana, 'POST', '/api/jobs', { body: jobFields() })
    expect([status, body.code]).toEqual([409, 'quota_exceeded'])
    expect(
      (await world.ask(await world.bearer({ clienteId: 'globex' }), 'POST', '/api/jobs', { body: jobFields() })).status,
    ).toBe(201)
  })

  it.each<[string, object]>([
    ['cron', { cronExpression: '* * * * * *' }],
    ['half a minute', { cronExpression: '0,30 * * * * *' }],
    [
      'simple',
      {
        cronExpression: undefined,
        trigger: { type: 'simple', startAt: '2026-01-01T00:00:00Z', intervalMs: 1_000, repeatCount: -1 },
      },
    ],
  ])('has no more jobs of every second than it may have: %s', async (_what, fields) => {
    await using world = await openSecured({ service: { frequentJobsPerTenant: 3 } })
    const ana = await world.bearer()
    await world.ask(ana, 'PUT', '/api/jobs/settings', { body: { allowsSeconds: true } })
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) ids.push(await world.job(ana, fields))
    expect((await world.ask(ana, 'POST', '/api/jobs', { body: jobFields(fields) })).body.code).toBe('quota_exceeded')
    const slow = await world.job(ana)
    const change = { cronExpression: '* * * * * *' }
    expect((await world.ask(ana, 'PUT', `/api/jobs/${slow}`, { body: change })).body.code).toBe('quota_exceeded')
    // One of each minute is none of them, and one of them may be changed.
    expect(
      (await world.ask(ana, 'PUT', `/api/jobs/${slow}`, { body: { cronExpression: '30 * * * * *' } })).status,
    ).toBe(200)
    const [own = ''] = ids
    expect((await world.ask(ana, 'PUT', `/api/jobs/${own}`, { body: { priority: 'LOW' } })).status).toBe(200)
  })

  it('does not keep others from running: each tenant has its share', async () => {
    const ran: string[] = []
    const work = job('Trabalho', {
      run: (_input: unknown, { tenant }) => {
        ran.push(tenant)
      },
    })
    await using world = await openSecured({ jobs: [work] })
    const [ana, sam] = [await world.bearer(), await world.bearer({ clienteId: 'globex', sub: 'sam' })]
    const [ours, theirs] = [
      await world.job(ana, { jobType: 'Trabalho' }),
      await world.job(sam, { jobType: 'Trabalho' }),
    ]
    const { store } = await world.test.app.opened()
    const [flooding] = await store.jobs.find([ours])
    expect(flooding?.tenant).toBe('acme')
    await Promise.all(Array.from({ length: 100 }, () => world.ask(ana, 'POST', `/api/jobs/${ours}/execute`)))
    await world.ask(sam, 'POST', `/api/jobs/${theirs}/execute`)
    await world.test.settle()
    expect(ran).toContain('globex')
  })
})

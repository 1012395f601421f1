import { describe, expect, it } from 'vitest'
import { ana, fields, manager, openStage, refusalOf, stranger } from '../../../test/http/service/stage.ts'
import type { NewJobFields } from '../job-view.ts'

describe('the dashboard', () => {
  it('counts what a tenant has and how the last day went', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    const works = await jobs.create(ana, fields())
    const fails = await jobs.create(ana, fields({ jobType: 'Falhar' }))
    await jobs.create(ana, fields({ requiresTwoStepExecution: true }))
    await jobs.execute(stranger, (await jobs.create(stranger, fields())).id, {})
    for (const { id } of [works, works, works, fails]) await jobs.execute(ana, id, {})
    await stage.test.settle()
    expect(await overview.dashboard(ana)).toMatchObject({
      running: 0,
      queued: 0,
      waiting: 0,
      workers: { used: 0, maximum: 10 },
      jobs: { ACTIVE: 1, FAULTED: 1, PENDING_APPROVAL: 1 },
      last24Hours: { successRate: 0.75, succeeded: 3, failed: 1, timedOut: 0, cancelled: 0, retryRate: 0 },
      nodes: { alive: 1, slots: 10 },
    })
    await stage.test.advance('25h')
    // The first job has fired twice meanwhile.
    expect((await overview.dashboard(ana)).last24Hours).toMatchObject({ successRate: 1, succeeded: 1, failed: 0 })
  })

  it('of a tenant that has done nothing has no rates', async () => {
    await using stage = await openStage()
    const { successRate, retryRate, meanDurationMs } = (await stage.service.overview.dashboard(ana)).last24Hours
    expect([successRate, retryRate, meanDurationMs]).toEqual([null, null, null])
  })
})

it('the manifest has the record of the feature, and figures of now', async () => {
  await using stage = await openStage()
  const { jobs, overview } = stage.service
  const { id } = await jobs.create(ana, fields())
  await jobs.create(ana, fields({ requiresTwoStepExecution: true }))
  await jobs.execute(ana, id, {})
  await stage.test.settle()
  expect(await overview.manifest(manager)).toMatchObject({
    rfId: 'RF-112',
    nome: 'Jobs e Tarefas Agendadas',
    rota: '/jobs',
    permissaoRequerida: 'jobs:read',
    dependencias: ['RF-004', 'RF-013', 'RF-066'],
    metricas: { jobsAtivos: 1, taxaSucesso: 100, workersUtilizados: 0 },
    menu: {
      modulo: 'Service Desk',
      submenu: 'Automação',
      item: 'Jobs e Tarefas Agendadas',
      ordem: 40,
      visivelSe: 'jobs:read',
    },
  })
})

describe('the queue', () => {
  it('tells how long the oldest of what could begin has waited', async () => {
    await using stage = await openStage({}, { tenantConcurrency: 1 })
    const { jobs, overview } = stage.service
    const oldest = async (who = ana) => (await overview.dashboard(who)).queue.oldestWaitMs
    const { id } = await jobs.create(ana, fields({ jobType: 'Demorar', cronExpression: '0 0 1 12 *' }))
    expect(await oldest()).toBeNull()
    for (let n = 0; n < 3; n += 1) {
      await jobs.execute(ana, id, {})
      await stage.test.settle()
      await stage.test.advance('10s')
    }
    expect(await oldest()).toBe(20_000)
    expect(await oldest(stranger)).toBeNull()
    expect(await overview.counters(ana)).toEqual({ running: 1, queued: 2, waiting: 0, workersUsed: 1 })
  })
})

describe('an outage', () => {
  const outage = { from: '2026-01-01T10:00:30Z', to: '2026-01-01T10:10:30Z' }

  it('is simulated for each job that fires, under each policy', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    const { id, name } = await jobs.create(ana, fields({ cronExpression: '* * * * *' }))
    await jobs.create(ana, fields({ requiresTwoStepExecution: true }))
    await jobs.create(stranger, fields())
    const next = '2026-01-01T10:11:00.000Z'
    const { jobs: simulated } = await overview.simulate(ana, outage)
    expect(simulated).toMatchObject([
      {
        jobId: id,
        name,
        policy: 'fireNow',
        missed: 10,
        policies: {
          fireNow: { executions: 1, scheduledAt: ['2026-01-01T10:01:00.000Z'], consolidated: 9, nextExecution: next },
          fireOnce: { executions: 1, scheduledAt: ['2026-01-01T10:10:00.000Z'], consolidated: 9, nextExecution: next },
          fireAll: { executions: 10, consolidated: 0, skipped: 0, dropped: 0, nextExecution: next },
          skipToNext: { executions: 0, scheduledAt: [], skipped: 10, nextExecution: next },
        },
      },
    ])
    expect(simulated[0]?.missedAt).toHaveLength(10)
    expect([simulated[0]?.missedAt[0], simulated[0]?.missedAt[9]]).toEqual([
      '2026-01-01T10:01:00.000Z',
      '2026-01-01T10:10:00.000Z',
    ])
    expect((await overview.simulate(ana, { ...outage, jobId: id })).jobs).toEqual(simulated)
  })

  it.each([
    ['continue', ['nightly']],
    ['stop', []],
  ] as const)('is simulated for a FAULTED job only if it continues to fire: %s', async (onFaulted, expected) => {
    await using stage = await openStage({}, { onFaulted })
    const { jobs, overview } = stage.service
    const job = { name: 'nightly', jobType: 'Falhar', cronExpression: '* * * * *' }
    const { id } = await jobs.create(ana, fields(job))
    await jobs.execute(ana, id, {})
    await stage.test.settle()
    expect((await jobs.get(ana, id)).status).toBe('FAULTED')
    expect((await overview.simulate(ana, outage)).jobs.map(({ name }) => name)).toEqual(expected)
  })

  it('is told of all jobs but those that it would take too long to work out', async () => {
    await using stage = await openStage()
    const { jobs, administration, overview } = stage.service
    await administration.putCalendar(ana, 'odd', { type: 'cron', expression: '1-59/2 * * * *' })
    const costly = await jobs.create(ana, fields({ cronExpression: '* * * * *', calendar: 'odd' }))
    const plain = await jobs.create(ana, fields({ name: 'plain', cronExpression: '0 3 * * *' }))
    const year = { from: '2026-01-01T10:00:00Z', to: '2026-12-31T10:00:00Z' }
    const { jobs: simulated, tooLong } = await overview.simulate(ana, year)
    expect(simulated).toMatchObject([{ jobId: plain.id, missed: 364 }])
    expect(tooLong).toEqual([{ jobId: costly.id, name: costly.name }])
    await expect(overview.simulate(ana, { ...year, jobId: costly.id })).rejects.toMatchObject({
      code: 'validation_failed',
    })
  })

  it('that hits nothing has nothing missed', async () => {
    await using stage = await openStage()
    const { id } = await stage.service.jobs.create(ana, fields({ cronExpression: '0 2 * * *' }))
    const { jobs } = await stage.service.overview.simulate(ana, { ...outage, jobId: id })
    expect(jobs).toMatchObject([{ missed: 0, missedAt: [], policies: { fireAll: { executions: 0, dropped: 0 } } }])
  })

  it.each<[string, Partial<NewJobFields>, string]>([
    ['smart, by a cron', {}, 'fireNow'],
    ['its own', { misfirePolicy: 'skipToNext' }, 'skipToNext'],
    ['one that is none of the four', { misfirePolicy: 'ignore' }, 'ignore'],
    [
      'smart, by an interval',
      {
        cronExpression: undefined,
        trigger: { type: 'simple', startAt: '2026-01-01T00:00:00.000Z', intervalMs: 60_000, repeatCount: -1 },
      },
      'rescheduleNextWithRemainingCount',
    ],
  ])('is simulated under the policy of the job too: %s', async (_, change, policy) => {
    await using stage = await openStage()
    const { id } = await stage.service.jobs.create(ana, fields({ cronExpression: '* * * * *', ...change }))
    const [simulated] = (await stage.service.overview.simulate(ana, { ...outage, jobId: id })).jobs
    expect(simulated?.policy).toBe(policy)
    expect(simulated?.policies).toHaveProperty(policy)
  })

  it('is simulated a page at a time, and a cursor holds for its outage', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    const names = Array.from({ length: 203 }, (_, index) => `job ${String(index).padStart(4, '0')}`)
    for (const name of names) await jobs.create(ana, fields({ name }))
    const first = await overview.simulate(ana, outage)
    const second = await overview.simulate(ana, { ...outage, cursor: first.nextCursor ?? '' })
    expect([...first.jobs, ...second.jobs].map(({ name }) => name)).toEqual(names)
    expect([first.jobs.length, second.nextCursor]).toEqual([200, null])
    const other = { ...outage, to: '2026-01-01T11:00:00Z', cursor: first.nextCursor ?? '' }
    expect(await refusalOf(overview.simulate(ana, other))).toBe('InvalidInputError invalid_cursor')
  })

  it.each<[string, object, object]>([
    ['that ends before it begins', { to: '2026-01-01T09:00:00Z' }, { '/to': 'out_of_range' }],
    ['of more than a year', { to: '2027-06-01T09:00:00Z' }, { '/to': 'out_of_range' }],
    ['without a beginning', { from: 'yesterday' }, { '/from': 'format_invalid' }],
  ])('%s is refused', async (_, change, expected) => {
    await using stage = await openStage()
    expect(await refusalOf(stage.service.overview.simulate(ana, { ...outage, ...change }))).toEqual(expected)
  })
})

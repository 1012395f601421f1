import { describe, expect, test } from 'vitest'
import { ana, fields, manager, openStage, refusalOf, stranger } from '../../../test/service/stage.ts'

describe('the dashboard', () => {
  test('counts what a tenant has and how the last day went', async () => {
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

  test('of a tenant that has done nothing has no rates', async () => {
    await using stage = await openStage()
    const { successRate, retryRate, meanDurationMs } = (await stage.service.overview.dashboard(ana)).last24Hours
    expect([successRate, retryRate, meanDurationMs]).toEqual([null, null, null])
  })
})

test('the manifest has the record of the feature, and figures of now', async () => {
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

describe('an outage', () => {
  const outage = { from: '2026-01-01T10:00:30Z', to: '2026-01-01T10:10:30Z' }

  test('is simulated for each job that fires, under each policy', async () => {
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
        missed: 10,
        policies: {
          fireNow: { executions: 1, scheduledAt: ['2026-01-01T10:01:00.000Z'], nextExecution: next },
          fireOnce: { executions: 1, scheduledAt: ['2026-01-01T10:10:00.000Z'], nextExecution: next },
          fireAll: { executions: 10, nextExecution: next },
          skipToNext: { executions: 0, scheduledAt: [], nextExecution: next },
        },
      },
    ])
    expect((await overview.simulate(ana, { ...outage, jobId: id })).jobs).toEqual(simulated)
  })

  test.each<[string, object, object]>([
    ['that ends before it begins', { to: '2026-01-01T09:00:00Z' }, { '/to': 'out_of_range' }],
    ['of more than a year', { to: '2027-06-01T09:00:00Z' }, { '/to': 'out_of_range' }],
    ['without a beginning', { from: 'yesterday' }, { '/from': 'format_invalid' }],
  ])('%s is refused', async (_, change, expected) => {
    await using stage = await openStage()
    expect(await refusalOf(stage.service.overview.simulate(ana, { ...outage, ...change }))).toEqual(expected)
  })
})

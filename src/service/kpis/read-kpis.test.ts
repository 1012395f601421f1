import { describe, expect, it } from 'vitest'
import { ana, bia, fields, openStage, type Stage, stranger } from '../../../test/http/service/stage.ts'
import { job } from '../../job/type/job-type.ts'
import { type ServiceOptions, serviceRules } from '../options.ts'
import { Scopes } from '../scope.ts'
import { KPI_KEYS } from './kpi.ts'
import { readFigures } from './read-kpis.ts'

interface Asked {
  readonly seconds?: number
  readonly fails?: 'once' | 'always'
}

/** A stage with a job type that takes its time, and fails as it is told. */
async function openSlowStage(rules: ServiceOptions = {}): Promise<Stage> {
  const slow = job('lento', {
    retry: { retries: 1, initial: '1m' },
    run: async (input: Asked | undefined, { attempt }) => {
      const ms = (input?.seconds ?? 0) * 1_000
      await new Promise<void>((resolve) => stage.test.app.env.after(ms, resolve))
      if (input?.fails === 'always' || (input?.fails === 'once' && attempt === 1)) throw new Error('no such file')
    },
  })
  const stage = await openStage({ jobs: [slow] }, rules)
  return stage
}

async function valuesOf({ service }: Stage, windowHours = 24, who = ana): Promise<Record<string, unknown>> {
  const { items } = await service.overview.kpis(who, { windowHours })
  return Object.fromEntries(items.map(({ key, value, isMet }) => [key, [value, isMet]]))
}

describe('the KPIs of a tenant', () => {
  it('are read once for all who ask meanwhile', async () => {
    await using stage = await openStage()
    const scopes = new Scopes(stage.test.app, serviceRules({ duties: false }))
    const [own, another, other] = [await scopes.of(ana), await scopes.of(bia), await scopes.of(stranger)]
    const [first, second, longer, strange] = await Promise.all([
      readFigures(own, 24),
      readFigures(another, 24),
      readFigures(own, 25),
      readFigures(other, 24),
    ])
    expect(second).toBe(first)
    expect(longer).not.toBe(first)
    expect(strange).not.toBe(first)
    expect(await readFigures(own, 24)).not.toBe(first)
    scopes.close()
  })

  it('have nothing to tell where nothing was done, but for the scheduler', async () => {
    await using stage = await openStage()
    await stage.test.advance('2m')
    const { items, punctuality } = await stage.service.overview.kpis(ana)
    expect(items.map(({ key, value }) => [key, value])).toEqual(
      KPI_KEYS.map((key) => [key, { workerUtilization: 0, schedulerAvailability: 100 }[key as string] ?? null]),
    )
    expect(punctuality).toEqual({
      windowHours: 24,
      executions: 0,
      onTimeRate: null,
      p50Ms: null,
      p95Ms: null,
      p99Ms: null,
      maxMs: null,
    })
  })

  it('are told in the language asked for, with formula, window and target', async () => {
    await using stage = await openStage()
    const { items } = await stage.service.overview.kpis(ana, { language: 'pt-BR', windowHours: 6 })
    expect(items[0]).toEqual({
      key: 'successRate',
      name: 'Taxa de Sucesso de Jobs',
      value: null,
      unit: 'percent',
      target: { min: 95 },
      isMet: null,
      formula: 'Execuções bem-sucedidas / (bem-sucedidas + falhadas + com timeout) × 100',
      windowHours: 6,
    })
    const english = await stage.service.overview.kpis(ana)
    expect(english.items.map(({ name }) => name)).toEqual([
      'Job success rate',
      'Mean execution time',
      'Retry rate',
      'Worker utilization',
      'Queue time',
      'MTTR (mean time to recover)',
      'Scheduler availability',
      'Failure alerts sent',
    ])
  })

  it('are measured from its executions, and from no other tenant’s', async () => {
    await using stage = await openSlowStage({ tenantConcurrency: 2 })
    const { jobs } = stage.service
    const { id } = await jobs.create(ana, fields({ jobType: 'lento', retryCount: 1 }))
    for (const payload of [{ seconds: 60 }, { seconds: 120, fails: 'once' }]) await jobs.execute(ana, id, { payload })
    await stage.test.advance('1h')
    const other = await jobs.create(stranger, fields({ jobType: 'lento', retryCount: 0 }))
    await jobs.execute(stranger, other.id, { payload: { fails: 'always' } })
    await stage.test.advance('1m')
    expect(await valuesOf(stage, 2)).toMatchObject({
      successRate: [100, true],
      retryRate: [50, false],
      // 60 s, and twice 120 s: of two workers and two hours.
      workerUtilization: [expect.closeTo((300 / (2 * 7_200)) * 100, 5), false],
      meanDuration: [90, false],
      failureAlertsSent: [null, null],
    })
    expect(await valuesOf(stage, 2, stranger)).toMatchObject({ successRate: [0, false] })
    expect((await stage.service.overview.dashboard(ana)).metrics).toEqual({
      executionsRunning: 0,
      workersUsed: 0,
      executionsQueued: 0,
      successRate: 1,
      meanDurationMs: 90_000,
      consecutiveFailures: 0,
    })
    expect((await stage.service.overview.dashboard(stranger)).metrics.consecutiveFailures).toBe(1)
  })

  it('tell how long it takes to recover, from the failure that faulted a job to its next success', async () => {
    await using stage = await openSlowStage()
    const { jobs } = stage.service
    const { id } = await jobs.create(ana, fields({ jobType: 'lento', retryCount: 0 }))
    await jobs.execute(ana, id, { payload: { fails: 'always' } })
    await stage.test.advance('20m')
    expect(await valuesOf(stage)).toMatchObject({ meanTimeToRecover: [null, null], successRate: [0, false] })
    await jobs.execute(bia, id, {})
    await stage.test.advance('1s')
    expect(await valuesOf(stage)).toMatchObject({ meanTimeToRecover: [expect.closeTo(20, 1), true] })
  })

  it('tell how much of the time a node lived', async () => {
    await using stage = await openStage()
    for (let minute = 0; minute < 10; minute += 1) await stage.test.advance('1m')
    expect(await valuesOf(stage, 1)).toMatchObject({ schedulerAvailability: [100, true] })
  })

  it('stand beside the lateness of occurrences', async () => {
    await using stage = await openStage()
    await stage.service.jobs.create(ana, fields({ cronExpression: '* * * * *' }))
    await stage.test.advance('10m')
    const { punctuality } = await stage.service.overview.kpis(ana, { windowHours: 1 })
    expect(punctuality).toEqual({
      windowHours: 1,
      executions: 10,
      onTimeRate: 1,
      p50Ms: 0,
      p95Ms: 0,
      p99Ms: 0,
      maxMs: 0,
    })
    const dashboard = await stage.service.overview.dashboard(ana)
    expect(dashboard.punctuality).toEqual({ ...punctuality, windowHours: 24 })
    expect(dashboard.kpis.map(({ key }) => key)).toEqual(KPI_KEYS)
  })
})

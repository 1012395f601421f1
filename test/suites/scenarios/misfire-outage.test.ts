import { afterEach, describe, expect, it } from 'vitest'
import type { PontualOptions } from '../../../src/engine/app/options.ts'
import type { DeclaredSchedule } from '../../../src/job/schedule-options.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import {
  calendarInterval,
  cron,
  dailyTimeInterval,
  type MisfireOptions,
  type MisfirePolicy,
  type MisfirePolicyName,
  type Trigger,
} from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { clock, occurrencesOf, type Recording, recording, told } from './observed.ts'
import { RecordedLog } from './recorded.ts'

const DAY = '2026-03-02'
const on = (time: string) => at(`${DAY}T${time}${time.length === 5 ? ':00' : ''}Z`)
const TEN = ['10:01', '10:02', '10:03', '10:04', '10:05', '10:06', '10:07', '10:08', '10:09', '10:10']

const started: TestPontual[] = []
afterEach(async () => {
  for (const test of started.splice(0)) await test.stop()
})

interface Outage {
  readonly test: TestPontual
  readonly tick: Recording
}

/** A job of every minute fires at 10:00, its node stops, and comes back. */
async function backAt(
  time: string,
  schedule: Partial<DeclaredSchedule<undefined>> = {},
  options: Omit<PontualOptions, 'store' | 'jobs'> = {},
): Promise<Outage> {
  const store = memory()
  const tick = recording('tick', { trigger: cron('* * * * *'), ...schedule })
  const before = await testPontual({ ...options, store, jobs: [tick.type], startAt: on('09:59:30') })
  await before.advanceTo(on('10:00:20'))
  await before.stop()
  expect(occurrencesOf(tick)).toEqual(['10:00'])
  tick.runs.length = 0
  const test = await testPontual({ ...options, store, jobs: [tick.type], startAt: on(time) })
  started.push(test)
  return { test, tick }
}

const ledgerOf = async (test: TestPontual, name = 'tick') =>
  told(await test.app.ledger(name, on('10:00:01'), on('23:59')))

describe('every minute, threshold 1 min, last fired 10:00, back at 10:10:30', () => {
  const LATE = TEN.map((time) => `1 firedLate ${time} outage`)
  const OLDEST = ['1 firedLate 10:01 outage', '9 consolidated 10:02-10:10 outage']
  it.each<[MisfirePolicyName | undefined, string[], MisfirePolicy | null, string[]]>([
    ['fireNow', ['10:01'], 'fireNow', OLDEST],
    ['fireImmediately', ['10:01'], 'fireNow', OLDEST],
    ['fireOnceNow', ['10:01'], 'fireNow', OLDEST],
    ['smart', ['10:01'], 'fireNow', OLDEST],
    [undefined, ['10:01'], 'fireNow', OLDEST],
    ['fireOnce', ['10:10'], 'fireOnce', ['9 consolidated 10:01-10:09 outage', '1 firedLate 10:10 outage']],
    ['fireAll', TEN, 'fireAll', LATE],
    ['ignore', TEN, 'ignore', LATE],
    ['skipToNext', [], null, ['10 skipped 10:01-10:10 outage']],
    ['skipAndScheduleNext', [], null, ['10 skipped 10:01-10:10 outage']],
    ['doNothing', [], null, ['10 skipped 10:01-10:10 outage']],
  ])('%s runs %j', async (policy, occurrences, named, ledger) => {
    const { test, tick } = await backAt('10:10:30', { misfire: { policy } })
    expect(occurrencesOf(tick)).toEqual(occurrences)
    for (const { scheduledAt, misfire } of tick.runs) {
      expect(misfire).toEqual({
        scheduledAt,
        detectedAt: on('10:10:30'),
        delayMs: on('10:10:30') - (scheduledAt ?? 0),
        policy: named,
        missedCount: 10,
        cause: 'outage',
      })
    }
    expect(await ledgerOf(test)).toEqual(ledger)
    expect((await test.app.job('tick'))?.schedule.nextFireAt).toBe(on('10:11'))

    tick.runs.length = 0
    await test.advanceTo(on('10:12:59'))
    expect(occurrencesOf(tick)).toEqual(['10:11', '10:12'])
    expect(tick.runs.map(({ misfire }) => misfire)).toEqual([null, null])
  })

  it('the execution keeps what its handler was told of the misfire', async () => {
    const { test, tick } = await backAt('10:10:30', { misfire: { policy: 'fireOnce' } })
    const [run] = tick.runs
    const execution = await test.app.execution(run?.executionId ?? '')
    expect(execution?.options?.misfire).toEqual(run?.misfire)
    expect(execution).toMatchObject({ status: 'SUCCESS', origin: 'schedule', scheduledAt: on('10:10') })
  })

  it.each<[string, Trigger]>([
    ['calendar interval', calendarInterval({ startAt: on('00:00'), every: 1, unit: 'minute' })],
    ['daily interval', dailyTimeInterval({ every: 1, unit: 'minute', from: '00:00', to: '23:59' })],
  ])('smart is one run now for a %s', async (_kind, trigger) => {
    const { test, tick } = await backAt('10:10:30', { trigger })
    expect(occurrencesOf(tick)).toEqual(['10:01'])
    expect(tick.runs[0]?.misfire).toMatchObject({ policy: 'fireNow', missedCount: 10 })
    expect((await test.app.job('tick'))?.schedule.nextFireAt).toBe(on('10:11'))
  })

  it('a second restart handles nothing again', async () => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    for (const startAt of ['10:00:30', '10:05:30', '10:05:31', '10:05:32']) {
      await using _ = await testPontual({ store, jobs: [tick.type], startAt: on(startAt) })
    }
    expect(occurrencesOf(tick)).toEqual(['10:01', '10:02', '10:03', '10:04', '10:05'])
  })
})

describe('the threshold', () => {
  it.each<[string, Partial<MisfireOptions>, string | undefined, string[], number]>([
    ['10:01:30', {}, undefined, ['10:01'], 0],
    ['10:02:00', {}, undefined, ['10:01', '10:02'], 0],
    ['10:02:00.001', {}, undefined, ['10:01'], 2],
    ['10:06:00', { threshold: '5m' }, undefined, TEN.slice(0, 6), 0],
    ['10:06:00.001', { threshold: '5m' }, undefined, ['10:01'], 6],
    ['10:06:00', {}, '5m', TEN.slice(0, 6), 0],
    ['10:06:00.001', {}, '5m', ['10:01'], 6],
    ['10:01:01', { threshold: 0 }, '5m', ['10:01'], 1],
    ['10:01:30', { threshold: '10s' }, '5m', ['10:01'], 1],
  ])(
    'back at %s with %j and a scheduler of %s runs %j with %i missed',
    async (time, own, ofScheduler, occurrences, missed) => {
      const { tick } = await backAt(time, { misfire: own }, { misfireThreshold: ofScheduler, node: { slots: 1 } })
      expect(occurrencesOf(tick)).toEqual(occurrences)
      for (const { misfire } of tick.runs) expect(misfire?.missedCount ?? 0).toBe(missed)
    },
  )

  it('back at 10:01:30 the run is on time, says so, and logs nothing', async () => {
    const { logger, lines } = new RecordedLog()
    const { test, tick } = await backAt('10:01:30', {}, { logger })
    expect(tick.runs[0]?.misfire).toBeNull()
    expect(await ledgerOf(test)).toEqual(['1 fired 10:01'])
    expect((await test.app.job('tick'))?.schedule.nextFireAt).toBe(on('10:02'))
    expect(lines.filter(({ level }) => level === 'warn' || level === 'error')).toEqual([])
  })

  it('each job has its own', async () => {
    const store = memory()
    const strict = recording('strict', { trigger: cron('0 * * * *'), misfire: { policy: 'skipToNext' } })
    const loose = recording('loose', {
      trigger: cron('0 * * * *'),
      misfire: { policy: 'skipToNext', threshold: '2h' },
    })
    const jobs = [strict.type, loose.type]
    await (await testPontual({ store, jobs, startAt: on('10:30') })).stop()
    await using test = await testPontual({ store, jobs, startAt: on('12:30') })
    expect(occurrencesOf(strict)).toEqual([])
    expect(occurrencesOf(loose)).toEqual(['11:00', '12:00'])
    expect(await ledgerOf(test, 'strict')).toEqual(['2 skipped 11:00-12:00 outage'])
    expect(await ledgerOf(test, 'loose')).toEqual(['1 fired 11:00', '1 fired 12:00'])
  })
})

describe('the catch-up', () => {
  it('runs the newest thousand, the oldest of them first, and records what it drops', async () => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('00:00') })).stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('23:00:30') })
    expect(tick.runs).toHaveLength(1_000)
    expect(tick.runs.map(({ scheduledAt }) => scheduledAt)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => on('23:00') - (999 - index) * 60_000),
    )
    expect(tick.runs[0]?.misfire).toMatchObject({ missedCount: 1_380, policy: 'fireAll' })
    const ledger = await test.app.ledger('tick', on('00:00'), on('23:59'))
    expect(told(ledger.slice(0, 2))).toEqual(['380 dropped 00:01-06:20 outage', '1 firedLate 06:21 outage'])
    expect(ledger).toHaveLength(1_001)
  })

  it.each<[MisfireOptions['catchUp'], string[], string[]]>([
    [{ limit: 3 }, ['10:08', '10:09', '10:10'], ['7 dropped 10:01-10:07 outage']],
    [{ limit: 0 }, [], ['10 dropped 10:01-10:10 outage']],
    [{ maxAge: '3m' }, ['10:08', '10:09', '10:10'], ['7 dropped 10:01-10:07 outage']],
    [{ limit: 2, order: 'newestFirst' }, ['10:10', '10:09'], ['8 dropped 10:01-10:08 outage']],
  ])('%j runs %j', async (catchUp, occurrences, dropped) => {
    const { test, tick } = await backAt('10:10:30', { misfire: { policy: 'fireAll', catchUp } }, { node: { slots: 1 } })
    expect(occurrencesOf(tick)).toEqual(occurrences)
    const late = [...occurrences].sort((a, b) => a.localeCompare(b)).map((time) => `1 firedLate ${time} outage`)
    expect(await ledgerOf(test)).toEqual([...dropped, ...late])
  })

  it('spaces the runs where it is told to', async () => {
    const startedAt: number[] = []
    const store = memory()
    const misfire = { policy: 'fireAll', catchUp: { limit: 3, spacing: '10s' } } as const
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('10:00:10') })).stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:10:05') })
    for (let second = 0; second <= 20; second += 5) {
      startedAt.push(tick.runs.length)
      await test.advance('5s')
    }
    expect(startedAt).toEqual([1, 1, 2, 2, 3])
  })
})

describe('a long outage', () => {
  const MINUTES_OF_TWO_YEARS = 2 * 365 * 24 * 60

  it.each<[MisfirePolicyName, number]>([
    ['fireNow', 1],
    ['fireOnce', 1],
    ['skipToNext', 0],
    ['fireAll', 1_000],
    ['smart', 1],
    ['ignore', 1_000],
  ])('of two years leaves %s with %i runs and accounts for each minute', async (policy, runs) => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy } })
    await (await testPontual({ store, jobs: [tick.type], startAt: at('2024-03-02T10:00:30Z') })).stop()
    const startedAt = process.hrtime.bigint()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:00:30') })
    const tookMs = Number(process.hrtime.bigint() - startedAt) / 1e6
    expect(tick.runs).toHaveLength(runs)
    const ledger = await test.app.ledger('tick', at('2024-03-02T00:00Z'), on('23:59'))
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(MINUTES_OF_TWO_YEARS)
    expect(tookMs).toBeLessThan(1_000)
  })

  it('of three thousand jobs is handled in full, each job once', async () => {
    const store = memory()
    const names = Array.from({ length: 3_000 }, (_, index) => `job-${String(index).padStart(4, '0')}`)
    const many = recording(
      'many',
      names.map((name) => ({ name, trigger: cron('*/5 * * * *'), misfire: { policy: 'fireOnce' as const } })),
    )
    await (await testPontual({ store, jobs: [many.type], startAt: on('10:00:30') })).stop()
    const { logger, lines } = new RecordedLog()
    await using test = await testPontual({ store, jobs: [many.type], startAt: on('11:02'), logger })
    expect(many.runs).toHaveLength(3_000)
    expect(new Set(many.runs.map(({ jobId }) => jobId)).size).toBe(3_000)
    expect(new Set(occurrencesOf(many))).toEqual(new Set(['11:00']))
    expect(lines.filter(({ message }) => message === 'job.misfired')).toHaveLength(3_000)
    expect((await test.app.job('job-2999'))?.schedule.nextFireAt).toBe(on('11:05'))
  })

  it('of many jobs that catch up runs all of it', async () => {
    const store = memory()
    const schedules = Array.from({ length: 12 }, (_, index) => ({
      name: `job-${index}`,
      trigger: cron('* * * * *'),
      misfire: { policy: 'fireAll' as const },
    }))
    const many = recording('many', schedules)
    await (await testPontual({ store, jobs: [many.type], startAt: on('01:00:30') })).stop()
    await using test = await testPontual({ store, jobs: [many.type], startAt: on('11:00:30') })
    expect(many.runs).toHaveLength(12 * 600)
    const keys = many.runs.map(({ jobId, scheduledAt }) => `${jobId} ${scheduledAt}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(test.now()).toBe(on('11:00:30'))
  })
})

describe('the warning', () => {
  it.each<[MisfirePolicyName, MisfirePolicy]>([
    ['smart', 'fireNow'],
    ['fireOnce', 'fireOnce'],
    ['fireAll', 'fireAll'],
    ['skipAndScheduleNext', 'skipToNext'],
  ])('names job, count, policy and next run for %s', async (policy, named) => {
    const { logger, lines } = new RecordedLog()
    await backAt('10:10:30', { misfire: { policy } }, { logger })
    expect(lines.filter(({ level }) => level === 'warn')).toEqual([
      {
        level: 'warn',
        message: 'job.misfired',
        fields: expect.objectContaining({
          job: 'tick',
          missed: 10,
          policy: named,
          cause: 'outage',
          nextFireAt: '2026-03-02T10:11:00.000Z',
        }) as unknown,
      },
    ])
  })

  it('is one per job', async () => {
    const { logger, lines } = new RecordedLog()
    const store = memory()
    const two = recording('two', [
      { name: 'hourly', trigger: cron('0 * * * *'), misfire: { policy: 'fireAll' } },
      { name: 'daily', trigger: cron('0 12 * * *'), misfire: { policy: 'skipToNext' } },
      { name: 'weekly', trigger: cron('0 12 * * SAT') },
    ])
    await (await testPontual({ store, jobs: [two.type], startAt: on('10:30') })).stop()
    await using _ = await testPontual({ store, jobs: [two.type], startAt: on('15:30'), logger })
    const warned = lines.filter(({ level }) => level === 'warn').map(({ fields }) => [fields['job'], fields['missed']])
    expect(new Map(warned as [string, number][])).toEqual(
      new Map([
        ['daily', 1],
        ['hourly', 5],
      ]),
    )
    expect(warned).toHaveLength(2)
  })

  it('says where nothing comes next', async () => {
    const { logger, lines } = new RecordedLog()
    const { test } = await backAt('10:10:30', { trigger: cron('* * * * *', { endAt: on('10:10:01') }) }, { logger })
    const [line] = lines.filter(({ message }) => message === 'job.misfired')
    expect(line?.fields['nextFireAt']).toBeNull()
    expect(clock((await test.app.job('tick'))?.schedule.nextFireAt ?? null)).toBe('never')
  })
})

import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { type TestPontual, testPontual } from '../../../src/testing.ts'
import { cron, type MisfireOptions, type MisfirePolicy, type MisfirePolicyName, once } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { Gate } from './gate.ts'
import { occurrencesOf, type Recording, recording, told } from './observed.ts'
import { type RecordedLine, RecordedLog } from './recorded.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)
const TEN = ['10:01', '10:02', '10:03', '10:04', '10:05', '10:06', '10:07', '10:08', '10:09', '10:10']

interface Overload extends AsyncDisposable {
  readonly test: TestPontual
  readonly tick: Recording
  readonly lines: RecordedLine[]
}

/** The only slot is taken from 10:00:30 up to an instant, while a job of every minute becomes due. */
async function busyUntil(time: string, misfire: MisfireOptions): Promise<Overload> {
  const { logger, lines } = new RecordedLog()
  const busy = new Gate()
  const hog = job('hog', { run: () => busy.opened })
  const tick = recording('tick', { trigger: cron('* * * * *'), misfire })
  const test = await testPontual({
    store: memory(),
    jobs: [tick.type, hog],
    startAt: on('09:59:30'),
    node: { slots: 1 },
    logger,
  })
  await test.advanceTo(on('10:00:30'))
  await test.app.enqueue(hog)
  await test.advanceTo(on(time))
  expect(occurrencesOf(tick)).toEqual(['10:00'])
  tick.runs.length = 0
  busy.open()
  await test.settle()
  return { test, tick, lines, [Symbol.asyncDispose]: () => test.stop() }
}

const ledgerOf = async ({ test }: Overload) => told(await test.app.ledger('tick', on('10:00:01'), on('23:59')))

describe('every minute, all slots busy from 10:00:30 to 10:10:30', () => {
  const late = (time: string) => `1 firedLate ${time} overload`
  const consolidated = (time: string) => `1 consolidated ${time} overload`
  it.each<[MisfirePolicyName, string[], MisfirePolicy, string[]]>([
    ['fireNow', ['10:01'], 'fireNow', [late('10:01'), ...TEN.slice(1).map(consolidated)]],
    ['fireImmediately', ['10:01'], 'fireNow', [late('10:01'), ...TEN.slice(1).map(consolidated)]],
    ['smart', ['10:01'], 'fireNow', [late('10:01'), ...TEN.slice(1).map(consolidated)]],
    ['fireOnce', ['10:10'], 'fireOnce', [...TEN.slice(0, -1).map(consolidated), late('10:10')]],
    ['skipToNext', [], 'skipToNext', TEN.map((time) => `1 skipped ${time} overload`)],
    ['skipAndScheduleNext', [], 'skipToNext', TEN.map((time) => `1 skipped ${time} overload`)],
  ])('%s runs %j', async (policy, occurrences, named, ledger) => {
    await using overload = await busyUntil('10:10:30', { policy })
    const { test, tick } = overload
    expect(occurrencesOf(tick)).toEqual(occurrences)
    expect(await ledgerOf(overload)).toEqual(ledger)
    for (const { scheduledAt, misfire } of tick.runs) {
      expect(misfire).toEqual({
        scheduledAt,
        detectedAt: on('10:10:30'),
        delayMs: on('10:10:30') - (scheduledAt ?? 0),
        policy: named,
        missedCount: 10,
        cause: 'overload',
      })
    }
    tick.runs.length = 0
    await test.advanceTo(on('10:11:30'))
    expect(occurrencesOf(tick)).toEqual(['10:11'])
    expect(tick.runs[0]?.misfire).toBeNull()
  })

  it.each<[MisfirePolicyName]>([['fireAll'], ['ignore']])(
    '%s runs each in order, late ones with their misfire',
    async (policy) => {
      await using overload = await busyUntil('10:10:30', { policy })
      const { tick } = overload
      expect(occurrencesOf(tick)).toEqual(TEN)
      expect(tick.runs.slice(0, 9).map(({ misfire }) => misfire)).toEqual(
        TEN.slice(0, 9).map((time) => ({
          scheduledAt: on(time),
          detectedAt: on('10:10:30'),
          delayMs: on('10:10:30') - on(time),
          policy,
          missedCount: expect.any(Number) as unknown,
          cause: 'overload',
        })),
      )
      const ledger = await ledgerOf(overload)
      expect(ledger).toHaveLength(10)
      expect(ledger.slice(0, 9)).toEqual(TEN.slice(0, 9).map(late))
    },
  )

  it('what is consolidated or skipped ends CANCELLED and says why', async () => {
    await using overload = await busyUntil('10:10:30', { policy: 'fireNow' })
    const executions = await overload.test.app.executions({ jobType: 'tick', statuses: ['CANCELLED'] })
    expect(executions).toHaveLength(9)
    expect(new Set(executions.map(({ error }) => error?.code))).toEqual(new Set(['execution.consolidated']))
  })

  it('the execution keeps what its handler was told', async () => {
    await using overload = await busyUntil('10:10:30', { policy: 'fireNow' })
    const [run] = overload.tick.runs
    const execution = await overload.test.app.execution(run?.executionId ?? '')
    expect(execution?.options?.misfire).toEqual(run?.misfire)
  })

  it.each<[MisfirePolicyName, MisfirePolicy]>([
    ['smart', 'fireNow'],
    ['fireOnce', 'fireOnce'],
    ['skipToNext', 'skipToNext'],
  ])('%s warns once, with name, count, policy and next run', async (policy, named) => {
    await using overload = await busyUntil('10:10:30', { policy })
    expect(overload.lines.filter(({ message }) => message === 'job.misfired')).toEqual([
      {
        level: 'warn',
        message: 'job.misfired',
        fields: expect.objectContaining({
          job: 'tick',
          missed: 10,
          policy: named,
          cause: 'overload',
          nextFireAt: '2026-03-02T10:11:00.000Z',
        }) as unknown,
      },
    ])
  })
})

describe('the threshold', () => {
  it.each<[string, MisfireOptions, string[], boolean]>([
    ['10:01:45', { policy: 'skipToNext' }, ['10:01'], false],
    ['10:02:00', { policy: 'skipToNext', threshold: '2m' }, ['10:01', '10:02'], false],
    ['10:02:01', { policy: 'skipToNext' }, [], true],
    ['10:03:30', { policy: 'skipToNext', threshold: '3m' }, ['10:01', '10:02', '10:03'], false],
    ['10:01:30', { policy: 'skipToNext', threshold: '10s' }, [], true],
  ])('a slot that is free at %s under %j runs %j', async (time, misfire, occurrences, isMisfire) => {
    await using overload = await busyUntil(time, misfire)
    expect(occurrencesOf(overload.tick)).toEqual(occurrences)
    expect(overload.tick.runs.map((run) => run.misfire)).toEqual(occurrences.map(() => null))
    expect(overload.lines.some(({ message }) => message === 'job.misfired')).toBe(isMisfire)
  })

  it('the cause has a policy of its own where the job says so', async () => {
    await using overload = await busyUntil('10:05:30', { policy: 'fireAll', causes: { overload: 'fireOnce' } })
    expect(occurrencesOf(overload.tick)).toEqual(['10:05'])
  })
})

describe('what no overload skips', () => {
  it('a one-time job runs however long it waited', async () => {
    const busy = new Gate()
    const hog = job('hog', { run: () => busy.opened })
    const single = recording('single', { trigger: once(on('10:05')), misfire: { policy: 'skipToNext' } })
    await using test = await testPontual({ jobs: [single.type, hog], startAt: on('10:00'), node: { slots: 1 } })
    await test.app.enqueue(hog)
    await test.advanceTo(on('18:00'))
    busy.open()
    await test.settle()
    expect(occurrencesOf(single)).toEqual(['10:05'])
    expect(single.runs[0]?.misfire).toBeNull()
  })

  it('an execution that somebody enqueued or ran by hand runs however long it waited', async () => {
    const busy = new Gate()
    const hog = job('hog', { run: () => busy.opened })
    const report = recording('report', { trigger: cron('0 0 1 1 *'), misfire: { policy: 'skipToNext' } })
    await using test = await testPontual({ jobs: [report.type, hog], startAt: on('10:00'), node: { slots: 1 } })
    await test.app.enqueue(hog)
    await test.settle()
    await test.app.enqueue(report.type)
    await test.app.runNow('report')
    await test.advanceTo(on('18:00'))
    busy.open()
    await test.settle()
    expect(report.runs.map(({ misfire }) => misfire)).toEqual([null, null])
  })

  it('other jobs that wait are left as they are', async () => {
    const busy = new Gate()
    const hog = job('hog', { run: () => busy.opened })
    const skips = recording('skips', { trigger: cron('* * * * *'), misfire: { policy: 'skipToNext' } })
    const patient = recording('patient', {
      trigger: cron('* * * * *'),
      misfire: { policy: 'skipToNext', threshold: '1h' },
    })
    const jobs = [skips.type, patient.type, hog]
    await using test = await testPontual({ jobs, startAt: on('10:00:30'), node: { slots: 1 } })
    await test.app.enqueue(hog)
    await test.advanceTo(on('10:05:30'))
    busy.open()
    await test.settle()
    expect(occurrencesOf(skips)).toEqual([])
    expect(occurrencesOf(patient)).toEqual(['10:01', '10:02', '10:03', '10:04', '10:05'])
  })

  it('a retry is no misfire, however late it is', async () => {
    const tick = recording(
      'tick',
      { trigger: cron('0 10 * * *'), misfire: { policy: 'skipToNext' } },
      ({ attempt }) => {
        if (attempt < 3) throw new Error('not yet')
      },
    )
    await using test = await testPontual({ jobs: [tick.type], startAt: on('09:59') })
    await test.advanceTo(on('10:30'))
    expect(tick.runs.map(({ attempt, misfire }) => [attempt, misfire])).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ])
  })
})

describe('a catch-up that waits', () => {
  it('keeps the misfire of the outage and is not decided about again', async () => {
    const store = memory()
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('10:00:30') })).stop()
    const busy = new Gate()
    const hog = job('hog', { run: () => busy.opened, priority: 'HIGH' })
    // Enqueued before the node starts, so that the slot is taken when the outage is noticed.
    const waiting = await testPontual({ store, jobs: [], startAt: on('10:00:40') })
    await waiting.app.enqueue('hog', undefined, { priority: 'HIGH' })
    await waiting.stop()
    tick.runs.length = 0
    await using test = await testPontual({
      store,
      jobs: [tick.type, hog],
      startAt: on('10:04:30'),
      node: { slots: 1 },
    })
    await test.advanceTo(on('10:04:50'))
    busy.open()
    await test.settle()
    expect(occurrencesOf(tick)).toEqual(['10:01', '10:02', '10:03', '10:04'])
    expect(tick.runs.map(({ misfire }) => misfire?.cause)).toEqual(['outage', 'outage', 'outage', 'outage'])
  })
})

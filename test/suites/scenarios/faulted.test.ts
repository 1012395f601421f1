import { describe, expect, it } from 'vitest'
import { type JobType, type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import { type TestOptions, testPontual } from '../../../src/testing.ts'
import { cron, weeklyCalendar } from '../../../src/time.ts'
import { RecordedEvents } from './recorded.ts'

const START = Date.UTC(2026, 0, 1)
const DAY = '1 day'
const nightly = { trigger: cron('0 3 * * *') }

/** A nightly job that fails for good on the nights that are named. */
class Nights implements Disposable {
  readonly type: JobType<undefined>
  readonly ran: number[] = []
  readonly events = new RecordedEvents()

  constructor(bad: readonly number[], options: Partial<JobTypeOptions<undefined, unknown>> = {}) {
    this.type = job('nightly', {
      retry: { retries: 0 },
      schedule: nightly,
      run: (_input: undefined, { scheduledAt }) => {
        const night = new Date(scheduledAt ?? START).getUTCDate()
        this.ran.push(night)
        if (bad.includes(night)) throw new Error('bad night')
      },
      ...options,
    })
  }

  open(options: Partial<TestOptions> = {}) {
    return testPontual({ jobs: [this.type], startAt: START, ...options })
  }

  get faults(): number {
    return this.events.of('job.faulted').length
  }

  [Symbol.dispose](): void {
    this.events[Symbol.dispose]()
  }
}

describe('a nightly job after one bad night', () => {
  it('is FAULTED, fires the next night, and is ACTIVE again after that success', async () => {
    using nights = new Nights([2])
    await using t = await nights.open()
    await t.advance(DAY)
    await t.advance(DAY)
    const faulted = await t.app.job('nightly')
    expect(faulted).toMatchObject({ status: 'FAULTED', resumeStatus: 'ACTIVE' })
    expect(faulted?.statusReason).toMatch(/^Execution .* has failed for good\.$/)
    expect(nights.ran).toEqual([1, 2])
    await t.advance(DAY)
    expect(nights.ran).toEqual([1, 2, 3])
    expect(await t.app.job('nightly')).toMatchObject({ status: 'ACTIVE', statusReason: null })
    expect((await t.app.ledger('nightly', START, t.now())).map(({ decision }) => decision)).toEqual(
      Array(3).fill('fired'),
    )
  })

  it('emits job.faulted once per transition, however many nights are bad', async () => {
    using nights = new Nights([1, 2, 3, 5])
    await using t = await nights.open()
    for (let night = 0; night < 3; night += 1) await t.advance(DAY)
    await t.app.runNow('nightly')
    await t.settle()
    expect(nights.faults).toBe(1)
    await t.advance(DAY)
    expect(await t.app.job('nightly')).toMatchObject({ status: 'ACTIVE' })
    await t.advance(DAY)
    expect(nights.faults).toBe(2)
    expect(nights.ran).toEqual([1, 2, 3, 1, 4, 5])
  })

  it('is well after a manual run that succeeds, and may be paused and resumed', async () => {
    using nights = new Nights([2, 3])
    await using t = await nights.open()
    await t.advance('2 days')
    expect((await t.app.job('nightly'))?.status).toBe('FAULTED')
    await t.app.pause('nightly')
    await t.app.resume('nightly')
    expect((await t.app.job('nightly'))?.status).toBe('ACTIVE')
    await t.advance(DAY)
    expect((await t.app.job('nightly'))?.status).toBe('FAULTED')
    await t.app.resume('nightly')
    expect((await t.app.job('nightly'))?.status).toBe('ACTIVE')
    await t.advance(DAY)
    expect(nights.ran).toEqual([1, 2, 3, 4])
  })

  it('fires as planned after an edit', async () => {
    using nights = new Nights([2], { schedule: [] })
    await using t = await nights.open()
    await t.app.schedule(nights.type, { name: 'nightly', ...nightly })
    await t.advance('2 days')
    expect((await t.app.job('nightly'))?.status).toBe('FAULTED')
    await t.app.schedule(nights.type, { name: 'nightly', ...nightly, priority: 'HIGH' })
    expect((await t.app.job('nightly'))?.status).toBe('ACTIVE')
    await t.advance(DAY)
    expect(nights.ran).toEqual([1, 2, 3])
  })

  it.each<[string, Partial<JobTypeOptions<undefined, unknown>>, Partial<TestOptions>]>([
    ['the application', {}, { onFaulted: 'stop' }],
    ['the job type', { onFaulted: 'stop' }, {}],
    ['the schedule', { schedule: { ...nightly, onFaulted: 'stop' }, onFaulted: 'continue' }, {}],
  ])('stops where %s says so, and what it misses is recorded', async (_who, type, options) => {
    using nights = new Nights([2], type)
    await using t = await nights.open(options)
    await t.advance('4 days')
    expect(nights.ran).toEqual([1, 2])
    expect(await t.app.job('nightly')).toMatchObject({ status: 'FAULTED' })
    expect(await t.app.ledger('nightly', START, t.now())).toMatchObject([
      { decision: 'fired' },
      { decision: 'fired' },
      { decision: 'skipped', cause: 'faulted', count: 2 },
    ])
    expect(nights.faults).toBe(1)
  })

  it('stops in any case where nobody can say when it fires', async () => {
    using nights = new Nights([], { schedule: [] })
    await using t = await nights.open()
    await t.app.setCalendar('holidays', weeklyCalendar({ weekdays: [0] }))
    await t.app.schedule(nights.type, { name: 'nightly', ...nightly, calendar: 'holidays' })
    await t.app.removeCalendar('holidays')
    await t.advance('3 days')
    expect(nights.ran).toEqual([])
    expect(await t.app.job('nightly')).toMatchObject({ status: 'FAULTED', definition: { onFault: 'continue' } })
    expect(nights.faults).toBe(1)
  })
})

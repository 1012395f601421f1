import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '../../errors.ts'
import { holidayCalendar, weeklyCalendar } from '../calendars/days.ts'
import { dailyCalendar } from '../calendars/times-of-day.ts'
import { initialState, type TriggerState } from '../trigger-state.ts'
import { calendarInterval } from '../triggers/calendar-interval.ts'
import { cron } from '../triggers/cron.ts'
import { dailyTimeInterval } from '../triggers/daily-time-interval.ts'
import { withJitter } from '../triggers/jittered.ts'
import { once } from '../triggers/once.ts'
import { simple } from '../triggers/simple.ts'
import type { Trigger } from '../triggers/trigger.ts'
import { withCalendar } from '../triggers/with-calendar.ts'
import { type MisfireOptions, type MisfirePolicyName, type MisfireRules, misfireRules } from './policy.ts'
import { type DueJob, type LedgerEntry, type Resolution, resolveMisfires } from './resolve.ts'

const DAY = '2026-03-02'
const at = (time: string, day = DAY) => Date.parse(`${day}T${time.length === 5 ? `${time}:00` : time}Z`)

/** A trigger that has fired everything up to and including an instant. */
function firedUpTo(trigger: Trigger, instant: number, timesTriggered = 0): TriggerState {
  return { trigger, nextFireAt: trigger.next(instant), previousFireAt: trigger.previous(instant + 1), timesTriggered }
}

const MINUTELY = firedUpTo(cron('* * * * *'), at('10:00'))

function resolve(misfire: MisfireOptions, now: number, job: Partial<DueJob> = {}): Resolution {
  return resolveMisfires({ state: MINUTELY, rules: misfireRules(misfire), ...job }, now)
}

const scheduled = ({ fire }: Resolution) => fire.map((occurrence) => clock(occurrence.scheduledAt))
const told = ({ ledger }: Resolution) => ledger.map(tell)
const tell = ({ decision, count, from, to }: LedgerEntry) => `${count} ${decision} ${clock(from)}-${clock(to)}`
const clock = (instant: number) => new Date(instant).toISOString().slice(11, 16)
const TEN = ['10:01', '10:02', '10:03', '10:04', '10:05', '10:06', '10:07', '10:08', '10:09', '10:10']

describe('every minute, last fired 10:00, back at 10:10:30', () => {
  it.each<[MisfirePolicyName, string[], string[]]>([
    ['fireNow', ['10:01'], ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10']],
    ['fireImmediately', ['10:01'], ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10']],
    ['fireOnceNow', ['10:01'], ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10']],
    ['smart', ['10:01'], ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10']],
    ['fireOnce', ['10:10'], ['9 consolidated 10:01-10:09', '1 firedLate 10:10-10:10']],
    ['fireAll', TEN, ['10 firedLate 10:01-10:10']],
    ['ignore', TEN, ['10 firedLate 10:01-10:10']],
    ['skipToNext', [], ['10 skipped 10:01-10:10']],
    ['skipAndScheduleNext', [], ['10 skipped 10:01-10:10']],
    ['doNothing', [], ['10 skipped 10:01-10:10']],
  ])('%s fires %j', (policy, fires, ledger) => {
    const now = at('10:10:30')
    const resolution = resolve({ policy }, now)
    expect(scheduled(resolution)).toEqual(fires)
    expect(told(resolution)).toEqual(ledger)
    expect(resolution.fire.every((occurrence) => occurrence.runAt === now)).toBe(true)
    expect(resolution.state.nextFireAt).toBe(at('10:11'))
  })

  it('each run carries what is known of its misfire', () => {
    const [run] = resolve({ policy: 'fireOnce' }, at('10:10:30')).fire
    expect(run?.misfire).toEqual({
      scheduledAt: at('10:10'),
      detectedAt: at('10:10:30'),
      delayMs: 30_000,
      policy: 'fireOnce',
      missedCount: 10,
      cause: 'outage',
    })
  })
})

describe('the threshold', () => {
  it.each([
    ['10:01:30', '1m', ['10:01'], []],
    ['10:02:00', '1m', ['10:01', '10:02'], []],
    ['10:02:00.001', '1m', [], ['2 skipped 10:01-10:02']],
    ['10:06:00', '5m', ['10:01', '10:02', '10:03', '10:04', '10:05', '10:06'], []],
    ['10:06:30', '5m', [], ['6 skipped 10:01-10:06']],
    ['10:01:00.001', 0, [], ['1 skipped 10:01-10:01']],
  ])('back at %s with a threshold of %s fires %j', (now, threshold, fires, ledger) => {
    const resolution = resolve({ policy: 'skipToNext', threshold }, at(now))
    expect(scheduled(resolution)).toEqual(fires)
    expect(told(resolution)).toEqual(ledger)
  })

  it('what is inside it carries no misfire', () => {
    expect(resolve({}, at('10:01:30')).fire).toEqual([{ scheduledAt: at('10:01'), runAt: at('10:01:30') }])
  })

  it('nothing is decided before anything is due', () => {
    expect(resolve({}, at('10:00:59.999'))).toEqual({ fire: [], ledger: [], policy: null, state: MINUTELY })
  })

  it('a long one fires in batches and leaves the rest due', () => {
    const state = firedUpTo(cron('* * * * * *'), at('10:00'))
    const first = resolve({ threshold: '2h' }, at('10:30'), { state })
    expect(first.fire).toHaveLength(1_000)
    expect(first.state.nextFireAt).toBe(at('10:00') + 1_001_000)
    const second = resolve({ threshold: '2h' }, at('10:30'), { state: first.state })
    expect(second.fire).toHaveLength(800)
    expect(second.state.nextFireAt).toBe(at('10:30:01'))
  })
})

describe('catch-up is bounded', () => {
  const now = at('10:10:30')
  it.each<[string, MisfireOptions['catchUp'], string[], string[]]>([
    [
      'to the newest n',
      { limit: 3 },
      ['10:08', '10:09', '10:10'],
      ['7 dropped 10:01-10:07', '3 firedLate 10:08-10:10'],
    ],
    ['by age', { maxAge: '2m' }, ['10:09', '10:10'], ['8 dropped 10:01-10:08', '2 firedLate 10:09-10:10']],
    ['to none', { limit: 0 }, [], ['10 dropped 10:01-10:10']],
    [
      'newest first',
      { limit: 2, order: 'newestFirst' },
      ['10:10', '10:09'],
      ['8 dropped 10:01-10:08', '2 firedLate 10:09-10:10'],
    ],
  ])('%s', (_, catchUp, fires, ledger) => {
    const resolution = resolve({ policy: 'fireAll', catchUp }, now)
    expect(scheduled(resolution)).toEqual(fires)
    expect(told(resolution)).toEqual(ledger)
    expect(resolution.state.nextFireAt).toBe(at('10:11'))
  })

  it('spacing parts the runs', () => {
    const { fire } = resolve({ policy: 'fireAll', catchUp: { limit: 3, spacing: '10s' } }, now)
    expect(fire.map(({ runAt }) => runAt - now)).toEqual([0, 10_000, 20_000])
  })

  it('a thousand run by default, and the drop is recorded', () => {
    const resolution = resolve({ policy: 'fireAll' }, at('10:10:30', '2026-03-03'))
    expect(resolution.fire).toHaveLength(1_000)
    expect(resolution.ledger.map(({ decision, count }) => [decision, count])).toEqual([
      ['dropped', 450],
      ['firedLate', 1_000],
    ])
  })

  it.each<MisfirePolicyName>(['fireNow', 'fireOnce', 'fireAll', 'skipToNext', 'smart'])(
    '%s accounts for ten million missed seconds without listing them',
    (policy) => {
      const state = firedUpTo(cron('* * * * * *', { timeZone: 'America/New_York' }), at('10:00'))
      const started = process.hrtime.bigint()
      const { ledger } = resolve({ policy }, at('10:00') + 10_000_000_000, { state })
      expect(Number(process.hrtime.bigint() - started) / 1e6).toBeLessThan(50)
      expect(ledger.reduce((sum, entry) => sum + entry.count, 0)).toBe(10_000_000)
    },
  )
})

describe('the cause', () => {
  it.each(['paused', 'faulted', 'flag'] as const)('%s skips, whatever the policy and the threshold', (cause) => {
    const resolution = resolveMisfires(
      { state: MINUTELY, rules: misfireRules({ policy: 'fireAll' }) },
      at('10:01:10'),
      cause,
    )
    expect(resolution.fire).toEqual([])
    expect(resolution.ledger).toEqual([{ from: at('10:01'), to: at('10:01'), count: 1, decision: 'skipped', cause }])
  })

  it('edited goes on from now, and what was due before is recorded as skipped', () => {
    const rules = misfireRules({ policy: 'fireAll' })
    const resolution = resolveMisfires({ state: MINUTELY, rules }, at('10:01:10'), 'edited')
    expect(resolution).toEqual({
      fire: [],
      ledger: [{ from: at('10:01'), to: at('10:01'), count: 1, decision: 'skipped', cause: 'edited' }],
      policy: 'skipToNext',
      state: { ...MINUTELY, nextFireAt: at('10:02') },
    })
  })

  it('overload keeps to the threshold', () => {
    const rules = misfireRules({ policy: 'skipToNext', threshold: '5m' })
    const resolution = resolveMisfires({ state: MINUTELY, rules }, at('10:01:00.001'), 'overload')
    expect(resolution).toMatchObject({ fire: [{ scheduledAt: at('10:01') }], policy: null })
  })

  it('tells which policy decided, smart resolved', () => {
    expect(resolve({}, at('10:10:30')).policy).toBe('fireNow')
    expect(resolve({ policy: 'skipToNext' }, at('10:10:30')).policy).toBe('skipToNext')
    expect(resolve({ policy: 'skipToNext' }, at('10:01:30')).policy).toBeNull()
  })

  it('has a policy of its own where the job says so', () => {
    const rules = misfireRules({ policy: 'skipToNext', causes: { paused: 'fireOnce' } })
    expect(scheduled(resolveMisfires({ state: MINUTELY, rules }, at('10:10:30'), 'paused'))).toEqual(['10:10'])
    expect(scheduled(resolveMisfires({ state: MINUTELY, rules }, at('10:10:30'), 'outage'))).toEqual([])
  })
})

describe('a run now in excluded time', () => {
  // 2026-03-07 is a Saturday.
  const state = firedUpTo(cron('0 * * * *'), at('09:00', '2026-03-06'))
  const calendar = weeklyCalendar()
  const now = at('10:30', '2026-03-07')
  const monday = at('00:00', '2026-03-09')

  it.each<[MisfirePolicyName, number]>([
    ['fireNow', 1],
    ['fireOnce', 1],
    ['fireAll', 14],
  ])('waits for included time under %s', (policy, runs) => {
    const { fire } = resolve({ policy }, now, { state, calendar })
    expect(fire.map(({ runAt }) => runAt)).toEqual(Array(runs).fill(monday))
  })

  it('goes ahead by the letter of Quartz', () => {
    const { fire } = resolve({ policy: 'fireNow' }, now, { state, calendar, quartz: true })
    expect(fire.map(({ runAt }) => runAt)).toEqual([now])
  })

  it('counts only what the calendar includes', () => {
    const resolution = resolve({ policy: 'skipToNext' }, now, { state, calendar })
    expect(resolution.ledger.map(({ count }) => count)).toEqual([14])
    expect(resolution.state.nextFireAt).toBe(monday)
  })

  it('never comes where the calendar excludes all', () => {
    const nothing = dailyCalendar({ from: '00:00', to: '23:59:59.999' })
    const started = resolveMisfires({ state, calendar: nothing, rules: misfireRules() }, now)
    expect(started).toMatchObject({ fire: [], ledger: [], state: { nextFireAt: null } })
  })
})

describe('calendars of a run', () => {
  it('are the job’s and all that the trigger was made with', () => {
    const trigger = withCalendar(cron('0 * * * *'), dailyCalendar({ from: '10:00', to: '11:59:59.999' }))
    const calendar = dailyCalendar({ from: '12:00', to: '12:59:59.999' })
    const state = firedUpTo(trigger, at('08:00'))
    const { fire } = resolve({ policy: 'fireNow' }, at('10:30'), { state, calendar })
    expect(fire.map(({ runAt }) => runAt)).toEqual([at('13:00')])
  })

  it('hold for each of a row of spaced runs', () => {
    const calendar = dailyCalendar({ from: '10:11', to: '10:20:59.999' })
    const { fire } = resolve({ policy: 'fireAll', catchUp: { limit: 3, spacing: '20s' } }, at('10:10:30'), { calendar })
    expect(fire.map(({ runAt }) => runAt)).toEqual([at('10:10:30'), at('10:10:50'), at('10:21:00')])
  })

  it('take the zone of the trigger where they have none', () => {
    const state = firedUpTo(cron('0 22 * * *', { timeZone: 'America/Sao_Paulo' }), at('12:00', '2026-12-24'))
    const calendar = holidayCalendar({ dates: ['2026-12-25'] })
    const resolution = resolve({ policy: 'fireAll' }, at('12:00', '2026-12-27'), { state, calendar })
    // 22:00 in São Paulo is 01:00 UTC of the day after.
    expect(resolution.fire.map(({ scheduledAt }) => scheduledAt)).toEqual([
      at('01:00', '2026-12-25'),
      at('01:00', '2026-12-27'),
    ])
  })

  it('may move what they exclude', () => {
    const calendar = weeklyCalendar({ onExcluded: 'nextDay' })
    const state = firedUpTo(cron('0 9 * * 6'), at('12:00', '2026-03-06'))
    const moved = { ...state, nextFireAt: at('09:00', '2026-03-09') }
    const resolution = resolve({}, at('09:00:10', '2026-03-09'), { state: moved, calendar })
    expect(resolution.fire.map(({ scheduledAt }) => scheduledAt)).toEqual([at('09:00', '2026-03-09')])
    expect(resolution.state.nextFireAt).toBe(at('09:00', '2026-03-16'))
  })
})

describe('what a calendar moved', () => {
  // Saturday the 7th moves to Monday the 9th.
  const last = cron('0 9 * * *', { endAt: '2026-03-07T12:00:00Z' })
  const monday = at('09:00', '2026-03-09')

  it.each<[string, Partial<DueJob>]>([
    [
      'by the trigger',
      { state: firedUpTo(withCalendar(last, weeklyCalendar(), { onExcluded: 'nextDay' }), monday - 1) },
    ],
    [
      'by the job',
      {
        state: { trigger: last, nextFireAt: monday, previousFireAt: null, timesTriggered: 0 },
        calendar: weeklyCalendar({ onExcluded: 'nextDay' }),
      },
    ],
  ])('past the end of its trigger runs late, too: %s', (_, job) => {
    expect(resolve({ policy: 'fireNow' }, monday + 120_000, job).fire).toMatchObject([{ scheduledAt: monday }])
    expect(resolve({ policy: 'fireNow' }, at('12:00:01', '2026-03-09'), job).fire).toEqual([])
  })
})

describe('what is handed in', () => {
  const job = { state: MINUTELY, rules: misfireRules() }
  it.each<[string, () => unknown, string]>([
    [
      'options in place of rules',
      () => resolveMisfires({ ...job, rules: { policy: 'fireOnce' } as never }, at('10:10')),
      'misfireRules',
    ],
    ['an unknown cause', () => resolveMisfires(job, at('10:10'), 'pause' as never), 'Did you mean "paused"?'],
    [
      'an unknown field',
      () => resolveMisfires({ ...job, calender: null } as never, at('10:10')),
      'Did you mean "calendar"?',
    ],
    ['no job', () => resolveMisfires(null as never, at('10:10')), 'Due job must be an object'],
    ['no instant', () => resolveMisfires(job, Number.NaN), 'now must be'],
    [
      'no trigger',
      () => resolveMisfires({ ...job, state: {} as never }, at('10:10')),
      'state.trigger must be a trigger',
    ],
    [
      'no calendar',
      () => resolveMisfires({ ...job, calendar: 'holidays' as never }, at('10:10')),
      'calendar must be a calendar',
    ],
  ])('is refused by name: %s', (_, run, message) => {
    expect(run).toThrow(InvalidInputError)
    expect(run).toThrow(message)
  })

  it('rules survive JSON', () => {
    const rules = JSON.parse(JSON.stringify(misfireRules({ policy: 'fireAll' }))) as MisfireRules
    expect(resolveMisfires({ state: MINUTELY, rules }, at('10:10:30')).fire).toHaveLength(10)
  })
})

describe('past the end', () => {
  const trigger = cron('* * * * *', { endAt: at('10:05') })
  const state = firedUpTo(trigger, at('10:00'))

  it.each<[MisfirePolicyName, boolean, number, string[]]>([
    ['fireNow', false, 0, ['5 skipped 10:01-10:05']],
    ['fireOnce', false, 0, ['5 skipped 10:01-10:05']],
    ['fireNow', true, 1, ['1 firedLate 10:01-10:01', '4 consolidated 10:02-10:05']],
    ['fireAll', false, 5, ['5 firedLate 10:01-10:05']],
  ])('%s with quartz: %s fires %d', (policy, quartz, runs, ledger) => {
    const resolution = resolve({ policy }, at('10:10'), { state, quartz })
    expect(resolution.fire).toHaveLength(runs)
    expect(told(resolution)).toEqual(ledger)
    expect(resolution.state.nextFireAt).toBeNull()
  })
})

describe('simple triggers', () => {
  const now = at('10:10:30')
  const every = (repeatCount: number) => {
    const trigger = simple({ startAt: at('10:00'), interval: '1m', repeatCount })
    return firedUpTo(trigger, at('10:00'), 1)
  }

  it.each<[MisfirePolicyName, number, string[], string | null, number, string[]]>([
    ['smart', 0, [], null, 0, []],
    ['smart', -1, [], '10:11:00', 11, ['10 skipped 10:01-10:10']],
    ['smart', 20, ['10:01'], '10:11:30', 1, ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10']],
    ['fireNow', 20, ['10:01'], '10:11:30', 1, ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10']],
    ['fireNow', 9, ['10:01'], null, 1, ['1 firedLate 10:01-10:01', '8 consolidated 10:02-10:09']],
    [
      'rescheduleNowWithExistingCount',
      9,
      ['10:01'],
      '10:11:30',
      1,
      ['1 firedLate 10:01-10:01', '8 consolidated 10:02-10:09'],
    ],
    [
      'rescheduleNowWithRemainingCount',
      20,
      ['10:01'],
      '10:11:30',
      1,
      ['1 firedLate 10:01-10:01', '9 consolidated 10:02-10:10'],
    ],
    ['rescheduleNextWithExistingCount', 20, [], '10:11:00', 1, ['10 skipped 10:01-10:10']],
    ['rescheduleNextWithRemainingCount', 20, [], '10:11:00', 11, ['10 skipped 10:01-10:10']],
    ['skipToNext', 20, [], '10:11:00', 11, ['10 skipped 10:01-10:10']],
    ['fireOnce', 20, ['10:10'], '10:11:00', 11, ['9 consolidated 10:01-10:09', '1 firedLate 10:10-10:10']],
    ['fireAll', 20, TEN, '10:11:00', 11, ['10 firedLate 10:01-10:10']],
    ['fireAll', 5, TEN.slice(0, 5), null, 6, ['5 firedLate 10:01-10:05']],
  ])('%s with %d repeats fires %j, next %s', (policy, repeatCount, fires, next, timesTriggered, ledger) => {
    const before = repeatCount === 0 ? { ...every(20), nextFireAt: null, timesTriggered: 0 } : every(repeatCount)
    const resolution = resolve({ policy }, now, { state: before })
    expect(scheduled(resolution)).toEqual(fires)
    expect(told(resolution)).toEqual(ledger)
    expect(resolution.state.nextFireAt).toBe(next === null ? null : at(next))
    expect(resolution.state.timesTriggered).toBe(timesTriggered)
  })

  it('that fires once fires late, however late', () => {
    const state = initialState(simple({ startAt: at('10:00') }), 0)
    const resolution = resolve({ policy: 'smart' }, at('10:00', '2027-01-01'), { state })
    expect(scheduled(resolution)).toEqual(['10:00'])
    expect(resolution.state.nextFireAt).toBeNull()
  })

  it('restarts when included time begins, not in excluded time', () => {
    const trigger = simple({ startAt: at('10:00', '2026-03-06'), interval: '1h', repeatCount: 100 })
    const state = firedUpTo(trigger, at('10:00', '2026-03-06'), 1)
    const resolution = resolve({ policy: 'smart' }, at('10:30', '2026-03-07'), { state, calendar: weeklyCalendar() })
    expect(resolution.fire[0]?.runAt).toBe(at('00:00', '2026-03-09'))
    expect(resolution.state.nextFireAt).toBe(at('01:00', '2026-03-09'))
  })
})

describe('other triggers', () => {
  it('a one-time trigger is never skipped', () => {
    const state = initialState(once(at('10:00')), 0)
    const resolution = resolve({ policy: 'skipToNext' }, at('10:00', '2026-04-01'), { state })
    expect(resolution).toMatchObject({ fire: [{ scheduledAt: at('10:00') }], ledger: [], state: { nextFireAt: null } })
    expect(resolution.fire[0]).not.toHaveProperty('misfire')
  })

  it('a one-time trigger fires after a pause, in included time', () => {
    const state = initialState(once(at('12:00', '2026-03-06')), 0)
    const job = { state, rules: misfireRules(), calendar: weeklyCalendar() }
    const { fire } = resolveMisfires(job, at('12:00', '2026-03-07'), 'paused')
    expect(fire).toEqual([{ scheduledAt: at('12:00', '2026-03-06'), runAt: at('00:00', '2026-03-09') }])
  })

  it('smart is one run now for calendar intervals and daily intervals', () => {
    const daily = dailyTimeInterval({ every: 1, unit: 'minute', from: '10:00', to: '11:00' })
    const interval = calendarInterval({ startAt: at('10:00'), every: 1, unit: 'minute' })
    for (const trigger of [daily, interval]) {
      const resolution = resolve({ policy: 'smart' }, at('10:10:30'), { state: firedUpTo(trigger, at('10:00')) })
      expect(scheduled(resolution)).toEqual(['10:01'])
      expect(resolution.state.nextFireAt).toBe(at('10:11'))
    }
  })

  it('an instruction for simple triggers acts on others as its nearest kin', () => {
    expect(scheduled(resolve({ policy: 'rescheduleNowWithExistingCount' }, at('10:10:30')))).toEqual(['10:01'])
    expect(scheduled(resolve({ policy: 'rescheduleNextWithExistingCount' }, at('10:10:30')))).toEqual([])
  })

  it('a daily interval with repeats misses no more than it had left', () => {
    const trigger = dailyTimeInterval({
      every: 1,
      unit: 'minute',
      from: '10:00',
      to: '11:00',
      startAt: at('10:00'),
      repeatCount: 4,
    })
    const resolution = resolve({ policy: 'fireAll' }, at('10:30'), { state: firedUpTo(trigger, at('10:00'), 1) })
    expect(scheduled(resolution)).toEqual(['10:01', '10:02', '10:03', '10:04'])
    expect(resolution.state).toMatchObject({ nextFireAt: null, timesTriggered: 5 })
  })

  it('jitter moves what is missed, too', () => {
    const trigger = withJitter(cron('* * * * *'), { within: '30s', identity: 'closing' })
    const resolution = resolve({ policy: 'fireOnce' }, at('10:10:59'), { state: firedUpTo(trigger, at('10:00:59')) })
    expect(resolution.fire.map(({ scheduledAt }) => scheduledAt)).toEqual([at('10:10') + trigger.offsetMs])
  })

  it('a fire time that a new calendar excludes gives way to the next', () => {
    const calendar = dailyCalendar({ from: '10:00', to: '10:59:59.999' })
    const resolution = resolve({ policy: 'fireAll' }, at('10:10:30'), { calendar })
    expect(resolution).toMatchObject({ fire: [], ledger: [], state: { nextFireAt: at('11:00') } })
  })
})

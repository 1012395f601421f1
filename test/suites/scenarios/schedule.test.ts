import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import {
  type CronOptions,
  calendarInterval,
  cron,
  dailyTimeInterval,
  type MisfirePolicyName,
  once,
  type SimpleOptions,
  simple,
  type Trigger,
  weeklyCalendar,
  withCalendar,
  withJitter,
} from '../../../src/time.ts'
import { at, wall } from '../../harness/instants.ts'
import { clock, occurrencesOf, recording, told } from './observed.ts'
import { RecordedLog } from './recorded.ts'
import { scenarioStore, testPontual } from './scenario-store.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)

describe('a one-time job', () => {
  it('runs once, at its instant, with its payload, and is done', async () => {
    const seen: unknown[] = []
    const report = job('report', {
      run: (input: { month: string }, { scheduledAt }) => seen.push([input, scheduledAt]),
    })
    await using test = await testPontual({ jobs: [report], startAt: on('10:00') })
    const created = await test.app.scheduleOnce(report, on('10:05'), { name: 'march', input: { month: 'March' } })
    expect(created).toMatchObject({ name: 'march', status: 'ACTIVE', schedule: { nextFireAt: on('10:05') } })
    expect(created.definition.trigger.type).toBe('once')
    await test.advanceTo(on('10:04:59'))
    expect(seen).toEqual([])
    await test.advanceTo(on('23:00'))
    expect(seen).toEqual([[{ month: 'March' }, on('10:05')]])
    expect((await test.app.job('march'))?.schedule.nextFireAt).toBeNull()
    expect(await test.app.executions({ jobType: 'report' })).toMatchObject([{ status: 'SUCCESS', origin: 'schedule' }])
  })

  it('may name its job type by id, which another node knows', async () => {
    const store = scenarioStore()
    const report = recording('report')
    await using client = await testPontual({ store, startAt: on('10:00') })
    await client.app.scheduleOnce('report', on('10:05'), { name: 'single' })
    await client.stop()
    await using worker = await testPontual({ store, jobs: [report.type], startAt: on('10:01') })
    await worker.advanceTo(on('10:05'))
    expect(occurrencesOf(report)).toEqual(['10:05'])
  })

  it.each<[string, number | string | Date]>([
    ['a number', on('09:59:59')],
    ['text', '2026-03-02T09:59:59Z'],
    ['a date', new Date(on('09:59:59'))],
    ['this very instant', on('10:00')],
  ])('in the past, given as %s, is refused with both times', async (_kind, runAt) => {
    const report = recording('report')
    await using test = await testPontual({ jobs: [report.type], startAt: on('10:00') })
    const refused = test.app.scheduleOnce(report.type, runAt, { name: 'late' })
    await expect(refused).rejects.toMatchObject({ code: 'job.in_past' })
    await expect(refused).rejects.toThrow(
      /^Job "late" cannot run at 2026-03-02T\d\d:\d\d:\d\d.000Z, which is past; it is 2026-03-02T10:00:00.000Z now\.$/,
    )
    expect(await test.app.job('late')).toBeNull()
  })

  it.each<[string, Trigger]>([
    ['schedule', once(on('09:00'))],
    ['a jittered trigger', withJitter(once(on('09:00')), { within: '1m', identity: 'late' })],
    ['a trigger with a calendar', withCalendar(once(on('09:00')), weeklyCalendar())],
  ])('in the past is refused through %s too', async (_way, trigger) => {
    await using test = await testPontual({ startAt: on('10:00') })
    await expect(test.app.schedule('report', { name: 'late', trigger })).rejects.toMatchObject({ code: 'job.in_past' })
  })

  it('cannot be moved into the past', async () => {
    await using test = await testPontual({ startAt: on('10:00') })
    await test.app.scheduleOnce('report', on('10:05'), { name: 'single' })
    await expect(test.app.scheduleOnce('report', on('09:00'), { name: 'single' })).rejects.toMatchObject({
      code: 'job.in_past',
    })
    expect((await test.app.job('single'))?.schedule.nextFireAt).toBe(on('10:05'))
  })

  it.each<[MisfirePolicyName]>([['skipToNext'], ['fireAll'], ['smart'], ['rescheduleNextWithRemainingCount']])(
    'runs however late under %s, and as no misfire',
    async (policy) => {
      const { logger, lines } = new RecordedLog()
      const store = scenarioStore()
      const report = recording('report')
      const before = await testPontual({ store, jobs: [report.type], startAt: on('10:00') })
      await before.app.scheduleOnce(report.type, on('10:05'), { name: 'single', misfire: { policy, threshold: 0 } })
      await before.stop()
      await using test = await testPontual({ store, jobs: [report.type], startAt: at('2029-01-01T00:00Z'), logger })
      expect(occurrencesOf(report)).toEqual(['10:05'])
      expect(report.runs[0]?.misfire).toBeNull()
      expect(told(await test.app.ledger('single', on('10:00'), at('2030-01-01')))).toEqual(['1 fired 10:05'])
      expect(lines.filter(({ level }) => level === 'warn')).toEqual([])
    },
  )

  it('that is declared in code and past by now is left out with a warning, and the others start', async () => {
    const { logger, lines } = new RecordedLog()
    const past = recording('past', { trigger: once(on('09:00')) })
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [past.type, tick.type], startAt: on('10:00'), logger })
    await test.advanceTo(on('10:01'))
    expect(past.runs).toEqual([])
    expect(occurrencesOf(tick)).toEqual(['10:01'])
    expect(lines.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: 'A declared job is left out', fields: { job: 'past' } },
    ])
  })

  it('that is declared in code and has run does not run again at the next start', async () => {
    const store = scenarioStore()
    const single = recording('single', { trigger: once(on('10:01')) })
    const before = await testPontual({ store, jobs: [single.type], startAt: on('10:00') })
    await before.advanceTo(on('10:02'))
    await before.stop()
    await using test = await testPontual({ store, jobs: [single.type], startAt: on('11:00') })
    await test.advance('1h')
    expect(occurrencesOf(single)).toEqual(['10:01'])
    expect((await test.app.job('single'))?.version).toBe(1)
  })
})

describe('a cron in a zone', () => {
  it.each<[string, string, CronOptions, string, string, string[]]>([
    // The hour from 02:00 is left out in New York on 8 March 2026, and the one from 01:00 comes twice on 1 November.
    [
      'fires a skipped time at the end of the gap',
      '30 2 * * *',
      { timeZone: 'America/New_York' },
      '2026-03-07',
      '2026-03-10',
      ['2026-03-07T02:30-05:00', '2026-03-08T03:00-04:00', '2026-03-09T02:30-04:00'],
    ],
    [
      'fires a fixed time in the repeated hour once',
      '30 1 * * *',
      { timeZone: 'America/New_York' },
      '2026-10-31',
      '2026-11-03',
      ['2026-10-31T01:30-04:00', '2026-11-01T01:30-04:00', '2026-11-02T01:30-05:00'],
    ],
    [
      'fires an interval in both of the repeated hours',
      '*/30 * * * *',
      { timeZone: 'America/New_York' },
      '2026-11-01T00:45',
      '2026-11-01T02:15',
      [
        '2026-11-01T01:00-04:00',
        '2026-11-01T01:30-04:00',
        '2026-11-01T01:00-05:00',
        '2026-11-01T01:30-05:00',
        '2026-11-01T02:00-05:00',
      ],
    ],
    [
      'fires an interval in no skipped hour',
      '*/30 * * * *',
      { timeZone: 'America/New_York' },
      '2026-03-08T01:15',
      '2026-03-08T03:45',
      ['2026-03-08T01:30-05:00', '2026-03-08T03:00-04:00', '2026-03-08T03:30-04:00'],
    ],
    [
      'fires at the end of the midnight that São Paulo skipped',
      '0 0 * * *',
      { timeZone: 'America/Sao_Paulo' },
      '2018-11-02T12:00',
      '2018-11-05T12:00',
      ['2018-11-03T00:00-03:00', '2018-11-04T01:00-02:00', '2018-11-05T00:00-02:00'],
    ],
    [
      'follows the half hour of Lord Howe',
      '15 2 * * *',
      { timeZone: 'Australia/Lord_Howe' },
      '2026-10-03',
      '2026-10-06',
      ['2026-10-03T02:15+10:30', '2026-10-04T02:30+11:00', '2026-10-05T02:15+11:00'],
    ],
  ])('%s', async (_rule, expression, options, from, to, expected) => {
    const zone = options.timeZone ?? 'UTC'
    const daily = recording('daily', { trigger: cron(expression, options) })
    await using test = await testPontual({ jobs: [daily.type], startAt: at(from, zone) })
    await test.advanceTo(at(to, zone))
    expect(daily.runs.map(({ scheduledAt }) => wall(scheduledAt, zone))).toEqual(expected)
    expect(daily.runs.every(({ misfire }) => misfire === null)).toBe(true)
  })

  it('counts the hours that an outage over a clock change really had', async () => {
    const store = scenarioStore()
    const zone = 'America/New_York'
    const hourly = recording('hourly', {
      trigger: cron('0 * * * *', { timeZone: zone }),
      misfire: { policy: 'fireOnce' },
    })
    const runs = async (from: string, to: string) => {
      await (await testPontual({ store, jobs: [hourly.type], startAt: at(from, zone) })).stop()
      hourly.runs.length = 0
      await using _ = await testPontual({ store, jobs: [hourly.type], startAt: at(to, zone) })
      return hourly.runs[0]?.misfire?.missedCount
    }
    expect(await runs('2026-03-07T12:30', '2026-03-08T12:30')).toBe(23)
    expect(await runs('2026-10-31T12:30', '2026-11-01T12:30')).toBe(25)
  })
})

describe('triggers through the engine', () => {
  it.each<[string, Trigger, string, string[]]>([
    [
      'simple with a repeat count',
      simple({ startAt: on('10:00'), interval: '10m', repeatCount: 2 }),
      '11:00',
      ['10:00', '10:10', '10:20'],
    ],
    ['simple without repeats', simple({ startAt: on('10:00') }), '11:00', ['10:00']],
    [
      'simple with an end',
      simple({ startAt: on('10:00'), interval: '10m', endAt: on('10:20') }),
      '11:00',
      ['10:00', '10:10'],
    ],
    [
      'simple that began before it was scheduled',
      simple({ startAt: on('09:00'), interval: '25m', repeatCount: 4 }),
      '11:00',
      ['10:15', '10:40'],
    ],
    [
      'calendar interval',
      calendarInterval({ startAt: on('08:00'), every: 1, unit: 'hour' }),
      '12:30',
      ['10:00', '11:00', '12:00'],
    ],
    [
      'daily interval with a repeat count',
      dailyTimeInterval({
        startAt: on('09:00'),
        every: 20,
        unit: 'minute',
        from: '10:00',
        to: '11:00',
        repeatCount: 2,
      }),
      '12:00',
      ['10:00', '10:20', '10:40'],
    ],
    ['cron with seconds', cron('*/20 0 10 * * *'), '11:00', ['10:00', '10:00:20', '10:00:40']],
  ])('%s', async (_kind, trigger, until, expected) => {
    const tick = recording('tick', { trigger })
    await using test = await testPontual({ jobs: [tick.type], startAt: on('09:59') })
    await test.advanceTo(on(until))
    expect(occurrencesOf(tick)).toEqual(expected)
  })

  it('a simple trigger that is done stays done over a restart', async () => {
    const store = scenarioStore()
    const tick = recording('tick', { trigger: simple({ startAt: on('10:00'), interval: '1m', repeatCount: 1 }) })
    const before = await testPontual({ store, jobs: [tick.type], startAt: on('09:59') })
    await before.advanceTo(on('10:05'))
    await before.stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('12:00') })
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:01'])
    expect((await test.app.job('tick'))?.schedule).toMatchObject({ nextFireAt: null, timesTriggered: 2 })
  })

  it('a thousand jobs with jitter do not fire in one instant', async () => {
    const spread = recording(
      'spread',
      Array.from({ length: 1_000 }, (_, index) => ({
        name: `job-${index}`,
        trigger: withJitter(cron('0 * * * *'), { within: '10m', identity: `job-${index}` }),
      })),
    )
    await using test = await testPontual({ jobs: [spread.type], startAt: on('09:59:59') })
    await test.advanceTo(on('10:10'))
    expect(spread.runs).toHaveLength(1_000)
    const perSecond = new Map<number, number>()
    for (const { scheduledAt } of spread.runs) {
      const second = Math.floor((scheduledAt ?? 0) / 1_000)
      perSecond.set(second, (perSecond.get(second) ?? 0) + 1)
    }
    expect(Math.max(...perSecond.values())).toBeLessThan(15)
  })
})

describe("Quartz's instructions on a simple trigger of every 10 minutes from 10:00, fired at 10:00, back at 10:35", () => {
  const COUNTED: SimpleOptions = { startAt: on('10:00'), interval: '10m', repeatCount: 5 }
  const ENDLESS: SimpleOptions = { startAt: on('10:00'), interval: '10m' }
  it.each<[MisfirePolicyName, string, SimpleOptions, string[], string[]]>([
    // Five repeats: 10:00 … 10:50. 10:10, 10:20 and 10:30 are missed.
    // Restarted now with the five that are left: 10:35 and five more.
    ['rescheduleNowWithExistingCount', 'counted', COUNTED, ['10:10'], ['10:45', '10:55', '11:05', '11:15']],
    ['rescheduleNowWithRemainingCount', 'counted', COUNTED, ['10:10'], ['10:45', '10:55']],
    ['rescheduleNextWithExistingCount', 'counted', COUNTED, [], ['10:40', '10:50']],
    ['rescheduleNextWithRemainingCount', 'counted', COUNTED, [], ['10:40', '10:50']],
    ['smart', 'counted', COUNTED, ['10:10'], ['10:45', '10:55', '11:05', '11:15']],
    ['fireNow', 'counted', COUNTED, ['10:10'], ['10:45', '10:55']],
    ['ignore', 'counted', COUNTED, ['10:10', '10:20', '10:30'], ['10:40', '10:50']],
    ['fireAll', 'counted', COUNTED, ['10:10', '10:20', '10:30'], ['10:40', '10:50']],
    ['fireOnce', 'counted', COUNTED, ['10:30'], ['10:40', '10:50']],
    ['skipToNext', 'counted', COUNTED, [], ['10:40', '10:50']],
    ['smart', 'for ever', ENDLESS, [], ['10:40', '10:50', '11:00', '11:10', '11:20', '11:30']],
    ['fireNow', 'for ever', ENDLESS, ['10:10'], ['10:45', '10:55', '11:05', '11:15', '11:25']],
    ['rescheduleNowWithExistingCount', 'for ever', ENDLESS, ['10:10'], ['10:45', '10:55', '11:05', '11:15', '11:25']],
  ])('%s, %s, runs %j now and then %j', async (policy, _count, options, atOnce, later) => {
    const store = scenarioStore()
    const tick = recording('tick', { trigger: simple(options), misfire: { policy } })
    const before = await testPontual({ store, jobs: [tick.type], startAt: on('09:59') })
    await before.advanceTo(on('10:00'))
    await before.stop()
    expect(occurrencesOf(tick)).toEqual(['10:00'])
    tick.runs.length = 0
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:35') })
    expect(occurrencesOf(tick)).toEqual(atOnce)
    expect(tick.runs.every(({ misfire }) => misfire?.missedCount === 3)).toBe(true)
    const ledger = await test.app.ledger('tick', on('10:01'), on('10:36'))
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(3)
    tick.runs.length = 0
    await test.advanceTo(on('11:30'))
    expect(occurrencesOf(tick)).toEqual(later)
  })

  it('past its end the trigger is done, and what was missed is on record', async () => {
    const store = scenarioStore()
    const trigger = simple({ startAt: on('10:00'), interval: '10m', endAt: on('10:34') })
    const tick = recording('tick', { trigger, misfire: { policy: 'fireNow' } })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('10:05') })).stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:35') })
    expect(tick.runs).toEqual([])
    expect((await test.app.job('tick'))?.schedule.nextFireAt).toBeNull()
    expect(told(await test.app.ledger('tick', on('10:00'), on('11:00')))).toEqual(['3 skipped 10:10-10:30 outage'])
  })

  it('the declared trigger stays what the code says, also after a restart of its count', async () => {
    const store = scenarioStore()
    const tick = recording('tick', { trigger: simple(COUNTED) })
    await (await testPontual({ store, jobs: [tick.type], startAt: on('10:05') })).stop()
    for (const startAt of ['10:35', '10:36']) {
      await using test = await testPontual({ store, jobs: [tick.type], startAt: on(startAt) })
      const found = await test.app.job('tick')
      expect(found?.version).toBe(1)
      expect(found?.definition.trigger).toEqual(simple(COUNTED).toJSON())
      expect(clock(found?.schedule.nextFireAt ?? null)).toBe('10:45')
    }
  })
})

describe('what is refused', () => {
  it.each<[string, () => unknown, string]>([
    ['four fields', () => cron('2 0 * *'), 'cron'],
    ['a minute of 60', () => cron('60 * * * *'), 'minute'],
    ['a word', () => cron('abc'), 'cron'],
  ])('%s as a cron', (_what, make, named) => {
    expect(make).toThrow(new RegExp(named, 'i'))
  })

  it.each<[object, RegExp]>([
    [{ name: 'x', trigger: '* * * * *' }, /trigger/],
    [{ name: '', trigger: cron('* * * * *') }, /name/i],
    [{ name: 'x', trigger: cron('* * * * *'), misfire: { policy: 'fireTwice' } }, /Misfire policy must be one of/],
    [{ name: 'x', trigger: cron('* * * * *'), misfire: { treshold: '1m' } }, /threshold/],
    [{ name: 'x', trigger: cron('* * * * *'), timezone: 'UTC' }, /timezone/],
    [{ name: 'x', trigger: cron('* * * * *'), timeout: 0 }, /timeout/],
  ])('%j with a message that names the field', async (options, message) => {
    await using test = await testPontual()
    await expect(test.app.schedule('x', options as never)).rejects.toThrow(message)
    expect(await test.app.jobs()).toEqual([])
  })
})

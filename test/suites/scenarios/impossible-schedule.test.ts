import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testPontual } from '../../../src/testing.ts'
import {
  annualCalendar,
  cron,
  dailyTimeInterval,
  type MisfireOptions,
  once,
  simple,
  type Trigger,
  weeklyCalendar,
  withCalendar,
  withJitter,
} from '../../../src/time.ts'
import { RecordedLog } from './recorded.ts'

const START = Date.UTC(2026, 0, 1)
const report = job('report', { run: () => null })
const NEVER = weeklyCalendar({ weekdays: [0, 1, 2, 3, 4, 5, 6] })

describe('a schedule that never fires', () => {
  it.each<[string, Trigger, string, string]>([
    ['31 February', cron('0 0 31 2 *'), 'job.never_fires', 'its trigger has no fire time'],
    [
      '31 February, spread',
      withJitter(cron('0 0 31 2 *'), { within: '1m', identity: 'x' }),
      'job.never_fires',
      'its trigger',
    ],
    [
      'a trigger that a calendar excludes',
      withCalendar(cron('0 0 * * *'), NEVER),
      'job.never_fires',
      'its trigger has',
    ],
    ['a trigger that has ended', cron('0 0 * * *', { endAt: START - 1 }), 'job.in_past', '2025-12-31T00:00:00.000Z'],
    [
      'an interval whose repeats are past',
      simple({ startAt: START - 60_000, interval: '10s', repeatCount: 3 }),
      'job.in_past',
      '2025-12-31T23:59:30.000Z',
    ],
    ['one time that is past', once(START - 1), 'job.in_past', 'which is past'],
  ])('is refused: %s', async (_what, trigger, code, message) => {
    await using t = await testPontual({ jobs: [report], startAt: START })
    const refused = t.app.schedule(report, { name: 'r', trigger })
    await expect(refused).rejects.toMatchObject({ code })
    await expect(refused).rejects.toThrow(message)
    expect(await t.app.job('r')).toBeNull()
  })

  it('is refused where its calendar excludes everything, which it names', async () => {
    await using t = await testPontual({ jobs: [report], startAt: START, calendars: { never: NEVER } })
    for (const trigger of [cron('0 0 * * *'), once(START + 60_000)]) {
      const refused = t.app.schedule(report, { name: 'r', trigger, calendar: 'never' })
      const message = 'Job "r" would never fire: calendar "never" excludes all of its fire times.'
      await expect(refused).rejects.toMatchObject({ code: 'job.never_fires', message })
    }
  })

  it('is refused as an edit, and the job stays as it was', async () => {
    await using t = await testPontual({ jobs: [report], startAt: START })
    const before = await t.app.schedule(report, { name: 'r', trigger: cron('0 0 * * *') })
    const refused = t.app.schedule(report, { name: 'r', trigger: cron('0 0 31 2 *') })
    await expect(refused).rejects.toMatchObject({ code: 'job.never_fires' })
    expect(await t.app.job('r')).toEqual(before)
  })

  it('is refused at the start where the code declares it', async () => {
    const declared = job('declared', { schedule: { trigger: cron('0 0 31 2 *') }, run: () => null })
    await expect(testPontual({ jobs: [declared] })).rejects.toMatchObject({ code: 'job.never_fires' })
  })

  it.each<[string, Trigger, string | undefined]>([
    ['has ended', cron('0 0 * * *', { endAt: START - 1 }), undefined],
    ['a calendar excludes', cron('0 0 * * *'), 'never'],
  ])(
    'does not keep an application from starting where the code declares one that %s',
    async (_what, trigger, calendar) => {
      const log = new RecordedLog()
      const declared = job('declared', { schedule: { trigger, calendar }, run: () => null })
      const options = { jobs: [declared], startAt: START, calendars: { never: NEVER }, logger: log.logger }
      await using t = await testPontual(options)
      expect(await t.app.job('declared')).toBeNull()
      expect(log.lines.map(({ message }) => message)).toContain('A declared job is left out')
    },
  )

  it('that has ended since it was declared stays as it is', async () => {
    const store = memory()
    const trigger = cron('0 0 * * *', { endAt: START + 86_400_000 })
    const declared = job('declared', { schedule: { trigger }, run: () => null })
    await using first = await testPontual({ store, jobs: [declared], startAt: START })
    await first.advance('3 days')
    await first.app.stop()
    await using second = await testPontual({ store, jobs: [declared], startAt: first.now() })
    expect(await second.app.job('declared')).toMatchObject({ status: 'ACTIVE', schedule: { nextFireAt: null } })
  })

  it('fires however rarely it does', async () => {
    await using t = await testPontual({
      jobs: [report],
      startAt: START,
      calendars: { odd: annualCalendar({ days: ['12-25'] }) },
    })
    const leap = await t.app.schedule(report, { name: 'leap', trigger: cron('0 0 29 2 *'), calendar: 'odd' })
    expect(leap.schedule.nextFireAt).toBe(Date.UTC(2028, 1, 29))
  })
})

describe('a schedule without its required input', () => {
  const withSchema = job('checked', { input: z.object({ id: z.number() }), run: () => null })
  const typed = job('typed', { run: (input: { readonly id: number }) => input.id })

  it('is refused', async () => {
    await using t = await testPontual({ jobs: [withSchema], startAt: START })
    const options = { name: 'r', trigger: cron('0 0 * * *') }
    // @ts-expect-error its input is required
    await expect(t.app.schedule(withSchema, options)).rejects.toMatchObject({ code: 'payload.invalid' })
    await expect(t.app.schedule('checked', options)).rejects.toMatchObject({ code: 'payload.invalid' })
    // @ts-expect-error its input is required
    await expect(t.app.scheduleOnce(withSchema, START + 1, { name: 'r' })).rejects.toMatchObject({
      code: 'payload.invalid',
    })
    expect(await t.app.jobs()).toEqual([])
  })

  it('is refused at the start where the code declares it', async () => {
    const schedule = { trigger: cron('0 0 * * *') }
    // @ts-expect-error its input is required
    const declared = job('checked', { input: z.object({ id: z.number() }), schedule, run: () => null })
    await expect(testPontual({ jobs: [declared as AnyJobType] })).rejects.toMatchObject({ code: 'payload.invalid' })
  })

  it('does not compile where only TypeScript knows of it', async () => {
    await using t = await testPontual({ jobs: [typed], startAt: START })
    // @ts-expect-error its input is required
    await t.app.schedule(typed, { name: 'r', trigger: cron('0 0 * * *') })
    await t.app.schedule(typed, { name: 'r', trigger: cron('0 0 * * *'), input: { id: 1 } })
    expect((await t.app.job('r'))?.definition.payload).toBe('{"id":1}')
  })
})

describe('a misfire policy for simple triggers', () => {
  const accepted = 'accepted are smart, ignore, fireNow, fireOnce, fireAll, skipToNext.'
  it.each<[string, Trigger, MisfireOptions, string]>([
    ['a cron', cron('0 0 * * *'), { policy: 'rescheduleNowWithExistingCount' }, 'of type cron'],
    [
      'a cron, for one cause',
      cron('0 0 * * *'),
      { causes: { outage: 'rescheduleNowWithRemainingCount' } },
      'of type cron',
    ],
    [
      'a daily interval',
      dailyTimeInterval({ every: 1, unit: 'hour' }),
      { policy: 'rescheduleNextWithRemainingCount' },
      'of type dailyTimeInterval',
    ],
  ])('is refused on %s, with those that are accepted', async (_what, trigger, misfire, type) => {
    await using t = await testPontual({ jobs: [report], startAt: START })
    const refused = t.app.schedule(report, { name: 'r', trigger, misfire })
    await expect(refused).rejects.toMatchObject({ code: 'misfire.policy_unsupported' })
    await expect(refused).rejects.toThrow(type)
    await expect(refused).rejects.toThrow(accepted)
  })

  it('is accepted on a simple trigger', async () => {
    await using t = await testPontual({ jobs: [report], startAt: START })
    const trigger = simple({ startAt: START, interval: '1h' })
    const misfire = { policy: 'rescheduleNowWithExistingCount' } as const
    expect(await t.app.schedule(report, { name: 'r', trigger, misfire })).toMatchObject({ status: 'ACTIVE' })
  })
})

import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron, holidayCalendar, type MisfirePolicyName, once } from '../../../src/time.ts'
import { at, wall } from '../../harness/instants.ts'
import { clock, occurrencesOf, recording, told } from './observed.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)
const TEN = ['10:01', '10:02', '10:03', '10:04', '10:05', '10:06', '10:07', '10:08', '10:09', '10:10']

const store = pglite()

afterEach(async () => {
  await using test = await testPontual({ store, startAt: on('00:00') })
  for (const { name } of await test.app.jobs()) await test.app.remove(name)
})
afterAll(() => store.dispose())

describe('the same with PGlite', { timeout: 120_000 }, () => {
  it('a weekly job runs every week of a year, at the hour of its zone', async () => {
    const zone = 'America/New_York'
    const weekly = recording('weekly', { trigger: cron('30 8 * * MON', { timeZone: zone }) })
    await using test = await testPontual({ store, jobs: [weekly.type], startAt: at('2026-01-01', zone) })
    await test.advanceTo(at('2027-01-01', zone))
    expect(weekly.runs).toHaveLength(52)
    expect(new Set(weekly.runs.map(({ scheduledAt }) => wall(scheduledAt, zone)?.slice(11, 16)))).toEqual(
      new Set(['08:30']),
    )
    const ledger = await test.app.ledger('weekly', at('2026-01-01', zone), at('2027-01-01', zone))
    expect(ledger).toHaveLength(52)
    expect(ledger.every(({ decision, count }) => decision === 'fired' && count === 1)).toBe(true)
    expect(await test.app.executions({ statuses: ['SUCCESS'], limit: 1_000 })).toHaveLength(52)
  })

  it.each<[MisfirePolicyName, string[], string[]]>([
    ['fireNow', ['10:01'], ['1 firedLate 10:01 outage', '9 consolidated 10:02-10:10 outage']],
    ['fireOnce', ['10:10'], ['9 consolidated 10:01-10:09 outage', '1 firedLate 10:10 outage']],
    ['fireAll', TEN, TEN.map((time) => `1 firedLate ${time} outage`)],
    ['skipToNext', [], ['10 skipped 10:01-10:10 outage']],
  ])('last fired 10:00, back at 10:10:30, %s runs %j', async (policy, occurrences, ledger) => {
    const tick = recording('tick', { trigger: cron('* * * * *'), misfire: { policy } })
    const before = await testPontual({ store, jobs: [tick.type], startAt: on('09:59:30') })
    await before.advanceTo(on('10:00:20'))
    await before.stop()
    tick.runs.length = 0
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:10:30') })
    expect(occurrencesOf(tick)).toEqual(occurrences)
    for (const { scheduledAt, misfire } of tick.runs) {
      expect(misfire).toEqual({
        scheduledAt,
        detectedAt: on('10:10:30'),
        delayMs: on('10:10:30') - (scheduledAt ?? 0),
        policy,
        missedCount: 10,
        cause: 'outage',
      })
    }
    expect(told(await test.app.ledger('tick', on('10:00:01'), on('23:59')))).toEqual(ledger)
    expect(clock((await test.app.job('tick'))?.schedule.nextFireAt ?? null)).toBe('10:11')
  })

  it('a pause is recorded, a second start changes nothing, and a calendar moves the next fire', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    const noon = recording('noon', { trigger: cron('0 12 * * *'), calendar: 'off' })
    const options = {
      store,
      jobs: [tick.type, noon.type],
      calendars: { off: holidayCalendar({ dates: ['2026-03-02'] }) },
    }
    const before = await testPontual({ ...options, startAt: on('10:00:30') })
    await before.app.pause('tick')
    await before.advanceTo(on('10:03:30'))
    await before.app.resume('tick')
    expect(told(await before.app.ledger('tick', on('10:00'), on('11:00')))).toEqual(['3 skipped 10:01-10:03 paused'])
    const stored = await before.app.jobs()
    await before.stop()
    await using test = await testPontual({ ...options, startAt: on('10:03:40') })
    expect(await test.app.jobs()).toEqual(stored)
    await test.app.setCalendar('off', holidayCalendar({ dates: [] }))
    expect((await test.app.job('noon'))?.schedule.nextFireAt).toBe(on('12:00'))
  })

  it('a one-time job is scheduled, survives an outage of a day, runs and completes', async () => {
    const single = recording('single')
    const before = await testPontual({ store, jobs: [single.type], startAt: on('10:00') })
    await before.app.scheduleOnce(single.type, on('10:05'), { name: 'once' })
    await expect(before.app.schedule(single.type, { name: 'x', trigger: once(on('09:00')) })).rejects.toMatchObject({
      code: 'job.in_past',
    })
    await before.stop()
    await using test = await testPontual({ store, jobs: [single.type], startAt: at('2026-03-03T10:00Z') })
    expect(occurrencesOf(single)).toEqual(['10:05'])
    expect(await test.app.executions()).toMatchObject([{ status: 'SUCCESS', scheduledAt: on('10:05') }])
    expect((await test.app.job('once'))?.schedule.nextFireAt).toBeNull()
  })
})

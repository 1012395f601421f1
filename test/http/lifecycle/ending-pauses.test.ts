import { afterAll, describe, expect, it } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron, weeklyCalendar } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { clock, occurrencesOf, recording, told } from '../../suites/scenarios/observed.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)
const START = on('09:59:30')
const onDisk = pglite()
afterAll(() => onDisk.dispose())

describe.each([
  ['memory', () => memory()],
  ['PGlite', () => onDisk],
])('a pause that ends by itself, on %s', (kind, source) => {
  it('skips what it held back, and lets what is due at its end run on time', async () => {
    const tick = recording(`tick ${kind}`, { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await using test = await testPontual({ store: source(), jobs: [tick.type], startAt: START })
    await test.advanceTo(on('10:00:30'))
    const paused = await test.app.pause(tick.type.id, 'month end', { until: on('10:05') })
    expect(paused).toMatchObject({ status: 'PAUSED', statusReason: 'month end', pausedUntil: on('10:05') })
    await test.advanceTo(on('10:06:30'))
    expect(occurrencesOf(tick)).toEqual(['10:00', '10:05', '10:06'])
    expect(tick.runs.at(-2)?.misfire).toBeNull()
    expect(await test.app.job(tick.type.id)).toMatchObject({
      status: 'ACTIVE',
      resumeStatus: null,
      statusReason: null,
      pausedUntil: null,
    })
    expect(told(await test.app.ledger(tick.type.id, START, on('11:00')))).toEqual([
      '1 fired 10:00',
      '4 skipped 10:01-10:04 paused',
      '1 fired 10:05',
      '1 fired 10:06',
    ])
    await test.app.remove(tick.type.id)
  })

  it('tells what was missed after it from what it held back', async () => {
    const store = source()
    const tick = recording(`late ${kind}`, { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    const before = await testPontual({ store, jobs: [tick.type], startAt: START })
    await before.app.pause(tick.type.id, null, { until: on('10:03:30') })
    await before.stop()
    await using test = await testPontual({ store, jobs: [tick.type], startAt: on('10:05:30') })
    await test.advanceTo(on('10:06:30'))
    expect(told(await test.app.ledger(tick.type.id, START, on('11:00')))).toEqual([
      '4 skipped 10:00-10:03 paused',
      '1 firedLate 10:04 outage',
      '1 firedLate 10:05 outage',
      '1 fired 10:06',
    ])
    await test.app.remove(tick.type.id)
  })

  it('can be ended before, and then is over', async () => {
    const tick = recording(`early ${kind}`, { trigger: cron('* * * * *') })
    await using test = await testPontual({ store: source(), jobs: [tick.type], startAt: START })
    await test.app.pause(tick.type.id, null, { until: on('10:30') })
    await test.advanceTo(on('10:01:30'))
    expect(await test.app.resume(tick.type.id)).toMatchObject({ status: 'ACTIVE', pausedUntil: null })
    await test.advanceTo(on('10:02:30'))
    await test.app.pause(tick.type.id)
    await test.advanceTo(on('10:40:30'))
    expect(occurrencesOf(tick)).toEqual(['10:02'])
    expect(await test.app.job(tick.type.id)).toMatchObject({ status: 'PAUSED', pausedUntil: null })
    await test.app.remove(tick.type.id)
  })

  it('faults a job that cannot go on, and leaves the others alone', async () => {
    const tick = recording(`calm ${kind}`, { trigger: cron('* * * * *') })
    const lost = recording(`lost ${kind}`, { trigger: cron('* * * * *'), calendar: 'weekdays' })
    await using test = await testPontual({
      store: source(),
      jobs: [lost.type, tick.type],
      calendars: { weekdays: weeklyCalendar({ weekdays: [0], timeZone: 'UTC' }) },
      startAt: START,
    })
    for (const { type } of [lost, tick]) await test.app.pause(type.id, null, { until: on('10:02') })
    await test.app.removeCalendar('weekdays')
    await test.advanceTo(on('10:03:30'))
    expect(occurrencesOf(tick)).toEqual(['10:02', '10:03'])
    expect(await test.app.job(lost.type.id)).toMatchObject({ status: 'FAULTED', pausedUntil: null })
    for (const { type } of [lost, tick]) await test.app.remove(type.id)
  })
})

describe('a pause', () => {
  it('cannot end in the past', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using test = await testPontual({ jobs: [tick.type], startAt: START })
    await expect(test.app.pause('tick', null, { until: START })).rejects.toMatchObject({
      code: 'job.pause_in_past',
      message: `Job "tick" cannot be paused until 2026-03-02T09:59:30.000Z, which is past; it is 2026-03-02T09:59:30.000Z now.`,
    })
    expect(clock((await test.app.job('tick'))?.schedule.nextFireAt ?? null)).toBe('10:00')
  })
})

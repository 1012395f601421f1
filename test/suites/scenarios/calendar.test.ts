import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../src/logger.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { ManualEnv } from '../../../src/testing/manual-env.ts'
import { testPontual } from '../../../src/testing.ts'
import {
  annualCalendar,
  type Calendar,
  cron,
  cronCalendar,
  dailyCalendar,
  holidayCalendar,
  monthlyCalendar,
  weeklyCalendar,
} from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { clock, occurrencesOf, recording, told } from './observed.ts'
import { RecordedLog } from './recorded.ts'

/** A Monday. */
const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)
const day = (instant: number | null | undefined) =>
  instant == null ? null : new Date(instant).toISOString().slice(0, 10)

/** Takes a calendar away behind the engine's back. */
async function removeCalendar(source: StoreSource, name: string): Promise<void> {
  const env = new ManualEnv({ startAt: on('00:00'), seed: 1, isBusy: () => false })
  const store = await source.open({ env, logger: silentLogger, now: () => env.now() })
  expect(await store.calendars.remove([{ tenant: 'default', name }])).toBe(1)
  await store.close()
}

describe('a job with a calendar', () => {
  it.each<[string, Calendar, string[]]>([
    ['holiday', holidayCalendar({ dates: ['2026-03-03', '2026-03-05'] }), ['02', '04', '06', '07', '08']],
    ['weekly', weeklyCalendar(), ['02', '03', '04', '05', '06']],
    ['monthly', monthlyCalendar({ days: [2, 3] }), ['04', '05', '06', '07', '08']],
    ['annual', annualCalendar({ days: ['03-04'] }), ['02', '03', '05', '06', '07', '08']],
    ['cron', cronCalendar('* * * * MON'), ['03', '04', '05', '06', '07', '08']],
    ['daily that excludes noon', dailyCalendar({ from: '11:00', to: '13:00' }), []],
    [
      'weekly over holidays',
      weeklyCalendar({ base: holidayCalendar({ dates: ['2026-03-03'] }) }),
      ['02', '04', '05', '06'],
    ],
  ])('does not fire when %s says no', async (_kind, calendar, days) => {
    const noon = recording('noon', { trigger: cron('0 12 * * *'), calendar: 'off' })
    await using test = await testPontual({ jobs: [noon.type], calendars: { off: calendar }, startAt: on('00:00') })
    await test.advance('7d')
    expect(noon.runs.map(({ scheduledAt }) => day(scheduledAt)?.slice(8))).toEqual(days)
  })

  it('misses nothing at excluded times', async () => {
    const store = memory()
    const options = {
      store,
      jobs: [recording('noon', { trigger: cron('0 12 * * *'), calendar: 'off', misfire: { policy: 'fireAll' } }).type],
      calendars: { off: weeklyCalendar() },
    }
    await (await testPontual({ ...options, startAt: at('2026-03-05T13:00Z') })).stop()
    await using test = await testPontual({ ...options, startAt: at('2026-03-09T13:30Z') })
    const ledger = await test.app.ledger('noon', on('00:00'), at('2026-03-10'))
    expect(ledger.map(({ from }) => day(from))).toEqual(['2026-03-06', '2026-03-09'])
  })

  it('runs a misfire only once the calendar lets it', async () => {
    const store = memory()
    const noon = recording('noon', { trigger: cron('0 12 * * FRI'), calendar: 'off' })
    const options = { store, jobs: [noon.type], calendars: { off: weeklyCalendar() } }
    await (await testPontual({ ...options, startAt: on('00:00') })).stop()
    await using test = await testPontual({ ...options, startAt: at('2026-03-07T10:00Z') })
    await test.advanceTo(at('2026-03-08T23:59Z'))
    expect(noon.runs).toEqual([])
    await test.advanceTo(at('2026-03-09T00:00Z'))
    expect(noon.runs.map(({ scheduledAt }) => day(scheduledAt))).toEqual(['2026-03-06'])
  })

  it("runs a misfire at once by Quartz's letter", async () => {
    const store = memory()
    const noon = recording('noon', { trigger: cron('0 12 * * FRI'), calendar: 'off', quartz: true })
    const options = { store, jobs: [noon.type], calendars: { off: weeklyCalendar() } }
    await (await testPontual({ ...options, startAt: on('00:00') })).stop()
    await using _ = await testPontual({ ...options, startAt: at('2026-03-07T10:00Z') })
    expect(noon.runs).toHaveLength(1)
  })
})

describe('a calendar that changes', () => {
  it('moves the next fire of the jobs that name it, and of no other', async () => {
    const noon = recording('noon', [
      { name: 'with', trigger: cron('0 12 * * *'), calendar: 'off' },
      { name: 'without', trigger: cron('0 12 * * *') },
    ])
    await using test = await testPontual({
      jobs: [noon.type],
      calendars: { off: holidayCalendar({ dates: ['2026-03-02'] }) },
      startAt: on('00:00'),
    })
    const next = async (name: string) => day((await test.app.job(name))?.schedule.nextFireAt)
    expect([await next('with'), await next('without')]).toEqual(['2026-03-03', '2026-03-02'])
    await test.app.setCalendar('off', holidayCalendar({ dates: ['2026-03-02', '2026-03-03'] }))
    expect([await next('with'), await next('without')]).toEqual(['2026-03-04', '2026-03-02'])
    await test.app.setCalendar('off', holidayCalendar({ dates: [] }))
    expect([await next('with'), await next('without')]).toEqual(['2026-03-02', '2026-03-02'])
    await test.advanceTo(on('12:00'))
    expect(occurrencesOf(noon)).toEqual(['12:00', '12:00'])
  })

  it('that excludes all that is left leaves nothing to come, and gives it back', async () => {
    const noon = recording('noon', { trigger: cron('0 12 * * *', { endAt: on('13:00') }), calendar: 'off' })
    await using test = await testPontual({
      jobs: [noon.type],
      calendars: { off: holidayCalendar({ dates: [] }) },
      startAt: on('00:00'),
    })
    await test.app.setCalendar('off', holidayCalendar({ dates: ['2026-03-02'] }))
    expect((await test.app.job('noon'))?.schedule.nextFireAt).toBeNull()
    await test.app.setCalendar('off', holidayCalendar({ dates: ['2026-03-03'] }))
    expect(clock((await test.app.job('noon'))?.schedule.nextFireAt ?? null)).toBe('12:00')
  })

  it('in the code moves the next fire at the next start', async () => {
    const store = memory()
    const noon = recording('noon', { trigger: cron('0 12 * * *'), calendar: 'off' })
    const start = (dates: string[]) =>
      testPontual({ store, jobs: [noon.type], calendars: { off: holidayCalendar({ dates }) }, startAt: on('00:00') })
    await (await start(['2026-03-02'])).stop()
    await using test = await start(['2026-03-02', '2026-03-03', '2026-03-04'])
    expect(day((await test.app.job('noon'))?.schedule.nextFireAt)).toBe('2026-03-05')
  })

  it('of another tenant is another calendar', async () => {
    const noon = recording('noon', { trigger: cron('0 12 * * *'), calendar: 'off' })
    await using test = await testPontual({
      jobs: [noon.type],
      calendars: { off: holidayCalendar({ dates: ['2026-03-02'] }) },
      startAt: on('00:00'),
    })
    await test.app.setCalendar('off', holidayCalendar({ dates: ['2026-03-03'] }), 'acme')
    expect(day((await test.app.job('noon'))?.schedule.nextFireAt)).toBe('2026-03-03')
  })
})

describe('a calendar that does not exist', () => {
  it('is refused by name when a job is scheduled', async () => {
    await using test = await testPontual()
    const refused = test.app.schedule('noon', { name: 'noon', trigger: cron('0 12 * * *'), calendar: 'of' })
    await expect(refused).rejects.toThrow('Job "noon" names calendar "of", which does not exist.')
    await expect(refused).rejects.toMatchObject({ code: 'calendar.unknown' })
    expect(await test.app.jobs()).toEqual([])
  })

  it('is refused by name when a job is declared', async () => {
    const noon = recording('noon', { trigger: cron('0 12 * * *'), calendar: 'off' })
    await expect(testPontual({ jobs: [noon.type] })).rejects.toThrow(
      'Job "noon" names calendar "off", which does not exist.',
    )
  })

  it('any more when the job is due faults that job only', async () => {
    const { logger, lines } = new RecordedLog()
    const store = memory()
    const noon = recording('noon', [
      { name: 'with', trigger: cron('0 12 * * *'), calendar: 'off' },
      { name: 'without', trigger: cron('0 12 * * *') },
    ])
    await using test = await testPontual({
      store,
      jobs: [noon.type],
      calendars: { off: weeklyCalendar() },
      startAt: on('00:00'),
      logger,
    })
    await removeCalendar(store, 'off')
    await test.advanceTo(on('12:01'))
    expect(noon.runs).toHaveLength(1)
    const faulted = await test.app.job('with')
    expect(faulted).toMatchObject({
      status: 'FAULTED',
      resumeStatus: 'ACTIVE',
      statusReason: 'Job "with" names calendar "off", which does not exist.',
    })
    expect((await test.app.job('without'))?.status).toBe('ACTIVE')
    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([{ fields: { job: 'with' } }])
    await test.advance('1d')
    expect(noon.runs).toHaveLength(2)
  })

  /** A job that is faulted because its calendar is gone. */
  async function faulted() {
    const store = memory()
    const noon = recording('noon')
    const test = await testPontual({
      store,
      jobs: [noon.type],
      calendars: { off: weeklyCalendar() },
      startAt: on('00:00'),
    })
    await test.app.schedule(noon.type, { name: 'noon', trigger: cron('0 12 * * *'), calendar: 'off' })
    await removeCalendar(store, 'off')
    await test.advanceTo(on('12:01'))
    expect((await test.app.job('noon'))?.status).toBe('FAULTED')
    return { test, noon }
  }

  it('is healed by the calendar and a resume', async () => {
    const { test, noon } = await faulted()
    await using _ = test
    await test.app.setCalendar('off', weeklyCalendar())
    expect((await test.app.resume('noon')).status).toBe('ACTIVE')
    expect(told(await test.app.ledger('noon', on('00:00'), on('23:00')))).toEqual(['1 skipped 12:00 faulted'])
    await test.advanceTo(at('2026-03-03T12:00Z'))
    expect(occurrencesOf(noon)).toEqual(['12:00'])
  })

  it('is healed by an edit that names no calendar', async () => {
    const { test, noon } = await faulted()
    await using _ = test
    const edited = await test.app.schedule(noon.type, { name: 'noon', trigger: cron('0 12 * * *') })
    expect(edited.status).toBe('ACTIVE')
    await test.advanceTo(at('2026-03-03T12:00Z'))
    expect(occurrencesOf(noon)).toEqual(['12:00'])
  })

  it('does not keep the ledger from being read', async () => {
    const { test } = await faulted()
    await using _ = test
    expect(told(await test.app.ledger('noon', on('00:00'), on('23:00')))).toEqual(['1 skipped 12:00 faulted'])
  })

  it('is told when the job is resumed without it', async () => {
    const { test } = await faulted()
    await using _ = test
    await expect(test.app.resume('noon')).rejects.toThrow('Job "noon" names calendar "off", which does not exist.')
  })
})

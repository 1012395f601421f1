import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ADMIN, type Asker, type AskOptions, nightly, openWorld, STRANGER, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await ask('PUT', '/api/jobs/settings', { body: { allowsSeconds: true } })
})
afterAll(() => world[Symbol.asyncDispose]())

const ask = (method: string, path: string, options?: AskOptions) => world.ask(ADMIN, method, path, options)

const YEAR = { from: '2026-01-01T00:00:00Z', to: '2026-12-31T00:00:00Z' }
const START = '1970-01-01T00:00:00Z'
const NEVER = { type: 'daily', from: '00:00', to: '23:59:59.999' }
const WORKDAYS = { type: 'weekly', weekdays: [0, 6] }
const EVEN = { type: 'cron', expression: '*/2 * * * * *' }
const ALL_DATES = Array.from({ length: 60_000 }, (_, day) => new Date(day * 86_400_000).toISOString().slice(0, 10))

const cron = (expression: string) => ({ type: 'cron', expression, timeZone: 'America/Sao_Paulo' })
const simple = (intervalMs: number) => ({ type: 'simple', startAt: START, intervalMs, repeatCount: -1 })
const under = (trigger: unknown, calendar: unknown, onExcluded = 'skip') => ({
  type: 'calendared',
  trigger,
  calendar,
  onExcluded,
})
const wrapped = (times: number, trigger: unknown, wrap: (inner: unknown) => unknown): unknown =>
  times === 0 ? trigger : wrap(wrapped(times - 1, trigger, wrap))

/** Rules that could keep whoever works them out busy for ever: nobody else may have to wait for them. */
describe('a trigger that is hard to work out', () => {
  it.each<[string, unknown, string]>([
    ['that never fires by its calendar', under(cron('* * * * *'), NEVER), '/trigger never_fires'],
    ['whose seconds are all excluded', under(cron('*/2 * * * * *'), EVEN), '/trigger search_too_long'],
    ['of which every step is excluded', under(simple(2_000), EVEN), '/trigger search_too_long'],
    ['that moves to days on which it is excluded', under(simple(60_000), EVEN, 'nextDay'), '/trigger search_too_long'],
    ['that moves back to such days', under(cron('* * * * *'), EVEN, 'previousDay'), '/trigger search_too_long'],
    [
      'under calendars in calendars',
      wrapped(8, cron('* * * * *'), (inner) =>
        under(inner, { type: 'weekly', weekdays: [0, 1, 2, 3, 4, 5] }, 'nextDay'),
      ),
      '/trigger search_too_long',
    ],
    ['wrapped too deep', wrapped(30, cron('0 2 * * *'), (inner) => under(inner, WORKDAYS)), '/trigger trigger_invalid'],
    [
      'with very many dates',
      under(cron('0 2 * * *'), { type: 'holiday', dates: ALL_DATES }),
      '/trigger length_invalid',
    ],
    ['with a very long identity', { ...cron('H H * * *'), identity: 'x'.repeat(100_000) }, '/trigger length_invalid'],
  ])('%s is refused', async (_what, trigger, problem) => {
    const { status, body, text } = await ask('POST', '/api/jobs', {
      body: nightly({ cronExpression: undefined, trigger }),
    })
    expect(status, text).toBe(400)
    const [found] = body.errors
    expect(`${found?.pointer} ${found?.code}`).toBe(problem)
  })

  it.each<[string, unknown]>([
    ['every millisecond since 1970', simple(1)],
    [
      'every second since 1970',
      { type: 'calendarInterval', startAt: START, every: 1, unit: 'second', timeZone: 'UTC' },
    ],
    ['on workdays, moved by weekends', under(simple(60_000), WORKDAYS, 'nextDay')],
    ['after very many repeats', { ...simple(1_000), repeatCount: 2_000_000_000 }],
    [
      'later by a little, many times over',
      wrapped(8, cron('0 2 29 2 *'), (trigger) => ({ type: 'jittered', trigger, withinMs: 1_000, identity: 'x' })),
    ],
  ])('is none: %s', async (_what, trigger) => {
    const { status, text } = await ask('POST', '/api/jobs', { body: nightly({ cronExpression: undefined, trigger }) })
    expect(status, text).toBe(201)
  })
})

describe('a calendar that is hard to work out', () => {
  it.each<[string, unknown, string]>([
    ['with very many dates', { type: 'holiday', dates: ALL_DATES }, 'length_invalid'],
    ['on too many others', wrapped(30, WORKDAYS, (base) => ({ ...WORKDAYS, base })), 'format_invalid'],
    [
      'that excludes everything in turns',
      { ...EVEN, base: { type: 'cron', expression: '1-59/2 * * * * *' } },
      'search_too_long',
    ],
  ])('%s is refused', async (_what, definition, code) => {
    const { status, body, text } = await ask('PUT', '/api/jobs/calendars/hostile', { body: { definition } })
    expect([status, body.errors?.[0]?.code], text).toEqual([400, code])
  })

  it('costs who names it, and nobody else', async () => {
    await ask('PUT', '/api/jobs/calendars/even', { body: { definition: { ...EVEN, onExcluded: 'nextDay' } } })
    const { status, body, text } = await ask('POST', '/api/jobs', {
      body: nightly({ cronExpression: '* * * * *', calendar: 'even' }),
    })
    expect([status, body.errors?.[0]?.code], text).toEqual([400, 'search_too_long'])
  })
})

describe('a question that is hard to answer', () => {
  it('about an outage of a year, for many jobs, is answered while others are', async () => {
    for (let count = 0; count < 50; count += 1) {
      await world.ask(STRANGER, 'POST', '/api/jobs', { body: nightly({ cronExpression: '* * * * *' }) })
    }
    const simulated = world.ask(STRANGER, 'POST', '/api/jobs/simulate', { body: YEAR })
    expect((await ask('GET', '/api/jobs?limit=1')).status).toBe(200)
    expect((await simulated).body['jobs']).toHaveLength(50)
  })

  it('about an outage can be asked about a shorter one', async () => {
    const trigger = under(simple(60_000), WORKDAYS, 'nextDay')
    const { body: job } = await ask('POST', '/api/jobs', { body: nightly({ cronExpression: undefined, trigger }) })
    const outage = (to: string) => ask('POST', '/api/jobs/simulate', { body: { ...YEAR, to, jobId: job.id } })
    expect((await outage(YEAR.to)).body.errors).toMatchObject([{ pointer: '/jobId', code: 'search_too_long' }])
    expect((await outage('2026-01-02T00:00:00Z')).status).toBe(200)
  })

  it('about very many jobs, each of which takes a while, is not answered for ever', async () => {
    const trigger = under(simple(3_600_000), WORKDAYS, 'nextDay')
    const initech: Asker = { tenant: 'initech', userId: 'ivo', profile: 'Developer' }
    for (let count = 0; count < 30; count += 1) {
      await world.ask(initech, 'POST', '/api/jobs', { body: nightly({ cronExpression: undefined, trigger }) })
    }
    const { status, body } = await world.ask(initech, 'POST', '/api/jobs/simulate', { body: YEAR })
    const [jobs, tooLong] = [body['jobs'] as unknown[], body['tooLong'] as unknown[]]
    expect([status, jobs.length + tooLong.length]).toEqual([200, 30])
    expect(jobs.length).toBeGreaterThan(0)
    expect(tooLong.length).toBeGreaterThan(0)
  })

  it('about a cron expression is short', async () => {
    for (const cronExpression of [
      '1,'.repeat(5_000),
      `0 0 * * *${' '.repeat(9_000)}`,
      '*/1/1/1 * * * *',
      '0 0 30 2 *',
    ]) {
      const { status, text } = await ask('POST', '/api/jobs/new/validate-cron', { body: { cronExpression } })
      expect([200, 400]).toContain(status)
      expect(text.length).toBeLessThan(1_000)
    }
  })
})

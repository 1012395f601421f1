import { describe, expect, it } from 'vitest'
import { ana, fields, openStage, refusalOf, stranger } from '../../../test/http/service/stage.ts'
import { cron } from '../../time/triggers/cron.ts'

/** The clock of a stage begins at 2026-01-01T00:00:00Z. */
const DAY = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' }
const UTC = { timeZone: 'UTC' }

describe('an agenda', () => {
  it('tells how often jobs fire over time, and when, of those that fire', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    const a = await jobs.create(ana, fields({ name: 'job a', cronExpression: '0 */6 * * *', ...UTC }))
    const b = await jobs.create(ana, fields({ name: 'job b', cronExpression: '15 6 * * *', ...UTC }))
    await jobs.create(ana, fields({ cronExpression: '0 6 * * *', requiresTwoStepExecution: true, ...UTC }))
    const paused = await jobs.create(ana, fields({ cronExpression: '0 6 * * *', ...UTC }))
    await jobs.pause(ana, paused.id, { reason: null, until: null })
    await jobs.create(stranger, fields({ cronExpression: '0 6 * * *', ...UTC }))
    const agenda = await overview.agenda(ana, DAY)
    expect(agenda).toEqual({
      from: '2026-01-01T00:00:00.000Z',
      to: '2026-01-02T00:00:00.000Z',
      bucketMinutes: 60,
      jobs: 2,
      isSuspended: false,
      isPartial: false,
      buckets: [
        { at: '2026-01-01T06:00:00.000Z', count: 2 },
        { at: '2026-01-01T12:00:00.000Z', count: 1 },
        { at: '2026-01-01T18:00:00.000Z', count: 1 },
      ],
      items: [
        { jobId: a.id, name: a.name, at: '2026-01-01T06:00:00.000Z' },
        { jobId: b.id, name: b.name, at: '2026-01-01T06:15:00.000Z' },
        { jobId: a.id, name: a.name, at: '2026-01-01T12:00:00.000Z' },
        { jobId: a.id, name: a.name, at: '2026-01-01T18:00:00.000Z' },
      ],
    })
    expect((await overview.agenda(ana, { ...DAY, bucketMinutes: 1_440 })).buckets).toEqual([
      { at: '2026-01-01T00:00:00.000Z', count: 4 },
    ])
    expect(await overview.agenda(ana, { ...DAY, jobId: b.id })).toMatchObject({ jobs: 1, items: [{ name: b.name }] })
    expect(await overview.agenda(ana, { ...DAY, jobId: paused.id })).toMatchObject({ jobs: 0, items: [], buckets: [] })
  })

  it('has the first 500, and counts all', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    await jobs.create(ana, fields({ cronExpression: '* * * * *' }))
    await jobs.create(ana, fields({ cronExpression: '* * * * *' }))
    const { items, buckets, isPartial } = await overview.agenda(ana, DAY)
    expect({ items: items.length, isPartial }).toEqual({ items: 500, isPartial: false })
    expect(buckets.reduce((sum, { count }) => sum + count, 0)).toBe(2 * (1_440 - 1))
    expect(buckets[1]).toEqual({ at: '2026-01-01T01:00:00.000Z', count: 120 })
  })

  it('says where the tenant is suspended', async () => {
    await using stage = await openStage()
    const { jobs, overview, administration } = stage.service
    await jobs.create(ana, fields())
    await administration.switchFlag(ana, 'JOBS_SCHEDULING', false, 'en')
    expect(await overview.agenda(ana)).toMatchObject({ isSuspended: true, jobs: 1 })
    expect(await overview.upcoming(ana)).toMatchObject({ isSuspended: true })
  })

  it.each<[string, object, object]>([
    ['that ends before it begins', { to: '2025-01-01T00:00:00Z' }, { '/to': 'out_of_range' }],
    ['of more than 45 days', { to: '2026-02-15T00:00:01Z' }, { '/to': 'out_of_range' }],
    ['without a beginning', { from: 'yesterday' }, { '/from': 'format_invalid' }],
    ['in buckets of any length', { bucketMinutes: 7 }, { '/bucketMinutes': 'format_invalid' }],
  ])('%s is refused', async (_what, change, expected) => {
    await using stage = await openStage()
    expect(await refusalOf(stage.service.overview.agenda(ana, { ...DAY, ...change }))).toEqual(expected)
  })
})

describe('what fires next', () => {
  it('is the first fires over all jobs, also where one job has most of them', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    await jobs.create(ana, fields({ name: 'often', cronExpression: '*/10 * * * *', ...UTC }))
    await jobs.create(ana, fields({ name: 'rarely', cronExpression: '25 21 * * *', timeZone: 'America/Sao_Paulo' }))
    await jobs.create(
      ana,
      fields({ name: 'never again', cronExpression: undefined, trigger: { type: 'once', at: '2026-01-01T00:05:00Z' } }),
    )
    await jobs.create(stranger, fields({ cronExpression: '* * * * *' }))
    const { items } = await overview.upcoming(ana, { limit: 6 })
    expect(items.map(({ name, at }) => `${name} ${at.slice(11, 16)}`)).toEqual([
      'never again 00:05',
      'often 00:10',
      'often 00:20',
      'rarely 00:25',
      'often 00:30',
      'often 00:40',
    ])
    expect(items[3]).toMatchObject({ timeZone: 'America/Sao_Paulo' })
    expect((await overview.upcoming(ana)).items).toHaveLength(10)
  })

  it('contain a FAULTED job that continues to fire, however many do not', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    for (let count = 0; count < 11; count += 1) {
      const { id } = await jobs.create(ana, fields({ jobType: 'Falhar', cronExpression: '* * * * *' }))
      await jobs.execute(ana, id, {})
    }
    const trigger = cron('0 9 * * *', { timeZone: 'UTC' })
    const continuing = { name: 'continuing', trigger, tenant: 'acme', onFaulted: 'continue' } as const
    const { id } = await stage.test.app.schedule('Falhar', continuing)
    await jobs.execute(ana, id, {})
    await stage.test.settle()
    expect((await jobs.get(ana, id)).status).toBe('FAULTED')
    expect(new Set((await overview.upcoming(ana)).items.map(({ name }) => name))).toEqual(new Set(['continuing']))
  })
})

it('what fires next lets others have their turn, however long it takes to find', async () => {
  await using stage = await openStage()
  const { jobs, overview, administration } = stage.service
  // Of a day's minutes it leaves five: to find the next day's takes thousands of steps.
  const base = { type: 'cron', expression: '0 5-59 0 * * *', timeZone: 'UTC' }
  const rare = { type: 'cron', expression: '0 * 1-23 * * *', timeZone: 'UTC', base }
  await administration.putCalendar(ana, 'rare', rare)
  for (let n = 0; n < 5; n += 1)
    await jobs.create(ana, fields({ cronExpression: '* * * * *', calendar: 'rare', ...UTC }))
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  const asked = overview.upcoming(ana, { limit: 100 })
  await asked.finally(() => {
    isDone = true
  })
  expect(turns).toBeGreaterThanOrEqual(5)
})

describe('a calendar’s preview', () => {
  const SUNDAYS = { type: 'weekly', weekdays: [0], timeZone: 'UTC' }
  const WEEKENDS = { type: 'weekly', weekdays: [0, 6], timeZone: 'UTC' }

  it('tells which fires would go, and which would come, and stores nothing', async () => {
    await using stage = await openStage()
    const { jobs, administration } = stage.service
    await administration.putCalendar(ana, 'rest', SUNDAYS)
    await administration.putCalendar(stranger, 'rest', SUNDAYS)
    const { id, name } = await jobs.create(ana, fields({ cronExpression: '0 12 * * *', calendar: 'rest', ...UTC }))
    await jobs.create(ana, fields({ cronExpression: '0 12 * * *', ...UTC }))
    await jobs.create(ana, fields({ cronExpression: '0 12 * * 1', calendar: 'rest', ...UTC }))
    await jobs.create(stranger, fields({ cronExpression: '0 12 * * *', calendar: 'rest', ...UTC }))
    const preview = (definition: object, days = 8) => administration.previewCalendar(ana, 'rest', { definition, days })
    const saturday = '2026-01-03T12:00:00.000Z'
    expect(await preview(WEEKENDS)).toEqual({
      jobs: [{ jobId: id, name, removed: [saturday], added: [], removedCount: 1, addedCount: 0 }],
      approvals: [],
      isPartial: false,
    })
    expect(await preview({ type: 'weekly', weekdays: [6], timeZone: 'UTC' })).toMatchObject({
      jobs: [{ removed: [saturday], added: ['2026-01-04T12:00:00.000Z'], removedCount: 1, addedCount: 1 }],
    })
    expect(await preview(SUNDAYS)).toEqual({ jobs: [], approvals: [], isPartial: false })
    expect(await administration.calendars(ana)).toMatchObject([{ definition: SUNDAYS }])
    expect((await jobs.get(ana, id)).nextExecution).toBe('2026-01-01T12:00:00.000Z')
  })

  it('of a year shows the first 100 and counts all', async () => {
    await using stage = await openStage()
    const { jobs, administration } = stage.service
    await administration.putCalendar(ana, 'rest', SUNDAYS)
    await jobs.create(ana, fields({ cronExpression: '0 * * * *', calendar: 'rest', ...UTC }))
    const { jobs: changed } = await administration.previewCalendar(ana, 'rest', { definition: WEEKENDS, days: 365 })
    expect(changed).toMatchObject([{ removedCount: 52 * 24, addedCount: 0 }])
    expect(changed[0]?.removed).toHaveLength(100)
  })

  it.each<[string, object]>([
    ['a definition that is none', { type: 'weekly' }],
    ['a definition of no type', {}],
    ['one that excludes everything', { type: 'weekly', weekdays: [0, 1, 2, 3, 4, 5, 6] }],
  ])('refuses %s as whoever stores it is refused', async (_what, definition) => {
    await using stage = await openStage()
    const { administration } = stage.service
    const stored = await refusalOf(administration.putCalendar(ana, 'rest', definition))
    expect(await refusalOf(administration.previewCalendar(ana, 'rest', { definition }))).toEqual(stored)
  })

  it.each([0, 367, 1.5])('of %d days is refused', async (days) => {
    await using stage = await openStage()
    const asked = stage.service.administration.previewCalendar(ana, 'rest', { definition: SUNDAYS, days })
    expect(Object.keys((await refusalOf(asked)) as object)).toEqual(['/days'])
  })
})

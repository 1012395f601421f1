import { describe, expect, it } from 'vitest'
import { ana, dev, fields, openStage, refusalOf, type Stage, stranger } from '../../../test/http/service/stage.ts'
import { HOUR_MS } from '../../duration.ts'
import { bucketsOf, nextSize, seriesWindow, takeNewest } from './series.ts'

async function run(stage: Stage, jobType: string, who = ana): Promise<void> {
  const { jobs } = stage.service
  const { id } = await jobs.create(
    who,
    fields({ jobType, cronExpression: '0 0 1 1 *', ...(jobType === 'Falhar' ? { retryCount: 0 } : {}) }),
  )
  await jobs.execute(who, id, {})
  await stage.test.settle()
}

/** Waits for the next whole hour. */
async function atNextHour({ test: app }: Stage): Promise<void> {
  await app.advance(HOUR_MS - (app.now() % HOUR_MS))
}

describe('a series', () => {
  it('has a bucket for each stretch of the last hours, also where nothing ended', async () => {
    await using stage = await openStage()
    await atNextHour(stage)
    await run(stage, 'ImportarFaturas')
    await run(stage, 'Falhar')
    await run(stage, 'ImportarFaturas', stranger)
    await stage.test.advance('3h')
    await run(stage, 'ImportarFaturas')
    const { buckets, bucketMinutes, from, to, isPartial } = await stage.service.overview.series(ana)
    expect({ bucketMinutes, count: buckets.length, isPartial }).toEqual({
      bucketMinutes: 30,
      count: 49,
      isPartial: false,
    })
    expect(buckets[0]?.at).toBe(from)
    expect(Date.parse(to) - Date.parse(from)).toBe(49 * 30 * 60_000)
    const none = { succeeded: 0, failed: 0, timedOut: 0, cancelled: 0, meanDurationMs: null, onTimeRate: null }
    expect(buckets.at(-1)).toMatchObject({ succeeded: 1, failed: 0 })
    expect(buckets.at(-2)).toMatchObject(none)
    expect(buckets.at(-7)).toMatchObject({ succeeded: 1, failed: 1 })
    expect(buckets.filter(({ succeeded }) => succeeded > 0)).toHaveLength(2)
  })

  it('adds up to the KPIs of the same hours', async () => {
    await using stage = await openStage()
    const { jobs, overview } = stage.service
    await jobs.create(ana, fields({ cronExpression: '*/7 * * * *' }))
    await jobs.create(ana, fields({ cronExpression: '*/20 * * * *', jobType: 'Falhar', retryCount: 0 }))
    await atNextHour(stage)
    for (let n = 0; n < 8; n += 1) await stage.test.advance('47m')
    await atNextHour(stage)
    const [{ buckets }, { last24Hours, punctuality }] = [await overview.series(ana), await overview.dashboard(ana)]
    const sum = (key: 'succeeded' | 'failed' | 'timedOut' | 'cancelled') =>
      buckets.reduce((all, bucket) => all + bucket[key], 0)
    const { succeeded, failed, timedOut, cancelled } = last24Hours
    expect({
      succeeded: sum('succeeded'),
      failed: sum('failed'),
      timedOut: sum('timedOut'),
      cancelled: sum('cancelled'),
    }).toEqual({ succeeded, failed, timedOut, cancelled })
    expect(succeeded).toBeGreaterThan(50)
    expect(failed).toBe(1)
    expect(punctuality.onTimeRate).toBe(1)
    expect(new Set(buckets.map(({ onTimeRate }) => onTimeRate))).toEqual(new Set([null, 1]))
  })

  it('is asked of the store once for what is over, and again for what is not', async () => {
    await using stage = await openStage()
    const { overview } = stage.service
    await atNextHour(stage)
    await stage.test.advance('5m')
    await run(stage, 'ImportarFaturas')
    const first = await overview.series(ana)
    await run(stage, 'ImportarFaturas')
    const second = await overview.series(ana)
    expect(first.buckets.at(-1)).toMatchObject({ succeeded: 1 })
    expect(second.buckets.at(-1)).toMatchObject({ succeeded: 2 })
    expect(second.buckets.slice(0, -1)).toEqual(first.buckets.slice(0, -1))
    expect((await overview.series(stranger)).buckets.at(-1)).toMatchObject({ succeeded: 0 })
  })

  it('is not there while the dashboard is switched off', async () => {
    await using stage = await openStage()
    await stage.service.administration.switchFlag(ana, 'HANGFIRE_DASHBOARD', false, 'en')
    expect(await refusalOf(stage.service.overview.series(ana))).toBe('NotFoundError flag.off')
  })
})

describe('a question', () => {
  it.each<[string, number[], number, number[], number[]]>([
    ['is about the newest, so many at most', [0, 1, 2, 3, 4], 2, [3, 4], [0, 1, 2]],
    ['leaves out what is known', [0, 1, 4, 5], 3, [4, 5], [0, 1]],
    ['is about all that is left', [0, 1], 3, [0, 1], []],
    ['is about one at least', [7], 1, [7], []],
  ])('%s', (_what, buckets, most, expected, left) => {
    expect(takeNewest(buckets, 1, most)).toEqual(expected)
    expect(buckets).toEqual(left)
  })

  it.each<[string, number, number, number]>([
    ['grows where nothing had ended', 1, 0, 4],
    ['grows where little had', 4, 100, 16],
    ['is as large as fits', 4, 8_000, 2],
    ['is about one bucket, however much ended in it', 1, 100_000, 1],
  ])('%s', (_what, buckets, ended, expected) => {
    expect(nextSize(buckets, ended)).toBe(expected)
  })
})

describe('failures', () => {
  it('are told by kinds, with the jobs they are of', async () => {
    await using stage = await openStage()
    for (const name of ['a job that fails', 'another that fails']) {
      const { id } = await stage.service.jobs.create(ana, fields({ name, jobType: 'Falhar', retryCount: 0 }))
      await stage.service.jobs.execute(ana, id, {})
      await stage.test.settle()
    }
    await run(stage, 'Falhar', stranger)
    await run(stage, 'ImportarFaturas')
    const { items, isPartial } = await stage.service.overview.failures(dev)
    expect(isPartial).toBe(false)
    expect(items).toMatchObject([
      {
        errorName: 'Error',
        message: 'no such file',
        count: 2,
        jobCount: 2,
        jobs: [{ name: 'another that fails' }, { name: 'a job that fails' }],
      },
    ])
    expect((await stage.service.executions.get(ana, items[0]?.lastExecutionId ?? '')).completedAt).toBe(
      items[0]?.lastAt,
    )
    await stage.test.advance('2h')
    expect((await stage.service.overview.failures(ana, { hours: 1 })).items).toEqual([])
    expect((await stage.service.overview.failures(ana, { limit: 0 })).items).toEqual([])
  })
})

const NOON = Date.UTC(2026, 2, 29, 12)

describe('the window of a series', () => {
  it.each([
    [1, 1, 61],
    [2, 2, 61],
    [6, 5, 73],
    [24, 30, 49],
    [48, 60, 49],
    [168, 120, 85],
    [720, 480, 91],
    [2_160, 1_440, 91],
  ])('of %i hours has buckets of %i minutes, %i of them', (hours, minutes, count) => {
    const window = seriesWindow(NOON, hours)
    expect(window.bucketMs / 60_000).toBe(minutes)
    expect(bucketsOf(window)).toHaveLength(count)
  })

  it('has 24 to 96 buckets, begins no later than asked for, and its last one is under way', () => {
    for (let hours = 1; hours <= 2_160; hours += 1) {
      for (const now of [NOON, NOON + 1, NOON + 1_234_567]) {
        const window = seriesWindow(now, hours)
        const buckets = bucketsOf(window)
        expect(buckets.length).toBeGreaterThanOrEqual(24)
        expect(buckets.length).toBeLessThanOrEqual(96)
        expect(window.from).toBeLessThanOrEqual(now - hours * HOUR_MS)
        expect(buckets[1]).toBeGreaterThan(now - hours * HOUR_MS)
        expect(buckets.at(-1)).toBeLessThanOrEqual(now)
        expect(window.to).toBeGreaterThan(now)
        expect(86_400_000 % window.bucketMs).toBe(0)
        expect(window.from % window.bucketMs).toBe(0)
      }
    }
  })
})

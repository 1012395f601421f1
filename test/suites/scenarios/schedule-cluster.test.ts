import { describe, expect, it } from 'vitest'
import { HOUR_MS } from '../../../src/duration.ts'
import type { Pontual } from '../../../src/pontual.ts'
import { cron, type MisfirePolicyName } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { Cluster } from './cluster.ts'
import { clock, occurrencesOf, type Recording, recording, told } from './observed.ts'
import { RecordedLog } from './recorded.ts'
import { scenarioStore } from './scenario-store.ts'

const on = (time: string) => at(`2026-03-02T${time}${time.length === 5 ? ':00' : ''}Z`)

/** A run of each occurrence and job, at most one. */
function duplicates({ runs }: Recording): string[] {
  const keys = runs.map(({ jobId, scheduledAt }) => `${jobId} ${clock(scheduledAt)}`)
  return keys.filter((key, index) => keys.indexOf(key) !== index)
}

const many = (count: number, policy: MisfirePolicyName = 'fireAll') =>
  recording(
    'many',
    Array.from({ length: count }, (_, index) => ({
      name: `job-${index}`,
      trigger: cron('* * * * *'),
      misfire: { policy },
    })),
  )

const SKEWS = [0, HOUR_MS, -HOUR_MS, 1_234, -59_999, 30 * 60_000, -7 * 60_000, 1]

describe('eight nodes on one store, their clocks wrong by up to an hour', () => {
  it('fire each occurrence once, at the time of the store', async () => {
    const work = many(20)
    await using cluster = new Cluster(on('09:59:30'))
    await cluster.startAll(SKEWS.map((skewMs) => ({ jobs: [work.type], application: 'work', skewMs })))
    await cluster.advance('10m')
    expect(work.runs).toHaveLength(20 * 10)
    expect(duplicates(work)).toEqual([])
    expect(new Set(occurrencesOf(work)).size).toBe(10)
    expect(work.runs.every(({ misfire }) => misfire === null)).toBe(true)
  })

  it.each<[MisfirePolicyName, number]>([
    ['fireNow', 1],
    ['fireOnce', 1],
    ['fireAll', 30],
    ['skipToNext', 0],
  ])('handle an outage once under %s', async (policy, runsEach) => {
    const store = scenarioStore()
    const work = many(10, policy)
    const before = new Cluster(on('10:00:30'), { store })
    await before.startAll([{ jobs: [work.type] }])
    await before.stop()
    await using cluster = new Cluster(on('10:30:30'), { store, seed: 2 })
    const [node] = (await cluster.startAll(SKEWS.map((skewMs) => ({ jobs: [work.type], skewMs })))) as [Pontual]
    expect(work.runs).toHaveLength(10 * runsEach)
    expect(duplicates(work)).toEqual([])
    const ledger = await node.ledger('job-0', on('10:00'), on('10:31'))
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(30)
  })

  it('warn of each misfire once in all', async () => {
    const store = scenarioStore()
    const work = many(10)
    const before = new Cluster(on('10:00:30'), { store })
    await before.startAll([{ jobs: [work.type] }])
    await before.stop()
    const { logger, lines } = new RecordedLog()
    await using cluster = new Cluster(on('10:30:30'), { store, seed: 2 })
    await cluster.startAll(SKEWS.map((skewMs) => ({ jobs: [work.type], skewMs, logger })))
    expect(lines.filter(({ message }) => message === 'job.misfired')).toHaveLength(10)
  })

  it('date misfires by the clock of the store', async () => {
    const store = scenarioStore()
    const work = many(1, 'fireOnce')
    const before = new Cluster(on('10:00:30'), { store })
    await before.startAll([{ jobs: [work.type] }])
    await before.stop()
    await using cluster = new Cluster(on('10:30:30'), { store, seed: 2 })
    await cluster.startAll([{ jobs: [work.type], skewMs: HOUR_MS }])
    expect(work.runs[0]?.misfire).toMatchObject({ detectedAt: on('10:30:30'), delayMs: 30_000 })
  })

  it('create a declared job once', async () => {
    const work = many(5)
    await using cluster = new Cluster(on('10:00:30'))
    const [node] = (await cluster.startAll(SKEWS.map((skewMs) => ({ jobs: [work.type], skewMs })))) as [Pontual]
    expect((await node.jobs()).map(({ name, version }) => [name, version])).toEqual(
      Array.from({ length: 5 }, (_, index) => [`job-${index}`, 1]),
    )
  })

  it('lose nothing when all but one go', async () => {
    const work = many(5)
    await using cluster = new Cluster(on('09:59:30'))
    const [first, ...others] = await cluster.startAll(SKEWS.map((skewMs) => ({ jobs: [work.type], skewMs })))
    await cluster.advance('2m')
    await Promise.all(others.map((node) => node.stop()))
    await cluster.advance('3m')
    expect(duplicates(work)).toEqual([])
    expect(work.runs).toHaveLength(5 * 5)
    expect(told((await first?.ledger('job-0', on('09:00'), on('11:00'))) ?? [])).toEqual([
      '1 fired 10:00',
      '1 fired 10:01',
      '1 fired 10:02',
      '1 fired 10:03',
      '1 fired 10:04',
    ])
  })
})

describe('a node whose clock is wrong by an hour', () => {
  it.each([HOUR_MS, -HOUR_MS])('of %i ms takes what is past and future from the store', async (skewMs) => {
    await using cluster = new Cluster(on('10:00'))
    const single = recording('single')
    const [node] = (await cluster.startAll([{ jobs: [single.type], skewMs }])) as [Pontual]
    await expect(node.scheduleOnce(single.type, on('09:59:59'), { name: 'past' })).rejects.toThrow('which is past')
    await node.scheduleOnce(single.type, on('10:00:10'), { name: 'soon' })
    await cluster.advance('9s')
    expect(single.runs).toEqual([])
    await cluster.advance('1s')
    expect(occurrencesOf(single)).toEqual(['10:00:10'])
  })

  it('says so once', async () => {
    const { logger, lines } = new RecordedLog()
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using cluster = new Cluster(on('10:00:30'))
    await cluster.startAll([{ jobs: [tick.type], skewMs: HOUR_MS, logger }])
    await cluster.advance('5m')
    const warned = lines.filter(({ level }) => level === 'warn')
    expect(warned.map(({ fields }) => fields)).toEqual([{ offsetMs: -HOUR_MS }])
  })
})

describe('the clock of the store', () => {
  it.each([1, 3])('jumps back ten minutes and %i nodes fire nothing twice and miss nothing', async (count) => {
    const work = many(3)
    await using cluster = new Cluster(on('09:59:30'))
    const [node] = await cluster.startAll(Array.from({ length: count }, () => ({ jobs: [work.type] })))
    await cluster.advance('15m')
    expect(work.runs).toHaveLength(3 * 15)
    cluster.storeSkewMs = -10 * 60_000
    await cluster.advance('9m')
    expect(work.runs).toHaveLength(3 * 15)
    await cluster.advance('6m')
    expect(duplicates(work)).toEqual([])
    expect(new Set(occurrencesOf(work)).size).toBe(20)
    const ledger = await node?.ledger('job-1', on('09:00'), on('12:00'))
    expect(ledger?.map(({ decision }) => decision)).toEqual(Array.from({ length: 20 }, () => 'fired'))
  })

  it('jumps back over a restart and nothing fires twice', async () => {
    const store = scenarioStore()
    const work = many(3)
    const before = new Cluster(on('09:59:30'), { store })
    await before.startAll([{ jobs: [work.type] }])
    await before.advance('15m')
    await before.stop()
    await using cluster = new Cluster(on('10:04:30'), { store, seed: 2 })
    await cluster.startAll([{ jobs: [work.type] }, { jobs: [work.type] }])
    await cluster.advance('12m')
    expect(duplicates(work)).toEqual([])
    expect(new Set(occurrencesOf(work)).size).toBe(17)
  })

  it('jumps ahead an hour and what lies between is a misfire', async () => {
    const work = many(1, 'fireOnce')
    await using cluster = new Cluster(on('10:00:30'))
    const [node] = await cluster.startAll([{ jobs: [work.type] }, { jobs: [work.type] }])
    cluster.storeSkewMs = HOUR_MS
    await cluster.advance('1m')
    expect(duplicates(work)).toEqual([])
    expect(work.runs.filter(({ misfire }) => misfire !== null)).toHaveLength(1)
    const ledger = (await node?.ledger('job-0', on('10:00'), on('12:00'))) ?? []
    expect(ledger[0]).toMatchObject({ from: on('10:01'), decision: 'consolidated', cause: 'outage' })
    expect(ledger.reduce((sum, { count }) => sum + count, 0)).toBe(61)
  })

  it('jumps back and an edit meanwhile does not reopen an instant that fired', async () => {
    const tick = recording('tick', { trigger: cron('* * * * *') })
    await using cluster = new Cluster(on('09:59:30'))
    const [node] = (await cluster.startAll([{ jobs: [tick.type] }])) as [Pontual]
    await cluster.advance('15m')
    cluster.storeSkewMs = -10 * 60_000
    await cluster.advance('2m')
    await node.schedule(tick.type, { name: 'tick', trigger: cron('*/2 * * * *') })
    await cluster.advance('15m')
    expect(duplicates(tick)).toEqual([])
    expect(occurrencesOf(tick).slice(-2)).toEqual(['10:18', '10:20'])
  })

  it.each([
    ['ahead', HOUR_MS, '11:05:30', '11:06'],
    ['back', -HOUR_MS, '09:05:30', '09:06'],
  ])('jumps %s and whoever only asks schedules from what it shows now', async (_how, byMs, now, first) => {
    const tick = recording('tick')
    await using cluster = new Cluster(on('10:00:30'))
    await cluster.startAll([{ jobs: [tick.type] }])
    const api = cluster.open({ jobs: [] })
    expect(await api.job('tick')).toBeNull()
    cluster.storeSkewMs = byMs
    await cluster.advance('5m')
    expect(cluster.now()).toBe(on(now))
    await api.schedule('tick', { name: 'tick', trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } })
    await cluster.advance('1m')
    expect(occurrencesOf(tick)).toEqual([first])
  })
})

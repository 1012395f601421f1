import { describe, expect, it } from 'vitest'
import type { OverlapRule } from '../../../src/job/rules/overlap.ts'
import type { JobContext } from '../../../src/job/type/job-type.ts'
import { LongRuns, minutes } from './long-runs.ts'

const SECOND = 1_000
const EXCLUSIVE: [OverlapRule][] = [['queue'], ['skip'], ['replace'], [{ atMost: 1 }]]

/** When runs began, in seconds since the test did, and with which attempt. */
const starts = ({ runs }: LongRuns) =>
  runs.map(({ context: { attempt }, startedAt }) => [(startedAt % 3_600_000) / SECOND, attempt])

describe('the wait before a retry', () => {
  const work = ({ attempt }: JobContext) => {
    if (attempt === 1) throw new Error('not yet')
  }

  it('counts as not ended under skip', async () => {
    await using long = await LongRuns.start({ lastsMs: 10 * SECOND, work })
    await long.schedule({ overlap: 'skip', retry: { retries: 1, initial: '100s' } })
    await long.pass(250)
    expect(starts(long)).toEqual([
      [60, 1],
      [170, 2],
      [240, 1],
    ])
    expect(await long.ledger()).toEqual([
      '1 fired 00:01',
      '1 skipped 00:02 overlap',
      '1 skipped 00:03 overlap',
      '1 fired 00:04',
    ])
  })

  it('is nothing that runs: under queue the next goes first, and the retry waits for its turn', async () => {
    await using long = await LongRuns.start({ lastsMs: 40 * SECOND, work })
    await long.schedule({ overlap: 'queue', retry: { retries: 1, initial: '30s' } })
    await long.pass(240)
    expect(long.mostRunning).toBe(1)
    expect(await long.accountedFor()).toEqual(minutes(1, 4))
    // Due for its retry at 130, when the run of 00:02 has just begun.
    expect(starts(long).slice(0, 3)).toEqual([
      [60, 1],
      [120, 1],
      [160, 2],
    ])
  })

  it('is cancelled under replace', async () => {
    await using long = await LongRuns.start({ lastsMs: 10 * SECOND, work })
    await long.schedule({ overlap: 'replace', retry: { retries: 1, initial: '100s' } })
    await long.pass(200)
    expect(starts(long)).toEqual([
      [60, 1],
      [120, 1],
      [180, 1],
    ])
    expect((await long.executions('CANCELLED')).map(({ error }) => error?.message)).toEqual([
      'Replaced by the occurrence of 2026-01-01T00:03:00.000Z.',
      'Replaced by the occurrence of 2026-01-01T00:02:00.000Z.',
    ])
  })
})

describe('a node that dies in mid-run', () => {
  it.each(EXCLUSIVE)('leaves never two at once, and no occurrence unaccounted for: %j', async (overlap) => {
    await using long = await LongRuns.start({ lastsMs: 100 * SECOND, nodes: 3 })
    await long.schedule({ overlap })
    await long.pass(75)
    const dead = await long.holder()
    dead.freeze()
    await long.pass(420)
    expect(long.mostRunning).toBe(1)
    if (overlap === 'queue') expect(long.mostWaiting).toBe(1)
    expect(await long.accountedFor()).toEqual(minutes(1, 8))
    expect(long.runs.length).toBeGreaterThan(3)
    const lost = (await long.app.executions({ jobType: 'tick' })).at(-1)
    expect(lost?.attempts[0]?.status).toBe('LOST')
    expect(lost?.status).toBe(overlap === 'replace' ? 'CANCELLED' : 'SUCCESS')
  })

  it('runs nothing any more when it wakes up', async () => {
    await using long = await LongRuns.start({ lastsMs: 100 * SECOND, nodes: 2 })
    await long.schedule({ overlap: 'queue' })
    await long.pass(75)
    const late = await long.holder()
    late.freeze()
    await long.pass(60)
    late.thaw()
    await long.pass(200)
    expect(long.mostRunning).toBe(1)
    expect(long.mostWaiting).toBe(1)
    expect(await long.accountedFor()).toEqual(minutes(1, 5))
  })
})

describe('an outage that meets a run', () => {
  it.each<[OverlapRule, string[], string[]]>([
    [
      'queue',
      ['00:01 done', '00:05 runs'],
      ['1 fired 00:01', '3 consolidated 00:02-00:04 outage', '1 firedLate 00:05 outage'],
    ],
    ['skip', ['00:01 runs'], ['1 fired 00:01', '3 skipped 00:02-00:04 overlap', '1 skipped 00:05 overlap']],
    [
      'replace',
      ['00:01 aborted', '00:05 runs'],
      ['1 fired 00:01', '3 consolidated 00:02-00:04 outage', '1 firedLate 00:05 outage'],
    ],
  ])('%j runs %j', async (overlap, told, ledger) => {
    await using long = await LongRuns.start({ lastsMs: 260 * SECOND, nodes: 1 })
    await long.schedule({ overlap, misfire: { policy: 'fireOnce' } })
    await long.pass(65)
    const [node] = long.nodes
    // Only firing fails, so that the run goes on.
    node!.link.intercept = (verb, send) => (verb === 'jobs.due' ? Promise.reject(new Error('away')) : send())
    await long.pass(245)
    expect(await long.ledger()).toEqual(['1 fired 00:01'])
    node!.link.intercept = null
    await long.pass(overlap === 'queue' ? 30 : 5)
    expect(long.told).toEqual(told)
    expect(await long.ledger()).toEqual(ledger)
    expect(long.mostRunning).toBe(1)
  })
})

describe('a change of the rule while a run goes on', () => {
  it('holds for what fires from then on', async () => {
    await using long = await LongRuns.start({ lastsMs: 170 * SECOND })
    await long.schedule({})
    await long.pass(130)
    expect(long.mostRunning).toBe(2)
    await long.schedule({ overlap: 'skip' })
    await long.pass(60)
    await long.schedule({})
    await long.pass(60)
    expect(await long.ledger()).toEqual(['1 fired 00:01', '1 fired 00:02', '1 skipped 00:03 overlap', '1 fired 00:04'])
  })

  it('lets what waits go where it allows more', async () => {
    await using long = await LongRuns.start({ lastsMs: 170 * SECOND })
    await long.schedule({ overlap: { atMost: 1 }, misfire: { threshold: '1h' } })
    await long.pass(190)
    expect(long.told).toEqual(['00:01 runs'])
    await long.schedule({ overlap: { atMost: 3 }, misfire: { threshold: '1h' } })
    await long.pass(5)
    expect(long.told).toEqual(['00:01 runs', '00:02 runs', '00:03 runs'])
    expect(long.mostRunning).toBe(3)
  })
})

describe('a pause', () => {
  it.each<[OverlapRule, string[]]>([
    [
      'queue',
      ['1 fired 00:01', '1 consolidated 00:02 overlap', '1 consolidated 00:03 paused', '1 firedLate 00:04 overlap'],
    ],
    ['skip', ['1 fired 00:01', ...minutes(2, 4).map((minute) => `1 skipped ${minute} overlap`)]],
    ['replace', ['1 fired 00:01', '1 fired 00:02', '1 consolidated 00:03 paused', '1 firedLate 00:04 paused']],
  ])('whose end makes up for what was missed meets what has not ended: %j', async (overlap, ledger) => {
    await using long = await LongRuns.start({ lastsMs: 270 * SECOND })
    await long.schedule({ overlap, misfire: { causes: { paused: 'fireOnce' } } })
    await long.pass(150)
    await long.app.pause('tick')
    await long.pass(100)
    await long.app.resume('tick')
    await long.pass(2)
    expect(await long.ledger()).toEqual(ledger)
    expect(await long.accountedFor()).toEqual(minutes(1, 4))
    expect(long.mostRunning).toBe(1)
    expect((await long.executions('RUNNING')).length).toBe(1)
    expect((await long.executions('QUEUED')).length).toBe(overlap === 'queue' ? 1 : 0)
  })
})

describe('a pause whose end fires nothing by itself', () => {
  it('lets the one that waits stand for what was missed', async () => {
    await using long = await LongRuns.start({ lastsMs: 270 * SECOND })
    await long.schedule({ overlap: 'queue', misfire: { causes: { paused: 'fireOnce', overlap: 'fireNow' } } })
    await long.pass(150)
    await long.app.pause('tick')
    await long.pass(100)
    await long.app.resume('tick')
    await long.pass(90)
    expect(long.told).toEqual(['00:01 done', '00:02 runs'])
    expect(long.runs[1]?.context.misfire).toMatchObject({ cause: 'overlap', policy: 'fireNow', missedCount: 4 })
    expect(await long.ledger()).toEqual([
      '1 fired 00:01',
      '1 firedLate 00:02 overlap',
      '1 consolidated 00:03 paused',
      '1 consolidated 00:04 overlap',
      '1 consolidated 00:05 overlap',
    ])
  })
})

describe('a restart', () => {
  it('hands the run back, which goes on before the one that waits', async () => {
    await using long = await LongRuns.start({ lastsMs: 150 * SECOND, nodes: 1, shutdownGrace: '1s' })
    await long.schedule({ overlap: 'queue' })
    await long.pass(130)
    const [first] = long.nodes
    await long.all.until(first!.app.stop())
    await long.node()
    long.nodes.shift()
    await long.pass(165)
    expect(long.told.at(-1)).toMatch(/^00:0[2-5] runs$/)
    expect(long.mostRunning).toBe(1)
    expect(long.mostWaiting).toBe(1)
    expect(await long.accountedFor()).toEqual(minutes(1, 4))
  })
})

describe('what was fired, and whose place it took could not be ended', () => {
  it.each(['executions.cancel', 'the process'])('heals with the next occurrence: %s', async (broken) => {
    await using long = await LongRuns.start({ lastsMs: 400 * SECOND, nodes: 1 })
    await long.schedule({ overlap: 'replace' })
    await long.pass(90)
    const [node] = long.nodes
    node!.link.intercept = (verb, send) => (verb === 'executions.cancel' ? Promise.reject(new Error('cut')) : send())
    await long.pass(35)
    expect(long.told).toEqual(['00:01 runs'])
    expect(await long.executions('QUEUED')).toHaveLength(1)
    if (broken === 'the process') {
      await long.node()
      node!.freeze()
      await long.pass(60)
      expect(long.told.at(-1)).toBe('00:03 runs')
    } else {
      node!.link.intercept = null
      await long.pass(5)
      expect(long.told).toEqual(['00:01 aborted', '00:02 runs'])
    }
    expect(long.mostRunning).toBe(1)
  })

  it.each<[OverlapRule, string[]]>([
    ['replace', ['00:01 aborted', '00:02 runs']],
    ['queue', ['00:01 runs']],
  ])('is ended although the answer to the firing was lost: %j', async (overlap, told) => {
    await using long = await LongRuns.start({ lastsMs: 400 * SECOND, nodes: 1 })
    await long.schedule({ overlap })
    await long.pass(overlap === 'queue' ? 150 : 90)
    long.nodes[0]?.link.loseAnswerOf('occurrences.fire')
    await long.pass(40)
    expect(long.told).toEqual(told)
    expect(await long.executions('QUEUED')).toHaveLength(overlap === 'queue' ? 1 : 0)
    expect(await long.executions('CANCELLED')).toHaveLength(1)
  })

  it('under queue waits as before where the firing failed, and goes with the next', async () => {
    await using long = await LongRuns.start({ lastsMs: 400 * SECOND, nodes: 1 })
    await long.schedule({ overlap: 'queue' })
    await long.pass(130)
    const [node] = long.nodes
    node!.link.intercept = (verb, send) =>
      verb === 'occurrences.fire' ? Promise.reject(new Error('The store is away.')) : send()
    await long.pass(55)
    expect(await long.executions('QUEUED')).toHaveLength(1)
    expect(await long.ledger()).toEqual(['1 fired 00:01', '1 fired 00:02'])
    node!.link.intercept = null
    await long.pass(60)
    expect(await long.executions('QUEUED')).toHaveLength(1)
    expect(await long.ledger()).toEqual([
      '1 fired 00:01',
      '1 consolidated 00:02 overlap',
      '1 consolidated 00:03 overlap',
      '1 firedLate 00:04 overlap',
    ])
  })
})

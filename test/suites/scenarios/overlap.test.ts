import { describe, expect, it } from 'vitest'
import type { OverlapRule } from '../../../src/job/rules/overlap.ts'
import { dailyTimeInterval } from '../../../src/time/triggers/daily-time-interval.ts'
import { simple } from '../../../src/time/triggers/simple.ts'
import type { MisfirePolicyName } from '../../../src/time.ts'
import { LongRuns, minutes } from './long-runs.ts'
import { RecordedEvents } from './recorded.ts'

const SECOND = 1_000

describe('every minute, runs of two and a half minutes, two nodes', () => {
  const LASTS = { lastsMs: 150 * SECOND }

  it('allow lets them run side by side', async () => {
    await using long = await LongRuns.start(LASTS)
    await long.schedule({})
    await long.pass(600)
    expect(long.mostRunning).toBe(3)
    expect(long.runs.map(({ context }) => context.misfire)).toEqual(long.runs.map(() => null))
    expect(await long.accountedFor()).toEqual(minutes(1, 10))
  })

  it.each([1, 2])('at most %i run at once, and the rest waits', async (atMost) => {
    await using long = await LongRuns.start(LASTS)
    await long.schedule({ overlap: { atMost }, misfire: { threshold: '1h' } })
    await long.pass(360)
    await long.app.pause('tick')
    expect(long.mostRunning).toBe(atMost)
    expect(await long.accountedFor()).toEqual(minutes(1, 6))
    await long.pass(1_200)
    expect(long.mostRunning).toBe(atMost)
    expect(long.told).toEqual(minutes(1, 6).map((minute) => `${minute} done`))
  })

  it('queue lets one wait, and the newest stands for all that waited', async () => {
    await using long = await LongRuns.start(LASTS)
    await long.schedule({ overlap: 'queue' })
    await long.pass(600)
    expect(long.mostRunning).toBe(1)
    expect(long.mostWaiting).toBe(1)
    expect(long.told).toEqual(['00:01 done', '00:03 done', '00:06 done', '00:08 runs'])
    expect(await long.ledger()).toEqual([
      '1 fired 00:01',
      '1 consolidated 00:02 overlap',
      '1 firedLate 00:03 overlap',
      '1 consolidated 00:04 overlap',
      '1 consolidated 00:05 overlap',
      '1 firedLate 00:06 overlap',
      '1 consolidated 00:07 overlap',
      '1 firedLate 00:08 overlap',
      '1 consolidated 00:09 overlap',
      '1 firedLate 00:10 overlap',
    ])
    expect(long.runs.map(({ context }) => context.misfire?.missedCount ?? 0)).toEqual([0, 2, 3, 2])
    const ended = await long.executions('CANCELLED')
    expect(new Set(ended.map(({ error }) => error?.code))).toEqual(new Set(['execution.consolidated']))
  })

  it('skip leaves out what is due meanwhile', async () => {
    await using long = await LongRuns.start(LASTS)
    await long.schedule({ overlap: 'skip' })
    await long.pass(600)
    expect(long.mostRunning).toBe(1)
    expect(long.mostWaiting).toBe(0)
    expect(long.told).toEqual(['00:01 done', '00:04 done', '00:07 done', '00:10 runs'])
    expect(await long.ledger()).toEqual([
      '1 fired 00:01',
      '1 skipped 00:02 overlap',
      '1 skipped 00:03 overlap',
      '1 fired 00:04',
      '1 skipped 00:05 overlap',
      '1 skipped 00:06 overlap',
      '1 fired 00:07',
      '1 skipped 00:08 overlap',
      '1 skipped 00:09 overlap',
      '1 fired 00:10',
    ])
  })

  it('replace cancels the run before, whose handler is told', async () => {
    await using long = await LongRuns.start(LASTS)
    await long.schedule({ overlap: 'replace' })
    await long.pass(300)
    expect(long.mostRunning).toBe(1)
    expect(long.told).toEqual(['00:01 aborted', '00:02 aborted', '00:03 aborted', '00:04 aborted', '00:05 runs'])
    expect(long.runs.map(({ startedAt, context }) => startedAt - (context.scheduledAt ?? 0))).toEqual([0, 0, 0, 0, 0])
    expect(await long.ledger()).toEqual(minutes(1, 5).map((minute) => `1 fired ${minute}`))
    const [newest] = await long.executions('CANCELLED')
    expect(newest?.error).toEqual({
      name: 'CancelledError',
      code: 'execution.cancelled',
      message: 'Replaced by the occurrence of 2026-01-01T00:05:00.000Z.',
    })
  })
})

describe('a trigger with three fires, whose runs last two and a half minutes, under skip', () => {
  const startAt = '2026-01-01T00:01:00Z'
  const limited = { startAt, repeatCount: 2 } as const
  it.each([
    ['daily time interval', dailyTimeInterval({ every: 1, unit: 'minute', ...limited })],
    ['simple', simple({ interval: '1m', ...limited })],
  ])('%s: occurrences that are skipped do not use up repeats', async (_name, trigger) => {
    await using long = await LongRuns.start({ lastsMs: 150 * SECOND })
    await long.schedule({ trigger, overlap: 'skip' })
    await long.pass(660)
    expect(long.told).toEqual(['00:01 done', '00:04 done', '00:07 done'])
    const skipped = (await long.ledger()).filter((line) => line.includes('skipped'))
    expect(skipped).toEqual([2, 3, 5, 6].map((minute) => `1 skipped 00:0${minute} overlap`))
    expect(await long.app.job('tick')).toMatchObject({ schedule: { nextFireAt: null, timesTriggered: 3 } })
  })
})

describe('queue, under the policy for an overlap', () => {
  const late = (minute: string) => `1 firedLate ${minute} overlap`
  const consolidated = (minute: string) => `1 consolidated ${minute} overlap`
  const skipped = (minute: string) => `1 skipped ${minute} overlap`
  it.each<[MisfirePolicyName, string[], string[]]>([
    ['fireOnce', ['00:01 done', '00:05 runs'], ['1 fired 00:01', ...minutes(2, 4).map(consolidated), late('00:05')]],
    ['fireNow', ['00:01 done', '00:02 runs'], ['1 fired 00:01', late('00:02'), ...minutes(3, 5).map(consolidated)]],
    ['smart', ['00:01 done', '00:02 runs'], ['1 fired 00:01', late('00:02'), ...minutes(3, 5).map(consolidated)]],
    ['skipToNext', ['00:01 done', '00:02 runs'], ['1 fired 00:01', late('00:02'), ...minutes(3, 5).map(skipped)]],
    [
      'fireAll',
      ['00:01 done', '00:02 runs'],
      ['1 fired 00:01', late('00:02'), ...minutes(3, 5).map((at) => `1 fired ${at}`)],
    ],
  ])('%s runs %j', async (overlap, told, ledger) => {
    await using long = await LongRuns.start({ lastsMs: 270 * SECOND })
    await long.schedule({ overlap: 'queue', misfire: { causes: { overlap } } })
    await long.pass(345)
    expect(long.told).toEqual(told)
    expect(await long.ledger()).toEqual(ledger)
    expect(long.mostRunning).toBe(1)
    expect(long.mostWaiting).toBe(overlap === 'fireAll' ? 4 : 1)
    expect(long.runs[1]?.context.misfire).toMatchObject({
      cause: 'overlap',
      missedCount: overlap === 'fireAll' || overlap === 'skipToNext' ? 1 : 4,
    })
  })

  it('one that waits behind another runs whatever the policy of an overload, and tells how late it is', async () => {
    await using long = await LongRuns.start({ lastsMs: 150 * SECOND })
    await long.schedule({ overlap: 'queue', misfire: { policy: 'skipToNext', threshold: '30s' } })
    await long.pass(150)
    await long.app.pause('tick')
    await long.pass(65)
    expect(long.told).toEqual(['00:01 done', '00:02 runs'])
    expect(long.runs[1]?.context.misfire).toMatchObject({ cause: 'overlap', missedCount: 1, delayMs: 90 * SECOND })
    expect((await long.ledger()).slice(0, 2)).toEqual(['1 fired 00:01', '1 firedLate 00:02 overlap'])
  })

  it('every decision is told once', async () => {
    using events = new RecordedEvents()
    await using long = await LongRuns.start({ lastsMs: 200 * SECOND })
    await long.schedule({ overlap: 'queue' })
    await long.pass(245)
    expect(events.of('job.misfired').map(({ missed, policy, cause }) => [missed, policy, cause])).toEqual([
      [2, 'fireOnce', 'overlap'],
      [3, 'fireOnce', 'overlap'],
    ])
    expect(events.of('execution.cancelled')).toHaveLength(2)
  })
})

describe('manual runs', () => {
  it.each<[OverlapRule]>([['queue'], ['skip'], ['replace'], [{ atMost: 1 }]])(
    'wait for their turn under %j',
    async (overlap) => {
      await using long = await LongRuns.start({ lastsMs: 5 * SECOND })
      await long.schedule({ overlap })
      await Promise.all([long.app.runNow('tick'), long.app.runNow('tick'), long.app.runNow('tick')])
      await long.pass(20)
      expect(long.told).toEqual(['never done', 'never done', 'never done'])
      expect(long.mostRunning).toBe(1)
    },
  )

  it('keep occurrences out under skip', async () => {
    await using long = await LongRuns.start({ lastsMs: 50 * SECOND })
    await long.schedule({ overlap: 'skip' })
    await long.pass(30)
    await long.app.runNow('tick')
    await long.app.runNow('tick')
    await long.pass(150)
    expect(long.told).toEqual(['never done', 'never done', '00:03 runs'])
    expect(await long.ledger()).toEqual(['1 skipped 00:01 overlap', '1 skipped 00:02 overlap', '1 fired 00:03'])
  })

  it('are not replaced: the occurrence waits for them', async () => {
    await using long = await LongRuns.start({ lastsMs: 150 * SECOND })
    await long.schedule({ overlap: 'replace' })
    await long.pass(30)
    await long.app.runNow('tick')
    await long.pass(160)
    expect(long.told).toEqual(['never done', '00:03 runs'])
    expect(long.mostRunning).toBe(1)
    expect(await long.ledger()).toEqual([
      '1 consolidated 00:01 overlap',
      '1 consolidated 00:02 overlap',
      '1 firedLate 00:03 overlap',
    ])
  })

  it('that repeat an execution wait for their turn too, also one from before the rule', async () => {
    await using long = await LongRuns.start({ lastsMs: 10 * SECOND, work: () => Promise.reject(new Error('no')) })
    await long.schedule({ retry: { retries: 0 }, onFaulted: 'continue' })
    await long.pass(75)
    const [failed] = await long.executions('FAILED')
    await long.schedule({ retry: { retries: 0 }, onFaulted: 'continue', overlap: 'skip' })
    await Promise.all([long.app.retry(failed?.id ?? ''), long.app.retry(failed?.id ?? '')])
    await long.pass(25)
    expect(long.runs).toHaveLength(3)
    expect(long.mostRunning).toBe(1)
  })
})

import { describe, expect, it } from 'vitest'
import { type JobContext, job } from '../../job/type/job-type.ts'
import { silentLogger } from '../../logger.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { IsolatePool } from './isolates.ts'

const MINUTE = 60_000

/** How often it has run in the same place. */
const count = job('count', {
  isolate: 'thread',
  run: () => {
    const place = globalThis as { runs?: number }
    place.runs = (place.runs ?? 0) + 1
    return place.runs
  },
})

function world(warm = 0) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  const { isolation } = count
  if (!isolation) throw new Error('It is isolated.')
  const pool = new IsolatePool({ env, logger: silentLogger, jobType: 'count', isolation: { ...isolation, warm } })
  return {
    pool,
    run: () => pool.run(undefined, contextOf()),
    pass: (ms: number) => env.moveTo(env.now() + ms),
    [Symbol.asyncDispose]: () => pool.stop(),
  }
}

function contextOf(): JobContext {
  return {
    executionId: 'one',
    jobType: 'count',
    jobId: null,
    tenant: 'default',
    attempt: 1,
    maxAttempts: 1,
    scheduledAt: null,
    misfire: null,
    predecessors: [],
    idempotencyKey: 'one',
    signal: new AbortController().signal,
    logger: silentLogger,
    progress: () => {},
    checkpoint: () => Promise.resolve(),
    lastCheckpoint: () => Promise.resolve(undefined),
  }
}

describe('the isolates of a job type', () => {
  it('are kept for a minute without work', async () => {
    await using at = world()
    expect(await at.run()).toBe(1)
    expect(await at.run()).toBe(2)
    await at.pass(MINUTE - 1)
    expect(await at.run()).toBe(3)
    await at.pass(MINUTE)
    expect(await at.run()).toBe(1)
  })

  it('are as many as runs, and four are kept longer than seconds', async () => {
    await using at = world()
    const runFive = () => Promise.all(Array.from({ length: 5 }, at.run))
    expect(await runFive()).toEqual([1, 1, 1, 1, 1])
    await at.pass(5_000)
    expect((await runFive()).toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 2, 2, 2])
  })

  it('stay for ever, and are there before the first run, where they are to be warm', async () => {
    await using at = world(1)
    at.pool.warmUp()
    await at.pass(2 * MINUTE)
    expect(await at.run()).toBe(1)
    await at.pass(2 * MINUTE)
    expect(await at.run()).toBe(2)
  })

  it('are gone once they are stopped', async () => {
    const at = world(2)
    at.pool.warmUp()
    await at.run()
    await at.pool.stop()
    expect(at.pool.kill()).toBe(0)
  })
})

import { describe, expect, it } from 'vitest'
import { RecordedLog } from '../../../test/suites/scenarios/recorded.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { AT_ONCE, Loop, type NextStep } from './loop.ts'

/** A loop whose steps are recorded with the time at which they began. */
function loopOf(step: (count: number) => NextStep | Promise<NextStep>) {
  const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
  const log = new RecordedLog()
  const times: number[] = []
  const loop = new Loop({
    name: 'test',
    env,
    logger: log.logger,
    step: async () => {
      times.push(env.now())
      return await step(times.length)
    },
  })
  return { env, log, loop, times, advance: (ms: number) => env.moveTo(env.now() + ms) }
}

describe('a loop', () => {
  it('does a step when it starts, and then waits to be woken', async () => {
    const { loop, times, advance } = loopOf(() => 'whenWoken')
    loop.start()
    await advance(10_000)
    expect(times).toEqual([0])
    loop.wake()
    await advance(0)
    expect(times).toEqual([0, 10_000])
  })

  it('does nothing before it is started', async () => {
    const { loop, times, advance } = loopOf(() => 'whenWoken')
    loop.wake()
    await advance(1_000)
    expect(times).toEqual([])
  })

  it('does the next step when the last one says so', async () => {
    const { loop, times, advance } = loopOf((count) => (count < 4 ? { inMs: count * 100 } : 'whenWoken'))
    loop.start()
    await advance(10_000)
    expect(times).toEqual([0, 100, 300, 600])
  })

  it('does it at once where asked to', async () => {
    const { loop, times, advance } = loopOf((count) => (count < 5 ? AT_ONCE : 'whenWoken'))
    loop.start()
    await advance(0)
    expect(times).toEqual([0, 0, 0, 0, 0])
  })

  it.each<[string, (count: number) => NextStep, number[]]>([
    ['nothing more to do at once', (count) => (count < 4 ? AT_ONCE : 'whenWoken'), [0, 0, 0, 0]],
    ['more to do later', () => ({ inMs: 1_000 }), [0, 0]],
    [
      'failed',
      () => {
        throw new Error('no')
      },
      [0, 100],
    ],
  ])('has caught up once a step has %s', async (_what, step, expected) => {
    const { loop, times, advance } = loopOf(step)
    loop.start()
    let steps: readonly number[] = []
    const caughtUp = loop.caughtUp().then(() => {
      steps = [...times]
    })
    await advance(500)
    await caughtUp
    expect(steps).toEqual(expected)
    await loop.stop()
    await loop.caughtUp()
  })

  it('never does two at once; a wake meanwhile means one more', async () => {
    let running = 0
    let most = 0
    let release = () => {}
    const { loop, times, advance } = loopOf(async (): Promise<NextStep> => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((resolve) => {
        release = resolve
      })
      running -= 1
      return 'whenWoken'
    })
    loop.start()
    await advance(0)
    for (let index = 0; index < 10; index += 1) loop.wake()
    await advance(0)
    expect(times).toHaveLength(1)
    release()
    await advance(0)
    expect(times).toHaveLength(2)
    release()
    await advance(0)
    expect([times.length, most]).toEqual([2, 1])
  })

  it('is woken before its time, and does not come a second time for it', async () => {
    const { loop, times, advance } = loopOf((count) => (count === 1 ? { inMs: 1_000 } : 'whenWoken'))
    loop.start()
    await advance(500)
    loop.wake()
    await advance(5_000)
    expect(times).toEqual([0, 500])
  })

  it('tries a step that failed again, with pauses that grow up to a second', async () => {
    const { loop, times, advance } = loopOf((count) => {
      if (count <= 8) throw new Error('away')
      return 'whenWoken'
    })
    loop.start()
    await advance(60_000)
    const pauses = times.slice(1).map((time, index) => time - (times[index] ?? Number.NaN))
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000])
    expect(loop.failures).toBe(0)
  })

  it('tells an outage once, and its end', async () => {
    const { loop, log, advance } = loopOf((count) => {
      if (count <= 5) throw new Error('away')
      return 'whenWoken'
    })
    loop.start()
    await advance(1_000)
    expect(loop.failures).toBeGreaterThan(0)
    await advance(60_000)
    expect(log.lines).toMatchObject([
      { level: 'error', message: 'Failed and will be tried again', fields: { part: 'test', error: new Error('away') } },
      { level: 'info', message: 'Works again', fields: { part: 'test', failures: 5 } },
    ])
  })

  it('keeps its pause although it was woken while the step failed', async () => {
    const { loop, times, advance } = loopOf(async (count): Promise<NextStep> => {
      await Promise.resolve()
      if (count > 1) return 'whenWoken'
      loop.wake()
      throw new Error('away')
    })
    loop.start()
    await advance(99)
    expect(times).toEqual([0])
    await advance(1)
    expect(times).toEqual([0, 100])
  })

  it('stops: waits for the step under way, and does no other', async () => {
    let release = () => {}
    const { loop, times, advance } = loopOf(async () => {
      await new Promise<void>((resolve) => {
        release = resolve
      })
      return AT_ONCE
    })
    loop.start()
    await advance(0)
    let isStopped = false
    const stopping = loop.stop().then(() => {
      isStopped = true
    })
    loop.wake()
    await advance(1_000)
    expect(isStopped).toBe(false)
    release()
    await stopping
    loop.wake()
    await advance(10_000)
    expect(times).toHaveLength(1)
  })

  it('leaves no timer behind when it is stopped within a step that wants another one', async () => {
    let release = () => {}
    let timers = 0
    const env = new ManualEnv({ startAt: 0, seed: 1, isBusy: () => false })
    const counting = {
      now: () => env.now(),
      monotonic: () => env.monotonic(),
      random: env.random,
      uuid: env.uuid,
      every: (ms: number, call: () => void) => env.every(ms, call),
      nextTurn: (call: () => void) => env.nextTurn(call),
      after: (ms: number, call: () => void) => {
        timers += 1
        const cancel = env.after(ms, call)
        return () => {
          timers -= 1
          cancel()
        }
      },
    }
    const loop = new Loop({
      name: 'test',
      env: counting,
      logger: new RecordedLog().logger,
      step: async () => {
        await new Promise<void>((resolve) => {
          release = resolve
        })
        return { inMs: 10_000 }
      },
    })
    loop.start()
    await env.settle()
    const stopping = loop.stop()
    release()
    await stopping
    expect(timers).toBeLessThanOrEqual(0)
  })

  it('can be started again', async () => {
    const { loop, times, advance } = loopOf(() => 'whenWoken')
    loop.start()
    await advance(0)
    await loop.stop()
    await advance(500)
    loop.start()
    await advance(0)
    expect(times).toEqual([0, 500])
  })
})

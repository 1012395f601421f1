import { describe, expect, it } from 'vitest'
import { drive } from '../../test/suites/durable/drive.ts'
import { type Code, Process, Shelf } from '../../test/suites/durable/shelf.ts'
import { type ActivityRetryOptions, activity, type CallOptions } from '../job/activity/activity.ts'
import { NonRetryableError } from '../job/execution/failure.ts'
import type { RunStop } from './host.ts'

const reasonOf = (stop: RunStop) =>
  stop.kind === 'failure' ? ((stop.error as Error).cause as Error).message : stop.kind

/** At which instants, from its beginning, an activity that always fails is tried. */
async function instantsOf(retry: ActivityRetryOptions, error: () => Error = () => new Error('no')): Promise<number[]> {
  const shelf = new Shelf()
  const start = shelf.env.now()
  const instants: number[] = []
  const code: Code = (ctx) =>
    ctx.run(
      'fails',
      () => {
        instants.push(shelf.env.now() - start)
        throw error()
      },
      { retry },
    )
  await drive(code, { shelf })
  return instants
}

describe('the input of an activity', () => {
  it('is what it was at the call, in each attempt, and what an attempt does to it stays there', async () => {
    const given: unknown[] = []
    const count = activity('count', {
      retry: { retries: 1 },
      run: (order: { lines: number[] }, { attempt }) => {
        given.push([...order.lines])
        order.lines.push(attempt)
        if (attempt === 1) throw new Error('no')
        return order.lines.length
      },
    })
    const { stop } = await drive(async (ctx) => {
      const order = { lines: [7] }
      const counting = ctx.run(count, order)
      order.lines.push(8)
      return [await counting, order.lines]
    })
    expect(given).toEqual([[7], [7]])
    expect(stop).toMatchObject({ kind: 'success', output: JSON.stringify([2, [7, 8]]) })
  })
})

describe('an activity that fails', () => {
  class Declined extends Error {}

  it.each<[string, ActivityRetryOptions, (() => Error) | undefined, number[]]>([
    ['is tried four times, and waits longer each time', {}, undefined, [0, 1_000, 3_000, 7_000]],
    ['is tried as often as it says', { retries: 1, initial: '5s' }, undefined, [0, 5_000]],
    [
      'waits no longer than the longest wait',
      { retries: 3, initial: '10s', max: '15s' },
      undefined,
      [0, 10_000, 25_000, 40_000],
    ],
    [
      'is not tried again after an error of a class it names',
      { nonRetryable: [Declined] },
      () => new Declined('x'),
      [0],
    ],
    ['is not tried again after a NonRetryableError', {}, () => new NonRetryableError('x'), [0]],
    [
      'is tried when the error says',
      { retries: 1 },
      () => Object.assign(new Error('x'), { retryAfter: '30s' }),
      [0, 30_000],
    ],
    [
      'takes no notice of what cannot be a duration',
      { retries: 1 },
      () => Object.assign(new Error('x'), { retryAfter: 'soon' }),
      [0, 1_000],
    ],
  ])('%s', async (_, retry, error, instants) => {
    expect(await instantsOf(retry, error)).toEqual(instants)
  })

  it('keeps its attempts and the next instant over a restart', async () => {
    const shelf = new Shelf()
    const start = shelf.env.now()
    const attempts: [number, number][] = []
    const code: Code = (ctx) =>
      ctx.run('fails', ({ attempt }) => {
        attempts.push([attempt, shelf.env.now() - start])
        throw new Error('no')
      })
    await drive(code, { shelf, whenIdle: 'isReplayed' })
    expect(attempts).toEqual([
      [1, 0],
      [2, 1_000],
      [3, 3_000],
      [4, 7_000],
    ])
    expect(shelf.history).toMatchObject([{ status: 'FAILED', attempt: 4 }])
  })

  it('does not count an attempt that nobody heard the end of', async () => {
    const shelf = new Shelf()
    const attempts: number[] = []
    const code: Code = (ctx) =>
      ctx.run('long', ({ attempt }) => {
        attempts.push(attempt)
        return attempts.length === 1 ? new Promise(() => {}) : attempt
      })
    const first = new Process(shelf, code)
    first.begin()
    await shelf.env.moveTo(shelf.env.now() + 1_000)
    expect(shelf.history).toMatchObject([{ status: 'RUNNING', attempt: 1 }])
    first.kill()
    await drive(code, { shelf })
    expect(attempts).toEqual([1, 1])
  })
})

describe('the times of an activity', () => {
  it.each<[string, CallOptions, string]>([
    ['one attempt', { timeout: '2s', retry: { retries: 0 } }, 'Activity "slow" did not end within 2000 ms.'],
    [
      'all attempts',
      { timeout: { total: '5s', attempt: '3s' }, retry: { retries: 8, initial: '1s' } },
      'Activity "slow" did not end, with all its attempts, within 5000 ms.',
    ],
    [
      'a wait that would be too long',
      { timeout: { total: '5s', attempt: '3s' }, retry: { retries: 8, initial: '10s' } },
      'Activity "slow" did not end within 3000 ms.',
    ],
    [
      'heartbeats',
      { timeout: { heartbeat: '1s' }, retry: { retries: 0 } },
      'Activity "slow" gave no heartbeat for 1000 ms.',
    ],
  ])('hold for %s', async (_, options, message) => {
    const { stop } = await drive((ctx) => ctx.run('slow', () => new Promise(() => {}), options))
    expect(reasonOf(stop)).toBe(message)
  })

  it('do not count from before it was called where its node was away for long', async () => {
    const shelf = new Shelf()
    const code: Code = async (ctx) => {
      await ctx.run('a', () => 1)
      return await ctx.run('b', () => 2, { timeout: { total: '1m' } })
    }
    let points = 0
    const first = new Process(shelf, code)
    shelf.onPoint = () => {
      points += 1
      if (points === 2) first.kill()
    }
    first.begin()
    await shelf.env.moveTo(shelf.env.now() + 3_600_000)
    const { stop } = await drive(code, { shelf })
    expect(stop).toEqual({ kind: 'success', output: '2' })
  })

  it('go on with each heartbeat, whose details are given to the next attempt', async () => {
    const shelf = new Shelf()
    const seen: unknown[] = []
    const code: Code = (ctx) =>
      ctx.run(
        'beats',
        async ({ attempt, heartbeat, heartbeatDetails }) => {
          seen.push([attempt, heartbeatDetails])
          if (attempt === 2) return 'done'
          for (let beat = 1; beat <= 3; beat += 1) {
            heartbeat({ beat })
            await new Promise<void>((resolve) => shelf.env.after(800, resolve))
          }
          return await new Promise(() => {})
        },
        { timeout: { heartbeat: '1s' } },
      )
    const { stop } = await drive(code, { shelf, whenIdle: 'isReplayed' })
    expect(stop).toEqual({ kind: 'success', output: '"done"' })
    expect(seen).toEqual([
      [1, undefined],
      [2, { beat: 3 }],
    ])
  })

  it('leave no timer behind', async () => {
    const shelf = new Shelf()
    let running = 0
    const after = shelf.env.after.bind(shelf.env)
    shelf.env.after = (delayMs, call) => {
      running += 1
      let isRunning = true
      const over = () => {
        if (isRunning) running -= 1
        isRunning = false
      }
      const cancel = after(delayMs, () => {
        over()
        call()
      })
      return () => {
        over()
        cancel()
      }
    }
    await drive(
      async (ctx) => {
        await ctx.run('a', ({ heartbeat }) => heartbeat(), { timeout: { attempt: '1m', heartbeat: '1m', total: '1h' } })
        await Promise.race([ctx.sleep('1h'), ctx.sleep(5), ctx.signal('x', undefined, { timeout: '1h' })])
      },
      { shelf, timeoutMs: 86_400_000 },
    )
    expect(running).toBe(0)
  })
})

describe('what an activity takes and gives', () => {
  const text = {
    '~standard': {
      version: 1,
      vendor: 'test',
      validate: (value: unknown) =>
        typeof value === 'string' ? { value: value.trim() } : { issues: [{ message: 'must be text' }] },
    },
  } as const

  it('is checked, and its key is made of what was checked', async () => {
    const greet = activity<string, string>('greet', {
      input: text,
      output: text,
      idempotencyKey: (name) => `greet ${name}`,
      run: (name, { idempotencyKey }) => `  ${idempotencyKey}, ${name} `,
    })
    const { stop } = await drive((ctx) => ctx.run(greet, ' Ana '))
    expect(stop).toEqual({ kind: 'success', output: '"greet Ana, Ana"' })
  })

  it.each<[string, unknown, unknown, string]>([
    ['an input that does not fit', 5, 'x', 'Input of activity "greet" is invalid: must be text'],
    ['an output that does not fit', 'x', 5, 'Output of activity "greet" is invalid: must be text'],
  ])('fails at once for %s', async (_, input, output, message) => {
    const greet = activity<string, string>('greet', { input: text, output: text, run: () => output as string })
    const { stop, shelf } = await drive((ctx) => ctx.run(greet, input as string))
    expect(reasonOf(stop)).toBe(message)
    expect(shelf.history).toMatchObject([{ attempt: 1 }])
  })

  it('fails at once for an output that cannot be stored', async () => {
    const { stop, shelf } = await drive((ctx) => ctx.run('odd', () => ({ call: () => 1 })))
    expect(reasonOf(stop)).toContain('Output of activity "odd"')
    expect(shelf.history).toMatchObject([{ attempt: 1, status: 'FAILED' }])
  })

  it('takes note of no heartbeat that comes after its end', async () => {
    const shelf = new Shelf()
    let beat: () => void = () => {}
    const code: Code = async (ctx) => {
      await ctx.run('a', ({ heartbeat }) => {
        beat = heartbeat
        queueMicrotask(() => queueMicrotask(() => queueMicrotask(beat)))
        return 1
      })
      beat()
      return await ctx.run('b', () => 2)
    }
    const { stop } = await drive(code, { shelf })
    expect(stop).toEqual({ kind: 'success', output: '2' })
    expect(shelf.history).toMatchObject([{ status: 'COMPLETED' }, { status: 'COMPLETED' }])
  })
})

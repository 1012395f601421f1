import { describe, expect, it } from 'vitest'
import { begin, drive } from '../../test/suites/durable/drive.ts'
import { type Code, Shelf } from '../../test/suites/durable/shelf.ts'
import { activity } from '../job/activity/activity.ts'
import type { DurableContext } from '../job/activity/durable-context.ts'
import { decodeValue, encodeValue } from './codec.ts'
import type { RunStop } from './host.ts'
import { BARE } from './journal.ts'

function outputOf(stop: RunStop | null): unknown {
  if (stop?.kind !== 'success') throw new Error(`It did not succeed: ${JSON.stringify(stop)}`)
  return decodeValue(stop.output)
}

function errorOf(stop: RunStop | null): Error {
  if (stop?.kind !== 'failure') throw new Error(`It did not fail: ${JSON.stringify(stop)}`)
  return stop.error as Error
}

describe('a run without a crash', () => {
  it('gives each activity its result, with one write each, and ends with that of the code', async () => {
    const { stop, shelf } = await drive(async (ctx) => {
      const one = await ctx.run('one', () => 1)
      const two = await ctx.run('two', () => one + 1)
      return [one, two]
    })
    expect(outputOf(stop)).toEqual([1, 2])
    expect(shelf.writes).toBe(2)
    expect(shelf.settled).toMatchObject([
      { sequence: 1, name: 'one', status: 'COMPLETED', attempt: 1, output: '1', calls: 1 },
      { sequence: 2, name: 'two', status: 'COMPLETED', attempt: 1, output: '2', calls: 2 },
    ])
  })

  it('numbers calls as they are made, and settles them as they end', async () => {
    const shelf = new Shelf()
    const slow = () => new Promise((resolve) => shelf.env.after(50, () => resolve('s')))
    const code: Code = (ctx) => Promise.all([ctx.run('slow', slow), ctx.run('fast', () => 'f')])
    const { stop } = await drive(code, { shelf })
    expect(outputOf(stop)).toEqual(['s', 'f'])
    expect(shelf.settled.map(({ sequence }) => sequence)).toEqual([2, 1])
  })

  it('hands out what is stored, not what was given', async () => {
    const given = { at: new Date(0), late: true }
    const { stop } = await drive(async (ctx) => {
      const got = await ctx.run('date', () => given)
      return [got === given, got.at instanceof Date]
    })
    expect(outputOf(stop)).toEqual([false, true])
  })

  it('tells of a call that nobody waits for', async () => {
    const { stop } = await drive(async (ctx) => {
      void ctx.run('lost', () => 1)
      await ctx.run('kept', () => 2)
    })
    expect(errorOf(stop).message).toBe(
      'The job ended without waiting for activity "lost" (call 1): is an await missing?',
    )
  })

  it.each<[string, (ctx: DurableContext) => unknown]>([
    ['run', (ctx) => ctx.run('inner', () => 1)],
    ['sleep', (ctx) => ctx.sleep(1)],
    ['signal', (ctx) => ctx.signal('go')],
    ['random', (ctx) => ctx.random()],
    ['uuid', (ctx) => ctx.uuid()],
    ['now', (ctx) => ctx.now()],
    ['patched', (ctx) => ctx.patched('x')],
    ['continueAs', (ctx) => ctx.continueAs(1)],
    ['checkpoint', (ctx) => ctx.checkpoint(1)],
  ])('refuses ctx.%s inside an activity, and does not try again', async (verb, call) => {
    const { stop, shelf } = await drive((ctx) => ctx.run('outer', () => call(ctx)))
    expect(errorOf(stop).message).toContain(`ctx.${verb} was called inside activity "outer"`)
    expect(shelf.history).toHaveLength(1)
  })

  it('takes the calls of a run that an activity of another has set off', async () => {
    const inner = new Shelf()
    const { stop } = await drive(async (ctx) => {
      const other = await ctx.run('outer', async () => {
        const process = await begin((its) => its.run('inner', () => 'ran'), inner)
        return outputOf(process.stopped)
      })
      return other
    })
    expect(outputOf(stop)).toBe('ran')
  })

  it('gives an activity and its compensation the input that was recorded', async () => {
    const seen: unknown[] = []
    const reserve = activity<{ count: number }, string>('reserve', {
      run: () => 'r1',
      compensate: (input, { output, idempotencyKey }) => void seen.push([input, output, idempotencyKey.endsWith(':2')]),
    })
    const { stop } = await drive(async (ctx) => {
      const order = { count: 1 }
      await ctx.run(reserve, order)
      order.count = 99
      throw new Error('no')
    })
    expect(errorOf(stop).message).toBe('no')
    expect(seen).toEqual([[{ count: 1 }, 'r1', true]])
  })

  it('counts chance and keys anew in another generation', async () => {
    const code: Code = async (ctx) => [
      ctx.random(),
      ctx.uuid(),
      await ctx.run('key', ({ idempotencyKey }) => idempotencyKey),
    ]
    const first = outputOf((await drive(code)).stop)
    expect(outputOf((await drive(code)).stop)).toEqual(first)
    const shelf = new Shelf()
    const at = shelf.env.now()
    const entry = {
      ...BARE,
      kind: 'input',
      name: 'input',
      sequence: 0,
      position: 0,
      attempt: 1,
      startedAt: at,
    } as const
    shelf.entries.set(0, { ...entry, input: '1', endedAt: at })
    const second = outputOf((await drive(code, { shelf })).stop) as unknown[]
    for (const [place, value] of second.entries()) expect(value).not.toEqual((first as unknown[])[place])
  })
})

describe('a replay', () => {
  const history = async (code: Code) => (await drive(code)).shelf

  it.each<[string, Code, object]>([
    [
      'swapped',
      async (ctx) => [await ctx.run('b', () => 1), await ctx.run('a', () => 1)],
      { sequence: 1, recorded: { kind: 'activity', name: 'a' }, called: { kind: 'activity', name: 'b' } },
    ],
    [
      'removed',
      (ctx) => ctx.run('a', () => 1),
      { sequence: 2, recorded: { kind: 'activity', name: 'b' }, called: null },
    ],
    [
      'of another kind',
      async (ctx) => [await ctx.run('a', () => 1), await ctx.sleep(1)],
      { sequence: 2, recorded: { kind: 'activity', name: 'b' }, called: { kind: 'timer', name: 'sleep' } },
    ],
    [
      'added before',
      async (ctx) => [await ctx.run('x', () => 1), await ctx.run('a', () => 1), await ctx.run('b', () => 1)],
      { sequence: 1, recorded: { kind: 'activity', name: 'a' }, called: { kind: 'activity', name: 'x' } },
    ],
    [
      'replaced by an error',
      async (ctx) => {
        await ctx.run('a', () => 1)
        throw new Error('new')
      },
      { sequence: 2, recorded: { kind: 'activity', name: 'b' }, called: null },
    ],
    [
      'replaced by a new beginning',
      async (ctx) => {
        await ctx.run('a', () => 1)
        await ctx.continueAs(1)
      },
      { sequence: 2, recorded: { kind: 'activity', name: 'b' }, called: null },
    ],
  ])('stops where a call was %s, with nothing written and nothing performed', async (_, changed, divergence) => {
    const shelf = await history(async (ctx) => [await ctx.run('a', () => 1), await ctx.run('b', () => 1)])
    const { writes } = shelf
    let performed = 0
    const process = await begin((ctx, run) => {
      const counted = new Proxy(ctx, {
        get: (target, key) =>
          key === 'run'
            ? (name: string) => target.run(name, () => (performed += 1))
            : (Reflect.get(target, key) as unknown),
      })
      return changed(counted, run)
    }, shelf)
    expect(process.stopped).toMatchObject({ kind: 'diverged', divergence: { reason: 'mismatch', ...divergence } })
    expect(shelf.writes).toBe(writes)
    expect(performed).toBe(0)
  })

  it('counts code that stands still as not fitting, after a while', async () => {
    const shelf = await history(async (ctx) => [await ctx.run('a', () => 1), await ctx.run('b', () => 1)])
    const process = await begin(async (ctx) => {
      await ctx.run('a', () => 1)
      await new Promise(() => {})
    }, shelf)
    expect(process.stopped).toBeNull()
    await shelf.env.moveTo(shelf.env.now() + 10_000)
    expect(process.stopped).toMatchObject({ kind: 'diverged', divergence: { sequence: 2, called: null } })
  })

  it('waits for code that does something else between two calls', async () => {
    const shelf = await history(async (ctx) => [await ctx.run('a', () => 1), await ctx.run('b', () => 2)])
    const { stop } = await drive(
      async (ctx) => {
        await ctx.run('a', () => 0)
        await new Promise<void>((resolve) => shelf.env.after(3_000, resolve))
        return await ctx.run('b', () => 0)
      },
      { shelf },
    )
    expect(outputOf(stop)).toBe(2)
  })

  it('keeps the instant of a timer that its call comes back to late', async () => {
    const shelf = new Shelf()
    const code =
      (lateMs: number): Code =>
      async (ctx) => {
        await ctx.run('a', () => 1)
        if (lateMs > 0) await new Promise<void>((resolve) => shelf.env.after(lateMs, resolve))
        await ctx.sleep('1h')
        return ctx.now()
      }
    const start = shelf.env.now()
    const first = await begin(code(0), shelf)
    expect(first.idle).toEqual({ dueAt: start + 3_600_000 })
    first.kill()
    const { stop } = await drive(code(2_000), { shelf })
    expect(outputOf(stop)).toBe(start + 3_600_000)
  })

  it('throws the same error again', async () => {
    const code: Code = async (ctx) => {
      try {
        await ctx.run('bad', () => Promise.reject(Object.assign(new RangeError('low'), { code: 'E1' })), {
          retry: { retries: 0 },
        })
      } catch (error) {
        await ctx.run('note', () => 1)
        const { message, cause } = error as Error
        return [message, (cause as Error).name, (cause as { code?: string }).code]
      }
    }
    const { shelf, stop } = await drive(code)
    expect(outputOf(stop)).toEqual(['Activity "bad" (call 1) failed after 1 attempt: low', 'RangeError', 'E1'])
    expect(outputOf((await begin(code, shelf)).stopped)).toEqual(outputOf(stop))
  })

  it('takes a changed path only where nothing is recorded of what follows', async () => {
    const old: Code = async (ctx) => [await ctx.run('a', () => 1), await ctx.signal('go')]
    const changed: Code = async (ctx) => {
      const isNew = ctx.patched('p')
      if (isNew) await ctx.run('extra', () => 1)
      await ctx.run('a', () => 1)
      await ctx.signal('go')
      return isNew
    }
    const send = (shelf: Shelf) => shelf.send('go')
    const inFlight = new Shelf()
    ;(await begin(old, inFlight)).kill()
    expect(outputOf((await drive(changed, { shelf: inFlight, onStuck: send })).stop)).toBe(false)
    const fresh = new Shelf()
    ;(await begin(changed, fresh)).kill()
    const { stop } = await drive(changed, { shelf: fresh, onStuck: send, whenIdle: 'isReplayed' })
    expect(outputOf(stop)).toBe(true)
    expect(fresh.history.filter(({ kind }) => kind === 'patch')).toMatchObject([{ sequence: -2, name: 'p' }])
  })
})

describe('a run that waits', () => {
  it('never lets try, catch or finally of its code see that it left', async () => {
    const seen: string[] = []
    const code: Code = async (ctx) => {
      try {
        await ctx.sleep('30d')
        seen.push('slept')
      } catch {
        seen.push('caught')
      } finally {
        seen.push('finally')
      }
    }
    const shelf = new Shelf()
    for (let restart = 0; restart < 3; restart += 1) {
      const process = await begin(code, shelf)
      process.run.suspend()
      await shelf.env.settle()
      expect(process.stopped).toEqual({ kind: 'suspended' })
      expect(seen).toEqual([])
    }
    await drive(code, { shelf, whenIdle: 'isReplayed' })
    expect(seen).toEqual(['slept', 'finally'])
  })

  it('is not given a timer that the store finds too early', async () => {
    const shelf = new Shelf()
    shelf.skewMs = -40
    const start = shelf.env.now()
    const { stop } = await drive(
      async (ctx) => {
        await ctx.sleep(100)
        return ctx.now()
      },
      { shelf },
    )
    expect(Number(outputOf(stop))).toBeGreaterThanOrEqual(start + 140)
    expect(shelf.earlies).toBeGreaterThan(0)
    expect(shelf.earlies).toBeLessThan(10)
  })

  it('cancels a timer whose firing the store finds too early just then', async () => {
    const shelf = new Shelf()
    shelf.skewMs = -1_000
    let cancel = () => {}
    const process = await begin(async (ctx) => {
      const timer = ctx.timer('t', ctx.now() + 100)
      cancel = () => timer.cancel()
      return await timer
    }, shelf)
    shelf.onPoint = () => cancel()
    await shelf.env.moveTo(shelf.env.now() + 100)
    expect(shelf.earlies).toBe(1)
    expect(outputOf(process.stopped)).toBe('cancelled')
  })

  it('says when it is next due, and leaves its clock alone while it is away', async () => {
    const process = await begin((ctx) =>
      Promise.race([ctx.sleep('2h'), ctx.signal('go', undefined, { timeout: '1h' })]),
    )
    const { env } = process.shelf
    const start = env.now()
    expect(process.idle).toEqual({ dueAt: start + 3_600_000 })
    process.run.goAway()
    const { writes } = process.shelf
    await env.moveTo(start + 86_400_000)
    expect(process.shelf.writes).toBe(writes)
    process.run.comeBack()
    await env.moveTo(env.now())
    expect(process.stopped).toMatchObject({ kind: 'success' })
  })

  it('wants to be back when its code goes on by itself', async () => {
    const shelf = new Shelf()
    const process = await begin(async (ctx) => {
      const own = new Promise<void>((resolve) => shelf.env.after(1_000, resolve))
      await Promise.race([ctx.sleep('1h'), own])
      return await ctx.run('then', () => 'done')
    }, shelf)
    process.run.goAway()
    await shelf.env.moveTo(shelf.env.now() + 1_000)
    expect([process.restless, process.stopped]).toEqual([1, null])
    process.run.comeBack()
    for (let turns = 0; turns < 3; turns += 1) await process.shelf.env.settle()
    expect(outputOf(process.stopped)).toBe('done')
  })

  it('takes signals in order, each once, and leaves out what does not fit', async () => {
    const shelf = new Shelf()
    const number = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) =>
          typeof value === 'number' ? { value } : { issues: [{ message: 'not a number' }] },
      },
    } as const
    shelf.send('n', encodeValue(1, 'n'))
    shelf.send('n', encodeValue('two', 'n'))
    shelf.send('n', encodeValue(3, 'n'))
    const code: Code = async (ctx) => [
      await ctx.signal('n', number),
      await ctx.signal('n', number),
      await ctx.signal('n', number, { timeout: '1h' }),
    ]
    const { stop } = await drive(code, { shelf, whenIdle: 'isReplayed' })
    expect(outputOf(stop)).toEqual([1, 3, null])
    expect(shelf.signals).toEqual([])
  })

  it('gives a signal to the next that waits where the first has given up meanwhile', async () => {
    const shelf = new Shelf()
    const slow = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate: (value: unknown) =>
          new Promise<{ value: unknown }>((resolve) => shelf.env.after(5_000, () => resolve({ value }))),
      },
    } as const
    shelf.send('n', encodeValue(1, 'n'))
    const { stop } = await drive(
      async (ctx) => [await ctx.signal('n', slow, { timeout: '1s' }), await ctx.signal('n')],
      { shelf },
    )
    expect(outputOf(stop)).toEqual([null, 1])
  })
})

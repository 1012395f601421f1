import { describe, expect, it } from 'vitest'
import { activity } from '../job/activity/activity.ts'
import { job } from '../job/type/job-type.ts'
import { memory } from '../store/memory/memory.ts'
import type { StoreSource } from '../store/store.ts'
import { CrashTestError, crashEverywhere } from './crash-everywhere.ts'

const add = activity('add', { run: ({ a, b }: { a: number; b: number }) => a + b })

describe('a durable job that is killed everywhere', () => {
  it('ends the same, with each point named', async () => {
    const sum = job('sum', {
      durable: true,
      run: async (n: number, ctx) => {
        const once = await ctx.run(add, { a: n, b: 1 })
        await ctx.sleep('1 day')
        return await ctx.run(add, { a: once, b: ctx.now() })
      },
    })
    const { result, points } = await crashEverywhere(sum, 1, { startAt: 0 })
    expect(result).toMatchObject({ status: 'SUCCESS', output: 2 + 86_400_000, effects: { add: 2 } })
    expect(points.slice(0, 2)).toEqual([
      'Killed at write 1, before the store was told activity "add" (call 1) as COMPLETED',
      'Killed at write 1, after the store was told, before it answered, activity "add" (call 1) as COMPLETED',
    ])
    expect(points.at(-1)).toBe(
      `Killed at write ${points.length / 2}, after the store was told, before it answered, its end as SUCCESS`,
    )
    expect(points.join()).toContain('that it waits until 1970-01-02T00:00:00.000Z')
    expect(new Set(points).size).toBe(points.length)
  })

  it('ends the same though its calls are made at once, in branches and in races', async () => {
    const branches = job('branches', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        const branch = async (n: number) => {
          const first = await ctx.run('first', () => n)
          if (n % 2 === 0) await ctx.sleep(n * 1_000)
          return await ctx.run('second', () => first * 10)
        }
        const all = await Promise.all([1, 2, 3, 4].map(branch))
        const timer = ctx.timer('late', ctx.now() + 60_000)
        const won = await Promise.race([ctx.sleep('5s').then(() => 'sleep'), timer])
        timer.cancel()
        const settled = await Promise.allSettled([
          ctx.run('fails', () => Promise.reject(new TypeError('no')), { retry: { retries: 1, initial: '1s' } }),
          ctx.run('works', () => new Map([[1, new Date(0)]])),
        ])
        return { all, won, settled: settled.map(({ status }) => status), ended: await timer, id: ctx.uuid() }
      },
    })
    const { result, points } = await crashEverywhere(branches, undefined)
    expect(points.every((point) => point.startsWith('Killed'))).toBe(true)
    expect(result).toMatchObject({
      status: 'SUCCESS',
      output: { all: [10, 20, 30, 40], won: 'sleep', settled: ['rejected', 'fulfilled'], ended: 'cancelled' },
      effects: { first: 4, second: 4, fails: 2, works: 1 },
    })
  }, 60_000)

  it('ends the same when it fails and undoes what it did', async () => {
    const undone: string[] = []
    const book = activity('book', {
      run: (what: string) => what,
      compensate: (what) => void undone.push(what),
    })
    const trip = job('trip', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        await ctx.run(book, 'flight')
        await ctx.run(book, 'hotel')
        await ctx.run('pay', () => Promise.reject(new Error('declined')), { retry: { retries: 0 } })
      },
    })
    const { result } = await crashEverywhere(trip, undefined, {
      before: () => undone.splice(0),
      check: () => expect([...new Set(undone)]).toEqual(['hotel', 'flight']),
    })
    expect(result).toMatchObject({ status: 'FAILED', effects: { book: 2, pay: 1, 'compensation:book': 2 } })
  })

  it('ends the same with signals, children, activities elsewhere, and when it begins anew', async () => {
    const child = job('child', { durable: true, run: async (n: number, ctx) => ctx.run(add, { a: n, b: n }) })
    const mail = activity('mail', { queue: 'mail', run: (to: string) => `sent to ${to}` })
    const rounds = job('rounds', {
      durable: true,
      run: async ({ round, sum }: { round: number; sum: number }, ctx): Promise<unknown> => {
        const { by } = await ctx.signal<{ by: string }>('go')
        const twice = await ctx.call(child, sum)
        const sent = await ctx.run(mail, by)
        if (round > 1) return { sum: twice, sent }
        return await ctx.continueAs({ round: round + 1, sum: twice })
      },
    })
    const { result } = await crashEverywhere(
      rounds,
      { round: 1, sum: 3 },
      {
        jobs: [child],
        activities: [mail],
        play: (run) => run.signal('go', { by: 'Ana' }).advance('1m').signal('go', { by: 'Rui' }).advance('1 day'),
      },
    )
    expect(result).toMatchObject({ status: 'SUCCESS', output: { sum: 12, sent: 'sent to Rui' }, effects: { mail: 2 } })
  }, 60_000)

  it('ends the same when it is cancelled', async () => {
    const cleaned: string[] = []
    const waits = job('waits', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        ctx.onCancel(() => ctx.run('clean', () => void cleaned.push('clean')))
        await ctx.run('begin', () => 1)
        await ctx.signal('never')
      },
    })
    const { result } = await crashEverywhere(waits, undefined, {
      before: () => cleaned.splice(0),
      play: (run) => run.cancel('enough').advance('1m'),
      check: () => expect(cleaned).toContain('clean'),
    })
    expect(result).toMatchObject({ status: 'CANCELLED', effects: { begin: 1, clean: 1 } })
  })
})

describe('a durable job that does not stand a crash', () => {
  const failure = async (test: Promise<unknown>): Promise<CrashTestError> => {
    const error: unknown = await test.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(error).toBeInstanceOf(CrashTestError)
    return error as CrashTestError
  }

  it('is named where it keeps something in memory', async () => {
    const kept = { total: 0 }
    const leaky = job('leaky', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        kept.total += 1
        await ctx.run('step', () => 1)
        return kept.total
      },
    })
    const error = await failure(
      crashEverywhere(leaky, undefined, { before: () => void Object.assign(kept, { total: 0 }) }),
    )
    expect(error.message).toMatch(
      /^Killed at write 1, .* activity "step" .*: it ended as SUCCESS with 2, instead of .*1\.$/,
    )
    expect(error.point).toContain('Killed at write 1')
  })

  it('is named where its path depends on what is not recorded', async () => {
    const mood = { runs: 0 }
    const moody = job('moody', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        mood.runs += 1
        await ctx.run('begin', () => 1)
        await (mood.runs % 2 === 1 ? ctx.run('left', () => 1) : ctx.run('right', () => 1))
        return 'done'
      },
    })
    const error = await failure(
      crashEverywhere(moody, undefined, { before: () => void Object.assign(mood, { runs: 0 }) }),
    )
    expect(error.message).toContain('activity "left" (call 2) as COMPLETED: it was DIVERGED: ')
    expect(error.message).toContain('"right"')
  })

  it('is named where it does something to the world by itself', async () => {
    const sent: string[] = []
    const rash = job('rash', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        sent.push('mail')
        await ctx.run('step', () => 1)
      },
    })
    const error = await failure(
      crashEverywhere(rash, undefined, { before: () => sent.splice(0), check: () => expect(sent).toHaveLength(1) }),
    )
    expect(error.message).toContain('Killed at write 1')
    expect(error.cause).toBeInstanceOf(Error)
  })

  it('is named where what was recorded is performed again', async () => {
    const source = memory()
    const forgetful: StoreSource = {
      kind: 'memory',
      open: async (around) => {
        const store = await source.open(around)
        const load = async (held: Parameters<typeof store.histories.load>[0]) =>
          (await store.histories.load(held)).map((run) => ({ ...run, entries: [] }))
        return { ...store, histories: { ...store.histories, load } }
      },
    }
    const two = job('two', {
      durable: true,
      run: async (_input: undefined, ctx) => [await ctx.run('one', () => 1), await ctx.run('two', () => 2)],
    })
    const error = await failure(crashEverywhere(two, undefined, { store: forgetful }))
    expect(error.message).toContain('(call 1) was performed again although it was recorded.')
  })

  it('is named where it does not end even if it is left alone', async () => {
    const waits = job('waits', { durable: true, run: async (_input: undefined, ctx) => ctx.signal('go') })
    const error = await failure(crashEverywhere(waits, undefined))
    expect(error.message).toContain('Not killed: it has not ended: it is WAITING')
    expect(error.message).toContain('Let play do what it waits for.')
  })

  it('is refused where it is not durable', async () => {
    await expect(crashEverywhere(job('plain', { run: () => 1 }))).rejects.toThrow('job must be durable, got "plain".')
  })
})

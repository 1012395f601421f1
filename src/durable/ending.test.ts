import { describe, expect, it } from 'vitest'
import { begin, drive, settle } from '../../test/suites/durable/drive.ts'
import { type Code, Process, Shelf } from '../../test/suites/durable/shelf.ts'
import { activity } from '../job/activity/activity.ts'
import type { EntryKind } from '../job/activity/divergence.ts'
import type { HistoryEntry } from '../job/activity/history.ts'
import { type CodeEnd, type EndFacts, Ending } from './ending.ts'
import { BARE } from './journal.ts'
import { Replay } from './replay.ts'

/** A journey whose steps can be undone, and what was done to it. */
function journey() {
  const done: string[] = []
  const book = activity<string, string>('book', {
    run: (what) => {
      done.push(`book ${what}`)
      return `no. ${what}`
    },
    compensate: (what, { output }) => void done.push(`undo ${what} ${output}`),
  })
  return { done, book }
}

async function cancel(process: Process, reason = 'enough'): Promise<void> {
  process.shelf.cancellation = { reason, requestedAt: process.shelf.env.now() }
  process.run.hear(process.shelf.news)
  await settle(process)
}

describe('a run that fails', () => {
  it('undoes what was done, the latest first, and tells of its own error', async () => {
    const { done, book } = journey()
    const { stop } = await drive(async (ctx) => {
      await ctx.run(book, 'a')
      await ctx.run(book, 'b')
      throw new Error('no room')
    })
    expect(done).toEqual(['book a', 'book b', 'undo b no. b', 'undo a no. a'])
    expect(stop).toMatchObject({ kind: 'failure', status: 'FAILED', error: { message: 'no room' } })
  })

  it('undoes what was under way as well, without knowing how it ended', async () => {
    const done: unknown[] = []
    const hang = activity<undefined, string>('hang', {
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      compensate: (_, { output }) => void done.push(['undo', output]),
    })
    await drive(
      async (ctx) =>
        await Promise.all([
          ctx.run(hang),
          ctx.run('bad', () => Promise.reject(new Error('x')), { retry: { retries: 0 } }),
        ]),
    )
    expect(done).toEqual([['undo', undefined]])
  })

  it('undoes what ran out of time, since it may have been done', async () => {
    const done: unknown[] = []
    const slow = activity<undefined, string>('slow', {
      timeout: '1s',
      retry: { retries: 0 },
      run: () => new Promise(() => {}),
      compensate: (_, { output }) => void done.push(['undo', output]),
    })
    await drive((ctx) => ctx.run(slow))
    expect(done).toEqual([['undo', undefined]])
  })

  it('goes on with undoing where the process dies in between, and undoes nothing twice', async () => {
    const { done, book } = journey()
    const code: Code = async (ctx) => {
      await Promise.all([ctx.run(book, 'a'), ctx.run(book, 'b')])
      throw new Error('no room')
    }
    const { points } = await drive(code)
    for (let killAt = 1; killAt <= points; killAt += 1) {
      done.length = 0
      const { stop, shelf } = await drive(code, { killAt })
      expect(stop).toMatchObject({ kind: 'failure', status: 'FAILED' })
      expect(shelf.settled.map(({ kind, name }) => `${kind} ${name}`).slice(2)).toEqual([
        'compensation book',
        'compensation book',
      ])
    }
  })

  it('tells of what could not be undone, and undoes the rest', async () => {
    const undone: string[] = []
    const step = (id: string, compensate: () => void) =>
      activity<undefined, number>(id, { run: () => 1, retry: { retries: 0 }, compensate })
    const { stop } = await drive(async (ctx) => {
      await ctx.run(step('a', () => void undone.push('a')))
      await ctx.run(
        step('b', () => {
          throw new Error('stuck')
        }),
      )
      throw new Error('no')
    })
    expect(undone).toEqual(['a'])
    expect(stop).toMatchObject({
      status: 'FAILED',
      error: { code: 'durable.compensation_failed', cause: { message: 'no' } },
    })
  })

  it('does not let a branch that goes on by itself make calls, and is not ended by it', async () => {
    const shelf = new Shelf()
    const performed: string[] = []
    const { book } = journey()
    const { stop } = await drive(
      async (ctx) => {
        await ctx.run(book, 'a')
        const branch = async () => {
          await new Promise((resolve) => setImmediate(resolve))
          await ctx.run('late', () => performed.push('late'))
        }
        void branch()
        throw new Error('no')
      },
      { shelf },
    )
    expect(stop).toMatchObject({ status: 'FAILED', error: { message: 'no' } })
    expect(performed).toEqual([])
  })
})

describe('a run that is cancelled', () => {
  it('throws into its code, takes no calls, cleans up, and ends as CANCELLED', async () => {
    const { done, book } = journey()
    const process = await begin(async (ctx) => {
      await ctx.run(book, 'a')
      ctx.onCancel(() => ctx.run('tell', () => void done.push('told')))
      try {
        await ctx.sleep('30d')
      } catch (error) {
        done.push((error as Error).message)
        await ctx
          .run('refused', () => void done.push('never'))
          .catch((refused: Error) => done.push(`refused: ${refused.message}`))
      }
    })
    expect(process.idle).not.toBeNull()
    await cancel(process)
    expect(done).toEqual(['book a', 'enough', 'refused: enough', 'told', 'undo a no. a'])
    expect(process.stopped).toMatchObject({ kind: 'failure', status: 'CANCELLED', error: { message: 'enough' } })
  })

  it('aborts its signal and those of its activities', async () => {
    const aborted: string[] = []
    const process = await begin(async (ctx) => {
      ctx.abortSignal.addEventListener('abort', () => aborted.push('run'))
      await ctx.run(
        'long',
        ({ signal }) =>
          new Promise((_resolve, reject) =>
            signal.addEventListener('abort', () => {
              aborted.push('activity')
              reject(signal.reason as Error)
            }),
          ),
      )
    })
    await cancel(process)
    expect(aborted).toEqual(['run', 'activity'])
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
  })

  it('does not abort its signal where it comes to its end by itself', async () => {
    let aborted: AbortSignal | null = null
    const { stop } = await drive(async (ctx) => {
      aborted = ctx.abortSignal
      await ctx.run('a', () => 1)
    })
    expect(stop.kind).toBe('success')
    expect(aborted).toMatchObject({ aborted: false })
  })

  it('is brought to its end where its code does not come to one', async () => {
    const { done, book } = journey()
    const process = await begin(async (ctx) => {
      await ctx.run(book, 'a')
      await ctx.sleep('1d').catch(() => new Promise(() => {}))
    })
    await cancel(process)
    expect(process.stopped).toBeNull()
    await process.shelf.env.moveTo(process.shelf.env.now() + 10_000)
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
    expect(done).toEqual(['book a', 'undo a no. a'])
  })

  it('is brought to the same end by a replay of that', async () => {
    const { done, book } = journey()
    const code: Code = async (ctx) => {
      await ctx.run(book, 'a')
      await ctx.run(book, 'b')
      await ctx.sleep('1d').catch(() => new Promise(() => {}))
    }
    const first = await begin(code)
    await cancel(first)
    await first.shelf.env.moveTo(first.shelf.env.now() + 9_999)
    first.shelf.onPoint = () => first.kill()
    await first.shelf.env.moveTo(first.shelf.env.now() + 1)
    expect(first.isDead).toBe(true)
    done.length = 0
    const { stop } = await drive(code, { shelf: first.shelf })
    expect(stop).toMatchObject({ status: 'CANCELLED' })
    expect(done).toEqual(['undo b no. b', 'undo a no. a'])
  })

  it('waits for an activity that ends late, but not for ever', async () => {
    const shelf = new Shelf()
    const process = await begin(
      (ctx) => ctx.run('deaf', () => new Promise((resolve) => shelf.env.after(60_000, () => resolve(1)))),
      shelf,
    )
    await cancel(process)
    expect(process.stopped).toBeNull()
    await shelf.env.moveTo(shelf.env.now() + 10_000)
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
  })

  it.each<[string, Code]>([
    ['has succeeded', (ctx) => ctx.run('a', () => 1)],
    [
      'has failed',
      async (ctx) => {
        await ctx.run('a', () => 1)
        throw new Error('no')
      },
    ],
    [
      'goes on anew',
      async (ctx) => {
        await ctx.run('a', () => 1)
        await ctx.continueAs(2)
      },
    ],
  ])('is cancelled by a replay too where its code %s meanwhile', async (_, code) => {
    const { shelf } = await drive(code)
    shelf.cancellation = { reason: null, requestedAt: 0 }
    const { stop, processes } = await drive(code, { shelf })
    expect(stop).toMatchObject({ kind: 'failure', status: 'CANCELLED', error: { message: 'Cancelled.' } })
    expect(processes).toHaveLength(1)
  })

  it('ends as CANCELLED also where it ran out of time before', async () => {
    const process = new Process(
      new Shelf(),
      async (ctx) => {
        ctx.onCancel(() => {})
        await ctx.sleep('1d').catch(() => new Promise(() => {}))
      },
      { timeoutMs: 1_000 },
    )
    process.begin()
    await settle(process)
    await process.shelf.env.moveTo(process.shelf.env.now() + 1_000)
    await cancel(process)
    await process.shelf.env.moveTo(process.shelf.env.now() + 10_000)
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
  })

  it('is heard of once it is back, where it is away', async () => {
    const process = await begin((ctx) => ctx.sleep('1d'))
    process.run.goAway()
    await cancel(process)
    expect([process.stopped, process.restless]).toEqual([null, 0])
    process.run.comeBack()
    await settle(process)
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
  })
})

describe('the timeout of a run', () => {
  it('counts from its first beginning, waits and restarts included', async () => {
    const shelf = new Shelf()
    const start = shelf.env.now()
    const code: Code = async (ctx) => {
      for (;;) await ctx.sleep('4h')
    }
    const { stop } = await drive(code, { shelf, timeoutMs: 10 * 3_600_000, whenIdle: 'isReplayed' })
    expect(stop).toMatchObject({ kind: 'failure', status: 'TIMEOUT', error: { code: 'execution.timeout' } })
    expect(shelf.entries.get(-1)?.endedAt).toBe(start + 10 * 3_600_000)
  })
})

describe('a new beginning', () => {
  it('leaves the code where it is, and asks for it with the input', async () => {
    const seen: string[] = []
    const { stop } = await drive(async (ctx) => {
      await ctx.run('a', () => 1)
      try {
        await ctx.continueAs({ page: 2 })
      } finally {
        seen.push('finally')
      }
    })
    expect(stop).toEqual({ kind: 'continued', input: '{"page":2}' })
    expect(seen).toEqual([])
  })
})

describe('the end of the code', () => {
  const entry = (sequence: number, kind: EntryKind): HistoryEntry => {
    return { ...BARE, sequence, kind, name: kind, position: sequence, calls: sequence }
  }
  const value: CodeEnd = { kind: 'value', value: 7 }
  const error: CodeEnd = { kind: 'error', error: new Error('no') }
  const forgotten = [{ kind: 'activity', name: 'a', sequence: 1 }]
  const cancel = { ...entry(-1, 'cancellation'), output: '"enough"' }
  const undone = new Replay([entry(2, 'compensation')])
  const followed = { replay: null, calls: 1, forgotten: [] }

  it.each<[string, (ending: Ending) => void, CodeEnd, Partial<EndFacts>, object | null]>([
    ['with a value is a success', () => {}, value, {}, { kind: 'success', output: '7' }],
    ['with an error undoes', () => {}, error, {}, { kind: 'undo', reason: error.error }],
    ['with a new input continues', () => {}, { kind: 'continued', input: '1' }, {}, { kind: 'continued', input: '1' }],
    ['with a forgotten call undoes', () => {}, value, { forgotten }, { kind: 'undo' }],
    ['with a value that cannot be stored undoes', () => {}, { kind: 'value', value: () => 1 }, {}, { kind: 'undo' }],
    ['waits for a termination in flight', (ending) => ending.placeTermination(), value, {}, null],
    ['waits for a requested cancellation', (ending) => ending.requestCancel(null), value, {}, null],
    ['after a termination undoes', (ending) => ending.terminate(cancel), value, {}, { reason: { message: 'enough' } }],
    [
      'before a recorded call diverges',
      () => {},
      value,
      { replay: new Replay([entry(2, 'timer')]) },
      { kind: 'diverged' },
    ],
    ['with an error before recorded compensations undoes', () => {}, error, { replay: undone }, { kind: 'undo' }],
    ['with a value before recorded compensations diverges', () => {}, value, { replay: undone }, { kind: 'diverged' }],
    [
      'with an error before recorded compensations does not wait for a cancellation',
      (ending) => ending.requestCancel(null),
      error,
      { replay: undone },
      { kind: 'undo' },
    ],
  ])('%s', (_name, before, end, facts, expected) => {
    const ending = new Ending()
    before(ending)
    expect(ending.conclude({ ...followed, ...facts })).toBeNull()
    ending.endCode(end)
    const conclusion = ending.conclude({ ...followed, ...facts })
    if (expected) expect(conclusion).toMatchObject(expected)
    else expect(conclusion).toBeNull()
  })
})

import { describe, expect, it } from 'vitest'
import { begin, drive, settle } from '../../test/suites/durable/drive.ts'
import type { Code, Process, Shelf } from '../../test/suites/durable/shelf.ts'
import { PontualError } from '../errors.ts'
import { activity } from '../job/activity/activity.ts'
import type { ChildEnd } from '../job/activity/history.ts'
import { job } from '../job/type/job-type.ts'

const invoice = job('invoice', { run: (input: number) => input * 2 })

/** Ends all children that have not, as they are told. */
function endChildren(shelf: Shelf, end: Partial<ChildEnd> = {}): void {
  for (const executionId of shelf.children.keys()) {
    shelf.ends.push({ executionId, status: 'SUCCESS', attempt: 1, output: '42', error: null, ...end })
    shelf.children.delete(executionId)
  }
}

async function hear(process: Process): Promise<void> {
  process.run.hear(process.shelf.news)
  await settle(process)
}

async function cancel(process: Process): Promise<void> {
  process.shelf.cancellation = { reason: null, requestedAt: 0 }
  await hear(process)
}

describe('a child', () => {
  it.each(['stays', 'comesBack', 'isReplayed'] as const)('gives its output to a run that %s', async (whenIdle) => {
    const { stop, shelf } = await drive((ctx) => ctx.call(invoice, 21), {
      whenIdle,
      onStuck: (each) => endChildren(each),
    })
    expect(stop).toEqual({ kind: 'success', output: '42' })
    expect(shelf.settled).toMatchObject([
      { kind: 'start', input: '21' },
      { kind: 'child', childId: expect.any(String) as string },
    ])
    expect(shelf.ends).toEqual([])
  })

  it('is started once, wherever the process dies', async () => {
    const code: Code = async (ctx) =>
      await Promise.all([ctx.call(invoice, 1), ctx.run('beside', () => 1), ctx.call(invoice, 2)])
    const { points } = await drive(code, { onStuck: (each) => endChildren(each) })
    for (let killAt = 1; killAt <= points; killAt += 1) {
      const started = new Set<string>()
      const { stop, shelf } = await drive(code, {
        killAt,
        onStuck: (each) => {
          for (const id of each.children.keys()) started.add(id)
          endChildren(each)
        },
      })
      expect(stop).toEqual({ kind: 'success', output: '[42,1,42]' })
      expect(started.size + shelf.children.size).toBe(2)
    }
  })

  it('that fails throws into its run', async () => {
    const error = { name: 'Error', message: 'no paper' }
    const { stop } = await drive((ctx) => ctx.call(invoice, 1), {
      onStuck: (each) => endChildren(each, { status: 'FAILED', error }),
    })
    expect(stop).toMatchObject({
      status: 'FAILED',
      error: { code: 'child.failed', message: expect.stringContaining('no paper') as string },
    })
  })

  it('may be waited for twice', async () => {
    const code: Code = async (ctx) => {
      const child = await ctx.start(invoice, 1)
      return [await child.result(), await child.result()]
    }
    const { stop } = await drive(code, { whenIdle: 'isReplayed', onStuck: (each) => endChildren(each) })
    expect(stop).toEqual({ kind: 'success', output: '[42,42]' })
  })

  it.each<[string, Code, number]>([
    ['called is cancelled with its run', (ctx) => ctx.call(invoice, 1), 1],
    ['started goes on without its run', async (ctx) => await (await ctx.start(invoice, 1)).result(), 0],
  ])('that is %s', async (_, code, cancelled) => {
    const process = await begin(code)
    await cancel(process)
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
    expect(process.shelf.cancelledChildren).toHaveLength(cancelled)
  })

  it.each<[string, Error, object]>([
    [
      'fails the call where the store says no',
      new PontualError('payload.invalid', 'bad'),
      { kind: 'failure', error: { message: 'bad' } },
    ],
    [
      'gives the run back where nobody knows whether it was stored',
      new PontualError('store.unavailable', 'gone'),
      { kind: 'suspended' },
    ],
    ['gives the run back where something else went wrong', new Error('gone'), { kind: 'suspended' }],
  ])('%s', async (_, error, stop) => {
    const process = await begin(async (ctx, { host }) => {
      await ctx.run('a', () => 1)
      Object.assign(host, { startChild: () => Promise.reject(error) })
      await ctx.start(invoice, 1)
    })
    expect(process.stopped).toMatchObject(stop)
  })
})

describe('an activity with a queue of its own', () => {
  const charge = activity<number, string>('charge', {
    queue: 'payments',
    timeout: { start: '1m', total: '1h' },
    idempotencyKey: (amount) => `charge ${amount}`,
    run: () => 'never here',
  })

  it.each(['stays', 'comesBack', 'isReplayed'] as const)(
    'that nobody begins in time is given up by a run that %s',
    async (whenIdle) => {
      const { stop, shelf } = await drive((ctx) => ctx.run(charge, 5), { whenIdle })
      expect(stop).toMatchObject({ error: { code: 'activity.failed', cause: { code: 'activity.timeout' } } })
      expect(shelf.cancelledChildren).toEqual([...shelf.children.keys()])
      expect(shelf.settled).toMatchObject([{ status: 'FAILED', endedAt: (shelf.settled[0]?.startedAt ?? 0) + 60_000 }])
    },
  )

  it('is given its key and its rules, and gives its output with the attempts it took', async () => {
    const process = await begin((ctx) => ctx.run(charge, 5))
    expect([...process.shelf.children.values()]).toMatchObject([
      {
        activity: { id: 'charge' },
        rules: { queue: 'payments' },
        payload: '5',
        sequence: 1,
        idempotencyKey: 'charge 5',
      },
    ])
    endChildren(process.shelf, { output: '"paid"', attempt: 3 })
    await hear(process)
    expect(process.stopped).toEqual({ kind: 'success', output: '"paid"' })
    expect(process.shelf.history).toMatchObject([{ status: 'COMPLETED', attempt: 3 }])
  })

  it('is cancelled with its run', async () => {
    const process = await begin((ctx) => ctx.run(charge, 5))
    await cancel(process)
    expect(process.stopped).toMatchObject({ status: 'CANCELLED' })
    expect(process.shelf.cancelledChildren).toEqual([...process.shelf.children.keys()])
  })

  it('is waited for again, not started again, after a crash', async () => {
    const code: Code = (ctx) => ctx.run(charge, 5)
    const first = await begin(code)
    const [id] = first.shelf.children.keys()
    first.kill()
    const second = await begin(code, first.shelf)
    expect([...second.shelf.children.keys()]).toEqual([id])
    endChildren(second.shelf, { output: '"paid"' })
    await hear(second)
    expect(second.stopped).toEqual({ kind: 'success', output: '"paid"' })
  })
})

describe('a transaction', () => {
  it('is recorded together with what it did', async () => {
    const code: Code = async (ctx) => [
      await ctx.transaction('move', async (tx) => (await tx.query('select 1')).length),
      await ctx.run('b', () => 1),
    ]
    const { stop, shelf } = await drive(code)
    expect(stop).toEqual({ kind: 'success', output: '[0,1]' })
    expect(shelf.settled).toMatchObject([{ kind: 'transaction', name: 'move', attempt: 1 }, { kind: 'activity' }])
  })

  it('is tried again where it fails, and does not hold up what is settled meanwhile', async () => {
    const attempts: number[] = []
    const code: Code = async (ctx) =>
      await Promise.all([
        ctx.transaction('move', () => {
          attempts.push(attempts.length + 1)
          if (attempts.length < 3) throw new Error('conflict')
          return 'moved'
        }),
        ctx.run('b', () => 1),
      ])
    const { stop, shelf } = await drive(code, { whenIdle: 'isReplayed' })
    expect(stop).toEqual({ kind: 'success', output: '["moved",1]' })
    expect(shelf.settled.map(({ sequence, attempt }) => [sequence, attempt])).toEqual([
      [2, 1],
      [1, 3],
    ])
  })

  it('gives the run back where nobody knows whether it was committed', async () => {
    const process = await begin(async (ctx, { host }) => {
      await ctx.run('a', () => 1)
      await ctx.transaction('move', () => {
        Object.assign(host, { cannot: new PontualError('store.unavailable', 'gone') })
      })
    })
    expect(process.stopped).toEqual({ kind: 'suspended' })
  })

  it('may be begun anew by the store', async () => {
    const process = await begin(async (ctx, { host }) => {
      const transact = host.transact.bind(host)
      host.transact = async (work) => {
        await work({ query: () => Promise.resolve([]) })
        return await transact(work)
      }
      return [await ctx.transaction('twice', () => 1), await ctx.run('b', () => 2)]
    })
    expect(process.stopped).toEqual({ kind: 'success', output: '[1,2]' })
  })
})

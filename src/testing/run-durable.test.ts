import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { activity } from '../job/activity/activity.ts'
import { job } from '../job/type/job-type.ts'
import { runDurable } from './run-durable.ts'

const DAY = 86_400_000

/** The order of a shop: each activity says what it did. */
function shop() {
  const done: string[] = []
  const reserve = activity('reserve', {
    run: (input: { sku: string }) => {
      done.push(`reserve ${input.sku}`)
      return { id: `r-${input.sku}`, until: new Date(0) }
    },
    compensate: (_input, { output }) => void done.push(`release ${output?.id}`),
  })
  const charge = activity('charge', {
    retry: { retries: 1, initial: '10s' },
    run: (input: { cents: bigint }) => {
      done.push(`charge ${input.cents}`)
      return { paid: input.cents }
    },
  })
  const order = job('order', {
    durable: true,
    run: async (input: { sku: string; cents: bigint }, ctx) => {
      const reservation = await ctx.run(reserve, { sku: input.sku })
      const receipt = await ctx.run(charge, { cents: input.cents })
      await ctx.sleep('30 days')
      const sent = await ctx.run('send', () => {
        done.push('send')
        return ctx.executionId
      })
      return { reservation, receipt, isSent: sent === ctx.executionId, at: new Date(ctx.now()) }
    },
  })
  return { done, reserve, charge, order }
}

const input = { sku: 'a', cents: 5n }

describe('a durable job in a test', () => {
  it('runs, and tells what it gave, what is recorded of it, and how often each activity was performed', async () => {
    const { order, done } = shop()
    const result = await runDurable(order, input, { startAt: 0 }).advance('30 days')
    expect(result).toMatchObject({
      status: 'SUCCESS',
      error: null,
      crashes: 0,
      effects: { reserve: 1, charge: 1, send: 1 },
      output: { reservation: { id: 'r-a', until: new Date(0) }, receipt: { paid: 5n }, at: new Date(30 * DAY) },
    })
    expectTypeOf(result.output).toEqualTypeOf<
      { reservation: { id: string; until: Date }; receipt: { paid: bigint }; isSent: boolean; at: Date } | undefined
    >()
    expect(result.history.map(({ kind, name, status }) => `${kind} ${name} ${status}`)).toEqual([
      'activity reserve COMPLETED',
      'activity charge COMPLETED',
      'timer sleep COMPLETED',
      'activity send COMPLETED',
    ])
    expect(done).toEqual(['reserve a', 'charge 5', 'send'])
  })

  it('waits for time that does not pass by itself', async () => {
    const { order } = shop()
    const early = await runDurable(order, input).advance(30 * DAY - 1)
    expect(early).toMatchObject({ status: 'WAITING', output: undefined, effects: { reserve: 1, charge: 1 } })
    expect(early.history.at(-1)).toMatchObject({ kind: 'timer', status: 'RUNNING' })
  })

  it.each([1, 2, 3, 4])('goes on where it stood when its node is killed after record %i', async (records) => {
    const { order, done } = shop()
    const result = await runDurable(order, input).crashAfter(records).advance('30 days')
    expect(result).toMatchObject({ status: 'SUCCESS', crashes: 1, effects: { reserve: 1, charge: 1, send: 1 } })
    expect(done).toEqual(['reserve a', 'charge 5', 'send'])
  })

  it('may be killed several times', async () => {
    const { order } = shop()
    const result = await runDurable(order, input).crashAfter(1).crashAfter(2).crashAfter(3).advance('30 days')
    expect(result).toMatchObject({ status: 'SUCCESS', crashes: 3, effects: { reserve: 1, charge: 1, send: 1 } })
  })

  it('has other work done in place of an activity', async () => {
    const { order, charge, done } = shop()
    const result = await runDurable(order, input)
      .mock(charge, ({ cents }, { attempt }) => ({ paid: cents * 2n * BigInt(attempt) }))
      .mock('send', ({ executionId }) => executionId)
      .advance('30 days')
    expect(result.output).toMatchObject({ receipt: { paid: 10n }, isSent: true })
    expect(result.effects).toEqual({ reserve: 1, charge: 1, send: 1 })
    expect(done).toEqual(['reserve a'])
  })

  it('retries what is mocked by the rules of the activity, and undoes the rest when it fails for good', async () => {
    const { order, charge, done } = shop()
    const fail = () => {
      throw new Error('declined')
    }
    const waiting = await runDurable(order, input).mock(charge, fail)
    expect(waiting).toMatchObject({ status: 'WAITING', effects: { charge: 1 } })
    const failed = await runDurable(order, input).mock(charge, fail).advance('10s')
    expect(failed).toMatchObject({
      status: 'FAILED',
      output: undefined,
      effects: { reserve: 1, charge: 2, 'compensation:reserve': 1 },
      error: { name: 'ActivityFailedError', code: 'activity.failed' },
    })
    expect(done.at(-1)).toBe('release r-a')
  })

  it('mocks what undoes an activity too', async () => {
    const { order, charge, reserve, done } = shop()
    const undone: unknown[] = []
    const run = () =>
      runDurable(order, input)
        .mock(charge, () => Promise.reject(new Error('declined')))
        .advance('1m')
    await run().mock(
      reserve,
      () => ({ id: 'x', until: new Date(5) }),
      (_, { output }) => undone.push(output),
    )
    expect(undone).toEqual([{ id: 'x', until: new Date(5) }])
    const silent = await run().mock(reserve, () => ({ id: 'x', until: new Date(5) }))
    expect(silent.effects).toMatchObject({ 'compensation:reserve': 1 })
    expect(done).toEqual([])
  })

  it('is sent signals, and cancelled', async () => {
    const approval = job('approval', {
      durable: true,
      run: async (_input: undefined, ctx) => {
        const first = await ctx.signal('approved', z.object({ by: z.string() }))
        const second = await ctx.signal('approved', undefined, { timeout: '1 day' })
        return [first.by, second]
      },
    })
    expect(await runDurable(approval).signal('approved', { by: 'Ana' }).advance('1 day')).toMatchObject({
      status: 'SUCCESS',
      output: ['Ana', null],
    })
    expect(await runDurable(approval).signal('approved', { by: 'Ana' }).signal('approved', 5n)).toMatchObject({
      output: ['Ana', 5n],
    })
    expect(await runDurable(approval).cancel('enough')).toMatchObject({ status: 'CANCELLED' })
    expect(await runDurable(approval)).toMatchObject({ status: 'WAITING' })
  })

  it('starts children that are given', async () => {
    const child = job('child', { run: (n: number) => n * 2 })
    const grandchild = job('grandchild', { durable: true, run: async (n: number, ctx) => ctx.run('add', () => n + 1) })
    const parent = job('parent', {
      durable: true,
      run: async (n: number, ctx) => (await ctx.call(child, n)) + (await ctx.call(grandchild, n)),
    })
    const result = await runDurable(parent, 5, { jobs: [child, grandchild] }).mock('add', () => 100)
    expect(result).toMatchObject({ status: 'SUCCESS', output: 110, effects: { add: 1 } })
  })

  it('performs activities that have a queue of their own, where they are given or mocked', async () => {
    const mail = activity('mail', { queue: 'mail', run: (to: string) => `sent to ${to}` })
    const letter = job('letter', { durable: true, run: async (to: string, ctx) => ctx.run(mail, to) })
    expect(await runDurable(letter, 'Ana', { activities: [mail] })).toMatchObject({ output: 'sent to Ana' })
    expect(await runDurable(letter, 'Ana').mock(mail, (to) => `kept from ${to}`)).toMatchObject({
      output: 'kept from Ana',
      effects: { mail: 1 },
    })
    expect(await runDurable(letter, 'Ana')).toMatchObject({
      status: 'FAILED',
      error: { code: 'testing.activity_unknown' },
    })
  })

  it('replays a long history within one step', async () => {
    const long = job('long', {
      durable: true,
      run: async (count: number, ctx) => {
        for (let index = 0; index < count; index += 1) await ctx.run('step', () => index)
        return 'done'
      },
    })
    const result = await runDurable(long, 200).crashAfter(199)
    expect(result).toMatchObject({ status: 'SUCCESS', effects: { step: 200 }, crashes: 1 })
    expect(result.history.filter(({ replayed }) => replayed === 1)).toHaveLength(199)
  })

  it('keeps its plan once it is awaited', async () => {
    const { order } = shop()
    const run = runDurable(order, input)
    expect(await run).toBe(await run)
    expect(() => run.advance('1d')).toThrow('This run is over')
  })

  it('refuses what it cannot run', async () => {
    const plain = job('plain', { run: () => 'done' })
    const { order, charge } = shop()
    expect(() => runDurable(plain)).toThrow('job must be durable, got "plain".')
    expect(() => runDurable(order, input).advance(-1)).toThrow('by must be')
    expect(() => runDurable(order, input).crashAfter(0)).toThrow('crashAfter must be')
    expect(() => runDurable(order, input).mock('', () => {})).toThrow('mock must be text')
    expect(() => runDurable(order, input).mock(charge, 'x' as never)).toThrow('mock takes a function, got "x".')
    // @ts-expect-error: an output of another type
    runDurable(order, input).mock(charge, () => ({ paid: 5 }))
    // @ts-expect-error: an input of another type
    runDurable(order, { sku: 5 })
    const strict = job('strict', { durable: true, input: z.object({ n: z.number() }), run: async ({ n }) => n })
    await expect(runDurable(strict, { n: 'x' } as never)).rejects.toThrow('n: ')
  })
})

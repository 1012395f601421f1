import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../test/harness/instants.ts'
import { cron } from '../../time/triggers/cron.ts'
import { activity } from '../activity/activity.ts'
import type { DurableContext } from '../activity/durable-context.ts'
import { batchJob } from './batch.ts'
import { type AnyJobType, type JobType, type JobTypeOptions, job, timeoutOf } from './job-type.ts'

const run = () => 'done'

describe('a job type', () => {
  it('has defaults for all but its id and its handler', () => {
    expect(job('work', { run })).toEqual({
      id: 'work',
      schema: null,
      run,
      isDurable: false,
      isolation: null,
      queue: 'default',
      priority: 'MEDIUM',
      timeoutMs: null,
      retry: null,
      cache: null,
      rateLimit: null,
      isSensitive: false,
      isEnqueueable: false,
      onFaulted: null,
      schedules: [],
      signals: null,
      followers: [],
    })
  })

  it('has what it is given, checked', () => {
    const input = z.string()
    const type = job('work', { run, input, queue: 'slow', priority: 'LOW', timeout: '5m', retry: { retries: 1 } })
    expect(type).toMatchObject({
      schema: input,
      queue: 'slow',
      priority: 'LOW',
      timeoutMs: 300_000,
      retry: { retries: 1 },
    })
    expect(Object.isFrozen(type)).toBe(true)
  })

  it('may be enqueueable, but not if it is sensitive', () => {
    expect(job('work', { run, enqueueable: true }).isEnqueueable).toBe(true)
    expect(batchJob('work', { size: 2, run: () => {}, enqueueable: true }).isEnqueueable).toBe(true)
    expect(refusal(() => job('work', { run, enqueueable: true, sensitive: true })).message).toMatch(
      /^Job type "work": enqueueable and sensitive contradict each other/,
    )
    expect(refusal(() => job('work', { run, enqueueable: 'yes' as unknown as boolean })).message).toMatch(
      /^Job type "work": enqueueable/,
    )
  })

  it('may have one schedule or several', () => {
    const schedule = { trigger: cron('0 3 * * *') }
    expect(job('work', { run, schedule }).schedules).toEqual([schedule])
    const two = [schedule, { name: 'noon', trigger: cron('0 12 * * *') }]
    expect(job('work', { run, schedule: two }).schedules).toEqual(two)
  })

  it('knows the types of its input and output', () => {
    const typed = job('typed', { input: z.object({ n: z.string().transform(Number) }), run: ({ n }) => n > 1 })
    expectTypeOf(typed).toExtend<JobType<{ n: number }, boolean, { n: string }>>()
    const list: AnyJobType[] = [typed, job('plain', { run: (input: string) => input.length }), job('none', { run })]
    expect(list).toHaveLength(3)
  })

  it.each<[string, string, Record<string, unknown>, string]>([
    ['an unknown option', 'work', { run, retires: 1 }, 'Job type "work" has no field "retires"'],
    ['a misspelt option, with a hint', 'work', { run, timout: 1 }, 'Did you mean "timeout"?'],
    ['no handler', 'work', {}, 'Job type "work": run must be a function, got nothing.'],
    ['a handler that is none', 'work', { run: 'x' }, 'run must be a function, got "x"'],
    ['an input that is no schema', 'work', { run, input: {} }, 'Job type "work": input must be a schema'],
    ['an empty id', '', { run }, 'Job type id must be text'],
    [
      'a timeout of nothing',
      'work',
      { run, timeout: 0 },
      'timeout must be longer than zero; leave it out for none, got 0.',
    ],
    ['an unknown priority', 'work', { run, priority: 'high' }, 'priority must be one of HIGH, MEDIUM, LOW'],
    ['an empty queue', 'work', { run, queue: '' }, 'queue must be text'],
    ['null as its queue', 'work', { run, queue: null }, 'queue must be text'],
    ['null as its priority', 'work', { run, priority: null }, 'priority must be one of HIGH, MEDIUM, LOW, got null'],
    ['wrong retries', 'work', { run, retry: { retries: -1 } }, 'retries must be'],
  ])('is refused with %s', (_what, id, options, message) => {
    const ask = () => job(id, options as unknown as JobTypeOptions<undefined, unknown>)
    expect(refusal(ask).message).toContain(message)
  })
})

describe('a durable job type', () => {
  it('gives its handler a durable context, and knows the types of its input and output', () => {
    const typed = job('order', {
      durable: true,
      input: z.object({ n: z.string().transform(Number) }),
      run: async ({ n }, ctx) => {
        expectTypeOf(ctx).toEqualTypeOf<DurableContext>()
        return n > 1
      },
    })
    expectTypeOf(typed).toExtend<JobType<{ n: number }, boolean, { n: string }>>()
    const list: AnyJobType[] = [typed, job('plain', { durable: false, run: (_: string, context) => context.signal })]
    expect(list.map(({ isDurable }) => isDurable)).toEqual([true, false])
  })

  it('starts others with inputs of their types', () => {
    const child = job('child', { run: (input: { n: number }) => input.n })
    const none = job('none', { durable: true, run: async () => 'done' })
    job('parent', {
      durable: true,
      run: async (_: undefined, ctx) => {
        expectTypeOf(await ctx.call(child, { n: 1 })).toEqualTypeOf<number>()
        expectTypeOf(await ctx.call(none)).toEqualTypeOf<string>()
        expectTypeOf(await (await ctx.start(child, { n: 1 })).result()).toEqualTypeOf<number>()
        // @ts-expect-error: an input of another type
        await ctx.call(child, { n: 'one' })
        // @ts-expect-error: no input
        await ctx.call(child)
      },
    })
  })

  it('performs activities with inputs of their types', () => {
    const charge = activity('charge', { run: async (input: { cents: bigint }) => ({ at: new Date(), ...input }) })
    job('parent', {
      durable: true,
      run: async (_: undefined, ctx) => {
        expectTypeOf(await ctx.run(charge, { cents: 1n })).toEqualTypeOf<{ at: Date; cents: bigint }>()
        expectTypeOf(await ctx.run('once', async () => 1)).toEqualTypeOf<number>()
        expectTypeOf(await ctx.signal('paid', z.object({ id: z.string() }))).toEqualTypeOf<{ id: string }>()
        expectTypeOf(await ctx.signal<Date>('paid', undefined, { timeout: '1d' })).toEqualTypeOf<Date | null>()
        // @ts-expect-error: an input of another type
        await ctx.run(charge, { cents: 1 })
      },
    })
  })

  it('takes what any other takes', () => {
    const schedule = { trigger: cron('0 3 * * *') }
    const type = job('work', { durable: true, run, queue: 'slow', timeout: '30d', schedule, onFailure: 'tell' })
    expect(type).toMatchObject({ isDurable: true, queue: 'slow', timeoutMs: 2_592_000_000, retry: null, cache: null })
    expect([type.schedules, type.followers.length]).toEqual([[schedule], 1])
  })

  it.each<[string, Record<string, unknown>, string]>([
    ['isolate', { isolate: 'thread' }, 'Job type "work": a durable job cannot be isolated'],
    ['cache', { cache: '1h' }, 'Job type "work": a durable job has no cache'],
    ['retry', { retry: { retries: 1 } }, 'give each activity its own retry. Leave retry out.'],
    ['durable that is no boolean', { durable: 'yes' }, 'Job type "work": durable must be true or false, got "yes"'],
    ['no handler', { run: undefined }, 'Job type "work": run must be a function, got nothing.'],
  ])('is refused with %s', (_what, options, message) => {
    const ask = () => job('work', { durable: true, run, ...options } as unknown as JobTypeOptions<undefined, unknown>)
    expect(refusal(ask).message).toContain(message)
  })

  it('is not declared with options that mean nothing for it', () => {
    // @ts-expect-error: durable jobs are not retried as a whole
    expect(() => job('work', { durable: true, run, retry: { retries: 1 } })).toThrow()
    // @ts-expect-error: a batch cannot be durable
    expect(() => batchJob('work', { durable: true, size: 2, run: () => {} })).toThrow('cannot be durable')
  })
})

describe('a timeout', () => {
  it.each([
    [1, 1],
    ['90s', 90_000],
    ['30 min', 1_800_000],
  ])('%j is %i ms', (timeout, milliseconds) => {
    expect(timeoutOf(timeout)).toBe(milliseconds)
  })

  it.each([0, '0s', -1, 'never'])('is not %j', (timeout) => {
    expect(refusal(() => timeoutOf(timeout)).message).toMatch(/^timeout must be/)
  })
})

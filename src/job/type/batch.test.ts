import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { refusal } from '../../../test/harness/instants.ts'
import { type BatchJobOptions, batchJob, batchOf, outputsOf } from './batch.ts'
import { type AnyJobType, type JobContext, type JobType, job } from './job-type.ts'

const run = (inputs: readonly number[]) => inputs.map((input) => input * 2)

describe('a batch job type', () => {
  it('is a job type that takes several inputs at once', () => {
    const type = batchJob('index', { size: 100, run, queue: 'slow', timeout: '5m', cache: '1h' })
    expect(type).toMatchObject({ id: 'index', queue: 'slow', timeoutMs: 300_000, cache: { ttlMs: 3_600_000 } })
    expect(batchOf(type)).toMatchObject({ size: 100 })
    expect(Object.isFrozen(type)).toBe(true)
    expect(batchOf(job('one', { run: () => 1 }))).toBeNull()
  })

  it('runs one input by itself', async () => {
    const context = { jobType: 'index', tenant: 'acme' } as JobContext
    expect(await batchJob('index', { size: 2, run }).run(21, context)).toBe(42)
    const failing = batchJob('index', { size: 2, run: (_inputs: readonly number[]) => [new Error('no')] })
    await expect(failing.run(1, context)).rejects.toThrow('no')
    const quiet = batchJob('index', { size: 2, run: async (_inputs: readonly number[]) => {} })
    expect(await quiet.run(1, context)).toBeUndefined()
  })

  it('knows the types of one input and output', () => {
    const typed = batchJob('typed', {
      size: 10,
      input: z.object({ n: z.string().transform(Number) }),
      run: (inputs, { contexts }) => inputs.map(({ n }, at) => (contexts[at] ? n : new TypeError('no'))),
    })
    expectTypeOf(typed).toExtend<JobType<{ n: number }, number | TypeError, { n: string }>>()
    const plain = batchJob('plain', { size: 1, run: async (texts: readonly string[]) => texts.map((t) => t.length) })
    expectTypeOf(plain).toExtend<JobType<string, number>>()
    const list: AnyJobType[] = [typed, plain]
    expect(list).toHaveLength(2)
  })

  it.each<[string, unknown, string]>([
    ['no size', { run }, 'Job type "index": size must be a whole number of 1-500, got nothing.'],
    ['a size of nothing', { run, size: 0 }, 'size must be a whole number of 1-500, got 0.'],
    ['half a size', { run, size: 1.5 }, 'got 1.5.'],
    ['too large a size', { run, size: 501 }, 'got 501.'],
    ['no handler', { size: 1 }, 'Job type "index": run must be a function, got nothing.'],
    ['isolation', { size: 1, run, isolate: true }, 'a handler of several inputs cannot be isolated'],
    ['an unknown option', { size: 1, run, timout: 1 }, 'Did you mean "timeout"?'],
    ['a misspelt size', { sise: 1, run }, 'has no field "sise"; its fields are size, input, run, queue, '],
    ['no options', undefined, 'Job type "index" must be an object, got nothing.'],
    ['null', null, 'Job type "index" must be an object, got null.'],
  ])('is refused with %s', (_what, options, message) => {
    const ask = () => batchJob('index', options as BatchJobOptions<number, number>)
    expect(refusal(ask).message).toContain(message)
  })
})

describe('the outputs of a call', () => {
  it.each<[string, unknown, unknown[]]>([
    ['a list', [1, 2], [1, 2]],
    ['a list with an error', [1, new Error('no')], [1, new Error('no')]],
    ['nothing', undefined, [undefined, undefined]],
  ])('are %s', (_what, returned, outputs) => {
    expect(outputsOf(returned, 2, 'index')).toEqual(outputs)
  })

  it.each<[string, unknown, string]>([
    ['too few', [1], 'got 1.'],
    ['too many', [1, 2, 3], 'got 3.'],
    ['no list', { 0: 1, 1: 2, length: 2 }, 'got an object.'],
    ['null', null, 'got null.'],
  ])('are not %s', (_what, returned, message) => {
    expect(() => outputsOf(returned, 2, 'index')).toThrow(
      `Job type "index": run must return one output for each of its 2 inputs, in their order, or nothing; ${message}`,
    )
  })
})

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { chain } from '../../../src/job/execution/chain.ts'
import { batchJob } from '../../../src/job/type/batch.ts'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time.ts'

const at = new Date('2026-03-02T10:00:00.000Z')

/** Types that JSON lacks. */
const values = () => ({
  at,
  tags: new Set(['a', 'b']),
  rates: new Map([['BRL', 5n]]),
  bytes: new Uint8Array([1, 2, 255]),
  total: 9_007_199_254_740_993n,
  list: [Number.NaN, { at }],
  page: new URL('https://example.com/a'),
})

/** A job type that notes its inputs and returns them. */
function echo(id = 'echo') {
  const inputs: unknown[] = []
  const type = job<unknown>(id, {
    run: (input) => {
      inputs.push(input)
      return input
    },
  })
  return { inputs, type }
}

/** Inputs and outputs of jobs that are not durable, on every store. */
export function describeValues(open: () => StoreSource): void {
  let seed = 0
  /** Tests may share a store: ids differ by the seed, data by the tenant. */
  const start = (...jobs: AnyJobType[]) => {
    seed += 1
    return testPontual({ store: open(), seed, tenant: `tenant ${seed}`, jobs })
  }

  it('input and output keep their types, alone and in bulk', async () => {
    const { inputs, type } = echo()
    await using t = await start(type)
    const one = await t.app.enqueue(type, values())
    const many = await t.app.enqueueMany(type, [{ plain: 1 }, values(), at, 'text'])
    await t.settle()
    expect(inputs).toHaveLength(5)
    expect(inputs).toEqual(expect.arrayContaining([values(), at, 'text', { plain: 1 }]))
    expect(await t.app.execution(one.id)).toMatchObject({ status: 'SUCCESS', input: values(), output: values() })
    const found = await Promise.all(many.map(async ({ id }) => (await t.app.execution(id))?.output))
    expect(found).toStrictEqual([{ plain: 1 }, values(), at, 'text'])
  })

  it('the input of a schedule, and of one run in its place, keep their types', async () => {
    const { inputs, type } = echo()
    await using t = await start(type)
    const options = { name: 'hourly', trigger: cron('0 * * * *'), input: values() }
    await t.app.schedule(type, options)
    await t.advance('1h')
    const { version } = (await t.app.job('hourly'))!
    await t.app.runNow('hourly', new Map([[at, 1n]]))
    await t.settle()
    await t.app.runNow('hourly')
    await t.settle()
    expect(inputs).toStrictEqual([values(), new Map([[at, 1n]]), values()])
    expect(await t.app.schedule(type, { ...options, input: values() })).toMatchObject({ version })
    const other = await t.app.schedule(type, { ...options, input: { ...values(), at: at.toISOString() } })
    expect(other.version).toBeGreaterThan(version)
  })

  it('a step of a chain is given the output before it with its types', async () => {
    const first = echo('first')
    const second = echo('second')
    await using t = await start(first.type, second.type)
    await t.app.enqueueChain(chain(first.type, values()).next(second.type))
    await t.advance('1s')
    expect(second.inputs).toStrictEqual([values()])
  })

  it('a batch is given its inputs with their types', async () => {
    const calls: (readonly unknown[])[] = []
    const type = batchJob('index', {
      size: 2,
      run: (inputs: readonly unknown[]) => {
        calls.push(inputs)
        return inputs
      },
    })
    await using t = await start(type)
    const [{ id } = { id: '' }] = await t.app.enqueueMany(type, [values(), at])
    await t.settle()
    expect(calls).toStrictEqual([[values(), at]])
    expect((await t.app.execution(id))?.output).toStrictEqual(values())
  })

  it('a schema is checked against the types, when it is enqueued and when it runs', async () => {
    const seen: unknown[] = []
    const type = job('report', {
      input: z.object({ from: z.date(), ids: z.set(z.bigint()) }),
      run: ({ from, ids }) => void seen.push(from.getTime(), ids),
    })
    await using t = await start(type)
    const { id } = await t.app.enqueue(type, { from: at, ids: new Set([1n]) })
    await t.settle()
    expect(await t.app.execution(id)).toMatchObject({ status: 'SUCCESS' })
    expect(seen).toEqual([at.getTime(), new Set([1n])])
    await expect(t.app.enqueue('report', { from: at.toISOString(), ids: [] })).rejects.toThrow('is invalid: from: ')
  })

  describe('an idempotency key', () => {
    it('meets an input that is equal, and refuses one that differs by a type', async () => {
      const { type } = echo()
      await using t = await start(type)
      const key = { idempotencyKey: 'k' }
      const { id } = await t.app.enqueue(type, { at, total: 1n }, key)
      expect(await t.app.enqueue(type, { total: 1n, at: new Date(at) }, key)).toMatchObject({ id, isNew: false })
      for (const other of [
        { at: at.toISOString(), total: 1n },
        { at, total: 1 },
      ])
        await expect(t.app.enqueue(type, other, key)).rejects.toMatchObject({ code: 'idempotency.mismatch' })
    })
  })

  it('a cached result is used for an equal input, not for one that differs by a type', async () => {
    let runs = 0
    const type = job<unknown, unknown>('rates', { cache: '1d', run: () => ({ run: ++runs, at }) })
    await using t = await start(type)
    const outputs = []
    for (const input of [
      { at, of: new Map([['a', 1n]]) },
      { of: new Map([['a', 1n]]), at: new Date(at) },
      { at, of: [['a', '1']] },
      { at: at.toISOString(), of: new Map([['a', 1n]]) },
    ]) {
      const { id } = await t.app.enqueue(type, input)
      await t.settle()
      outputs.push((await t.app.execution(id))?.output)
    }
    expect(outputs).toEqual([1, 1, 2, 3].map((run) => ({ run, at })))
    expect(await t.app.clearCache(type, { input: { at, of: new Map([['a', 1n]]) } })).toBe(1)
  })

  it('data that only looks like a stored type is data', async () => {
    const { inputs, type } = echo()
    await using t = await start(type)
    const looksLike = [{ $: 'Date', v: at.toISOString() }, 'T{"$":"BigInt","v":"1"}', { $: 'Date', at }, 'Zabc']
    await t.app.enqueueMany(type, looksLike)
    await t.settle()
    expect(inputs).toStrictEqual(looksLike)
  })
}

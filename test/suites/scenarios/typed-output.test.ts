import { expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { job } from '../../../src/job/type/job-type.ts'
import { Processes } from './processes.ts'

const double = job('double', {
  input: z.object({ n: z.string().transform(Number) }),
  run: ({ n }) => ({ twice: 2 * n }),
})
const order = job('order', {
  durable: true,
  run: async (_input: { readonly id: number }) => await Promise.resolve('sent'),
})

it('the handle of an execution gives waitFor and execution the type of its output', async () => {
  await using all = new Processes()
  const { app } = await all.node({ jobs: [double, order] })
  const handle = await app.enqueue(double, { n: '21' })
  const waiting = app.waitFor(handle, { timeout: '1m' })
  const ended = await all.until(waiting)
  expectTypeOf(ended.output).toEqualTypeOf<{ twice: number } | undefined>()
  expect(ended.output?.twice).toBe(42)
  expect((await app.execution(handle))?.output?.twice).toBe(42)

  const durable = await app.enqueue(order, { id: 1 })
  const sent = await all.until(app.waitFor(durable))
  expectTypeOf(sent.output).toEqualTypeOf<string | undefined>()
  expect(sent.output).toBe('sent')

  const many = await app.enqueueMany(double, [{ n: '1' }, { n: '2' }])
  const outputs = await all.until(Promise.all(many.map((each) => app.waitFor(each))))
  expect(outputs.map(({ output }) => output?.twice)).toEqual([2, 4])
})

it('an id and the job type do so too; an execution of another job type is refused', async () => {
  await using all = new Processes()
  const { app } = await all.node({ jobs: [double, order] })
  const { id } = await app.enqueue('double', { n: '4' })
  const ended = await all.until(app.waitFor(id, { type: double }))
  expectTypeOf(ended.output).toEqualTypeOf<{ twice: number } | undefined>()
  expect(ended.output).toEqual({ twice: 8 })
  const found = await app.execution(id, double)
  expectTypeOf(found?.output).toEqualTypeOf<{ twice: number } | undefined>()
  await expect(app.execution(id, order)).rejects.toMatchObject({ code: 'execution.other_type' })
  await expect(app.waitFor(id, { type: order })).rejects.toThrow('is of job type "double", not "order"')
})

it('without either the output is unknown, and a wrong use does not compile', async () => {
  await using all = new Processes()
  const { app } = await all.node({ jobs: [double] })
  const untyped = await app.enqueue('double', { n: '4' })
  const ended = await all.until(app.waitFor(untyped.id))
  expectTypeOf(ended.output).toBeUnknown()
  const handle = await app.enqueue(double, { n: '4' })
  expectTypeOf(handle).toExtend<{ id: string; isNew: boolean }>()
  // @ts-expect-error the output is an object with a number
  const wrong: string | undefined = (await all.until(app.waitFor(handle))).output
  expect(wrong).toEqual({ twice: 8 })
})

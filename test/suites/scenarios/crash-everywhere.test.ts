import { expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { pglite } from '../../../src/pglite.ts'
import { crashEverywhere } from '../../../src/testing/crash-everywhere.ts'

/** Books an amount in a table of its own, in the database of the store. */
const book = job('book', {
  durable: true,
  run: async (amount: number, ctx) => {
    await ctx.transaction('book', async (tx) => {
      await tx.query('create table if not exists public.bookings (run text, amount int)')
      await tx.query('insert into public.bookings (run, amount) values ($1, $2)', [ctx.executionId, amount])
    })
    return await ctx.transaction('sum', async (tx) => {
      const text = 'select sum(amount)::int as sum from public.bookings where run = $1'
      const [row] = await tx.query<{ sum: number }>(text, [ctx.executionId])
      return row?.sum
    })
  },
})

it('a transaction of a durable job is made exactly once, wherever its node is killed', async () => {
  const store = pglite()
  const { result, points } = await crashEverywhere(book, 5, { store, play: (run) => run.advance('1 hour') })
  expect(result).toMatchObject({ status: 'SUCCESS', output: 5 })
  expect(points.filter((point) => point.includes('a transaction'))).toHaveLength(4)
  expect(points.every((point) => point.startsWith('Killed'))).toBe(true)
  await store.dispose()
}, 120_000)

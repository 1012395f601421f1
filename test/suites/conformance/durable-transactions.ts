import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { Bench, type OpenSource } from './bench.ts'
import { heldOf, item, lostAndTaken, running, settled } from './durable-entries.ts'

/** SQL that commits with the record of a durable execution: what only a store with SQL can do. */
export function describeDurableTransactions(openSource: OpenSource): void {
  describe('the transaction of a durable execution', () => {
    const bench = new Bench(openSource)
    beforeAll(async () => {
      await bench.open()
      const held = await running(bench)
      await bench.store.histories.transact(heldOf(held), async (client) => {
        await client.query('create table if not exists public.effects (id text not null)', [])
        return item(held)
      })
    })
    beforeEach(() => bench.begin())
    afterAll(() => bench.close())

    /** How often an effect is there, as a transaction of another run sees it. */
    async function countOf(id: string): Promise<number> {
      const held = await running(bench)
      let count = -1
      await bench.store.histories.transact(heldOf(held), async (client) => {
        const answer = await client.query('select count(*)::int as count from public.effects where id = $1', [id])
        const { rows } = answer as { rows: { count: number }[] }
        count = rows[0]?.count ?? -1
        return item(held)
      })
      return count
    }

    it('commits with its record', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      const written = await histories.transact(heldOf(held), async (client) => {
        await client.query('insert into public.effects values ($1)', [held.executionId])
        return item(held, settled(1, { kind: 'transaction' }))
      })
      expect(written).toMatchObject(heldOf(held))
      expect(await histories.read(held.executionId)).toHaveLength(1)
      expect(await countOf(held.executionId)).toBe(1)
    })

    it('is undone where the work throws', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      const work = histories.transact(heldOf(held), async (client) => {
        await client.query('insert into public.effects values ($1)', [held.executionId])
        throw new Error('Out of stock.')
      })
      await expect(work).rejects.toThrow('Out of stock.')
      expect(await histories.read(held.executionId)).toEqual([])
      expect(await countOf(held.executionId)).toBe(0)
    })

    it('is undone where a statement fails', async () => {
      const held = await running(bench)
      const { histories } = bench.store
      const work = histories.transact(heldOf(held), async (client) => {
        await client.query('insert into public.effects values ($1)', [held.executionId])
        await client.query('insert into public.effects values (null)', []).catch(() => {})
        return item(held, settled(1))
      })
      await expect(work).rejects.toThrow()
      expect(await histories.read(held.executionId)).toEqual([])
      expect(await countOf(held.executionId)).toBe(0)
      expect(await histories.record([item(held, settled(1))])).toEqual(['recorded'])
    })

    it('is not run for who has lost the run', async () => {
      const held = await running(bench)
      await lostAndTaken(bench)
      let isRun = false
      const written = await bench.store.histories.transact(heldOf(held), () => {
        isRun = true
        return Promise.resolve(item(held, settled(1)))
      })
      expect(written).toBeNull()
      expect(isRun).toBe(false)
    })
  })
}

import { describe, expect, it } from 'vitest'
import { encrypted } from '../../../src/store/encryption/encrypted.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { Bench } from '../conformance/bench.ts'
import { heldOf, item, running } from '../conformance/durable-entries.ts'
import { OLD } from './vault.ts'

/** What is sealed in a transaction of the caller's, over a store with SQL. */
export function describeSealedTransactions(openRaw: () => StoreSource): void {
  describe('a transaction of the caller', () => {
    async function enqueueInside(bench: Bench, payload: string, end: () => void): Promise<string> {
      const held = await running(bench)
      const wanted = bench.execution({ tenant: 'fresh', payload })
      await bench.store.histories.transact(heldOf(held), async (transaction) => {
        await bench.store.executions.enqueue([wanted], { transaction })
        end()
        return item(held)
      })
      return wanted.body.id
    }

    async function open(raw: StoreSource): Promise<Bench> {
      const bench = new Bench(() => encrypted(raw, { keys: [OLD] }))
      await bench.open()
      return bench
    }

    it('makes the first key of a tenant', async () => {
      const raw = openRaw()
      const bench = await open(raw)
      const id = await enqueueInside(bench, '"inside"', () => {})
      expect(await bench.find(id)).toMatchObject({ payload: '"inside"' })
      await bench.close()
      const other = await open(raw)
      expect(await other.find(id)).toMatchObject({ payload: '"inside"' })
      await other.close()
    })

    it('that is undone leaves no key behind that anything would be sealed with', async () => {
      const raw = openRaw()
      const bench = await open(raw)
      const fail = () => {
        throw new Error('Out of stock.')
      }
      await expect(enqueueInside(bench, '"undone"', fail)).rejects.toThrow('Out of stock.')
      expect(await bench.store.dataKeys.find(['fresh'])).toEqual([])
      const id = await bench.enqueue({ tenant: 'fresh', payload: '"kept"' })
      await bench.close()
      const other = await open(raw)
      expect(await other.find(id)).toMatchObject({ payload: '"kept"' })
      await other.close()
    })
  })
}

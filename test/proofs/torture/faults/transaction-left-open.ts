import { byHand } from './by-hand.ts'
import type { Fault } from './fault.ts'

/** Somebody has begun to look and gone for a coffee: no row that is dead since then can be cleared away. */
export const transactionLeftOpen: Fault = {
  name: 'transaction left open',
  canOverlap: true,
  async strike(stage, chance) {
    const isHeld = await byHand(stage, async (client) => {
      await client.query(
        'begin isolation level repeatable read; select count(*) from pontual.leases; select pg_current_xact_id()',
      )
      await stage.wait(chance.between(3_000, 3_000 + stage.minutes * 1_000))
      await client.query('rollback')
      return true
    })
    return isHeld ? { 'transactions left open': 1 } : {}
  },
}

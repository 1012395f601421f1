import { byHand } from './by-hand.ts'
import type { Fault } from './fault.ts'

/** What is claimed, renewed, ended and enqueued goes by these. */
const TABLES = ['leases', 'ready', 'lanes', 'executions', 'jobs', 'nodes', 'tenants', 'delayed', 'audit_heads'] as const
const WAITING = 'select count(*)::int as waiting from pg_locks where not granted'

/** Somebody holds locks for seconds on a table, or on all its rows, that every claim needs. */
export const tablesLocked: Fault = {
  name: 'tables locked',
  canOverlap: true,
  async strike(stage, chance) {
    const table = chance.pick(TABLES)
    const isWhole = chance.isIn(0.5)
    const forMs = chance.between(500, stage.leaseMs + 1_500)
    const waiting = await byHand(stage, async (client) => {
      await client.query("begin; set local lock_timeout = '3s'")
      await client.query(
        isWhole ? `lock table pontual.${table} in access exclusive mode` : `select from pontual.${table} for update`,
      )
      await stage.wait(forMs)
      const { rows } = await client.query<{ waiting: number }>(WAITING)
      await client.query('rollback')
      return rows[0]?.waiting ?? 0
    })
    // Somebody else had a lock for too long, or the server was away: nothing was locked.
    if (waiting === null) return {}
    return { [isWhole ? 'tables locked' : 'tables whose rows were locked']: 1, 'waits for a lock': waiting }
  },
}

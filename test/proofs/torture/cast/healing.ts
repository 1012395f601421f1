import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Ensemble } from './ensemble.ts'

const LOOK_MS = 500
const TOLD = 20
/** A machine may be slow; but where nothing ends for so long, nothing will. */
const STANDSTILL_MS = 45_000
const CATCH_UP_MS = 2_000

/** What has not ended, as the tables have it. */
const OPEN = `
  select lanes.job_type as "jobType", tenants.name as tenant, open.*
  from (
    select execution_id as "executionId", 'ready' as place, attempt, epoch, lane, null::timestamptz as "dueAt", null::uuid as "nodeId" from pontual.ready
    union all
    select execution_id, 'delayed', attempt, epoch, lane, due_at, null from pontual.delayed
    union all
    select execution_id, 'leases', attempt, epoch, lane, null, node_id from pontual.leases
  ) as open
  join pontual.lanes on lanes.id = open.lane
  join pontual.tenants on tenants.id = lanes.tenant_id`

export interface Healed {
  readonly seconds: number
  /** How many executions have not ended, and the first of them. */
  readonly left: number
  readonly told: readonly string[]
  /** Whether those who ask know of everything they have asked for. */
  readonly isAllKnown: boolean
}

/** Everything is well again, nothing is asked for any more, and all that was begun has to end: something within each while, and all within so long. */
export async function heal(ensemble: Ensemble, withinMs: number, interrupted: AbortSignal): Promise<Healed> {
  const { history, nodes, clientWires, server } = ensemble
  const startedAt = performance.now()
  const rest = () => Math.max(0, startedAt + withinMs - performance.now())
  history.write({ kind: 'strike', fault: 'healing', phase: 'begun' })
  for (const wire of [...nodes.map(({ wire: own }) => own), ...clientWires]) wire.set('open')
  // Before the schedules are paused somebody has to have had the time to see what they have missed.
  await Promise.race([Promise.all(nodes.map((node) => node.untilReady())), sleep(rest(), null, { ref: false })])
  await sleep(CATCH_UP_MS)
  const isAllKnown = await ensemble.finishAsking(rest())
  let open = await readOpen(server.url)
  let fewest = open.length
  let fewestAt = performance.now()
  while (open.length > 0 && rest() > 0 && performance.now() < fewestAt + STANDSTILL_MS && !interrupted.aborted) {
    await sleep(LOOK_MS)
    open = await readOpen(server.url)
    if (open.length < fewest) {
      fewest = open.length
      fewestAt = performance.now()
    }
  }
  history.write({ kind: 'strike', fault: 'healing', phase: 'healed', detail: { left: open.length } })
  const told = open.slice(0, TOLD).map((row) => JSON.stringify(row))
  return { seconds: (performance.now() - startedAt) / 1_000, left: open.length, told, isAllKnown }
}

async function readOpen(url: string): Promise<object[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<object>(OPEN)).rows
  } finally {
    await client.end()
  }
}

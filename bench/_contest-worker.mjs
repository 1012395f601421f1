import { openStage } from './_stage.mjs'
import { api } from './_workloads/api.mjs'
import { drain, fill, refill } from './_workloads/drain.mjs'
import { durable } from './_workloads/durable.mjs'
import { bulk, enqueue } from './_workloads/enqueue.mjs'
import { flood } from './_workloads/flood.mjs'
import { idle } from './_workloads/idle.mjs'
import { nodes } from './_workloads/nodes.mjs'
import { pickup } from './_workloads/pickup.mjs'
import { schedules } from './_workloads/schedules.mjs'
import { sustained } from './_workloads/sustained.mjs'
import { tenants } from './_workloads/tenants.mjs'

// One run of one contestant in a process of its own. A workload resolves to figures, or to `{ overdue }` where it gave up.
const WORKLOADS = {
  api,
  enqueue,
  bulk,
  drain,
  durable,
  fill,
  refill,
  flood,
  idle,
  nodes,
  pickup,
  schedules,
  sustained,
  tenants,
}
const { workload, ...assignment } = JSON.parse(process.argv[2])

const answer = await WORKLOADS[workload](await openStage(assignment))
process.send(answer.overdue ? answer : { figures: answer }, () => process.exit())

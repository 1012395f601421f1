import { answersLost } from './answers-lost.ts'
import { backendsTerminated } from './backends-terminated.ts'
import { blackHole } from './black-hole.ts'
import { connectionsCut } from './connections-cut.ts'
import { connectionsExhausted } from './connections-exhausted.ts'
import { diskFull } from './disk-full.ts'
import type { Fault } from './fault.ts'
import { listenersLost } from './listeners-lost.ts'
import { nodesKilled } from './nodes-killed.ts'
import { nodesRestarted } from './nodes-restarted.ts'
import { nodesStopped } from './nodes-stopped.ts'
import { outage } from './outage.ts'
import { serverFrozen } from './server-frozen.ts'
import { serverKilled } from './server-killed.ts'
import { slowNetwork } from './slow-network.ts'
import { tablesLocked } from './tables-locked.ts'
import { transactionLeftOpen } from './transaction-left-open.ts'

/** All that goes wrong in the torture. The clock of the database is not among them: nobody can set it for one server alone. */
export const FAULTS: readonly Fault[] = [
  nodesKilled,
  nodesStopped,
  nodesRestarted,
  outage,
  serverKilled,
  serverFrozen,
  connectionsCut,
  answersLost,
  blackHole,
  slowNetwork,
  listenersLost,
  backendsTerminated,
  connectionsExhausted,
  tablesLocked,
  transactionLeftOpen,
  diskFull,
]

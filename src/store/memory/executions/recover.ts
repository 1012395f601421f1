import type { Failure } from '../../../job/execution/execution.ts'
import type { Recovered, RecoverRequest } from '../../leases.ts'
import { faultJob } from '../jobs/put-jobs.ts'
import { firstOf } from '../schema/ordered-set.ts'
import type { LeaseRow, NodeRow } from '../schema/rows.ts'
import { isDurable } from '../schema/run-tables.ts'
import { byExecution, type Tables } from '../schema/tables.ts'
import { putAttempt, putResult } from './end.ts'
import { followUp } from './follow-up.ts'

const NODE_LOST: Failure = Object.freeze({
  name: 'NodeLostError',
  code: 'execution.node_lost',
  message: 'The node that ran it stopped renewing its lease.',
})

/** Takes nodes that are gone off the list, and then executions whose node is not on it. */
export function recover(tables: Tables, { silentForMs, limit, notAfter }: RecoverRequest, now: number): Recovered[] {
  if (notAfter !== undefined && now > notAfter) return []
  for (const node of tables.nodes.rows()) {
    if (isGone(node, silentForMs, now)) tables.nodes.take(node.id)
  }
  const lost = [...tables.leasesByNode.groups()].filter(([nodeId]) => !tables.nodes.has(nodeId))
  const held = lost.map(([, leases]) => leases)
  const recovered = firstOf(held, byExecution, limit).map((lease) => recoverOne(tables, lease, now))
  if (recovered.some(({ hasEnded }) => !hasEnded)) tables.hint('ready')
  const ended = recovered.filter(({ hasEnded }) => hasEnded)
  followUp(
    tables,
    ended.map(({ executionId }) => ({ id: executionId, status: 'FAILED' })),
    now,
  )
  return recovered
}

function isGone({ expiresAt, renewedAt }: NodeRow, silentForMs: number | null, now: number): boolean {
  return expiresAt <= now && (silentForMs === null || renewedAt < now - silentForMs)
}

function recoverOne(tables: Tables, lease: LeaseRow, now: number): Recovered {
  const { body, attempt, epoch, nodeId, isUnspent } = lease
  const hasEnded = attempt >= body.maxAttempts && !isDurable(body) && !isUnspent
  tables.leases.take(body.id)
  if (!isUnspent) putAttempt(tables, lease, { status: 'LOST', error: null }, now)
  if (hasEnded) {
    putResult(tables, lease, { status: 'FAILED', error: NODE_LOST }, now)
    faultJob(tables, body.jobId, body.id, now)
  } else {
    tables.ready.put({ body, attempt: isUnspent ? attempt - 1 : attempt, epoch })
  }
  const { tenant, jobId, jobType } = body
  return { executionId: body.id, epoch, tenant, jobId, jobType, nodeId, attempt, hasEnded, isUnspent }
}

import type { DelayedRow, LeaseRow } from '../../../../src/store/memory/schema/rows.ts'
import type { Commit } from '../commits.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/**
 * I7: an end is final, and there is one. I8: what was acknowledged is there. I12: never more attempts than there may be. I21: after a cancellation that was acknowledged nothing begins. I22:
 * no retry before its time.
 */
export class Ending implements Invariant {
  readonly #ended = new Map<string, string>()

  afterCommit({ changes, at, question }: Commit, evidence: Evidence): void {
    for (const change of changes) {
      if (change.table === 'results') {
        this.#noteEnd(change.key, change.after?.status ?? null, evidence)
        if (question.verb === 'leases.recover' && change.after) evidence.sometimes('what kills its nodes is given up')
      }
      if (change.table === 'leases' && change.after && !change.before) this.#noteClaim(change.after, evidence)
      if (change.table === 'delayed' && change.before && !change.after) {
        this.#noteDue(change.key, change.before, at, evidence)
      }
    }
  }

  onEffect({ executionId, kind }: Effect, { promised, sometimes }: Evidence): void {
    // Claimed before it was cancelled, by a node that has not heard of it yet.
    if (kind === 'begun' && promised.cancelled.has(executionId)) sometimes('something begins whose end is under way')
  }

  atEnd({ tables, promised }: Evidence): void {
    for (const [key, id] of promised.enqueued) {
      require(tables.executions.has(id), 'I8', () => `${key} was acknowledged as ${id}, and is gone`)
      const { tenant } = tables.executions.get(id) ?? {}
      require(key.startsWith(`${tenant} `), 'I9', () => `${key} is ${id}, which is of tenant ${tenant}`)
      require(tables.results.has(id), 'liveness', () => `${key} (${id}) has not ended: ${whereIs(tables, id)}`)
    }
    for (const body of tables.executions.rows()) {
      require(tables.results.has(body.id), 'liveness', () => `${body.id} has not ended: ${whereIs(tables, body.id)}`)
    }
    for (const id of promised.cancelled.keys()) {
      const status = tables.results.get(id)?.status
      require(status === 'CANCELLED', 'I21', () => `${id} was cancelled, and ended as ${status}`)
    }
  }

  #noteEnd(id: string, status: string | null, evidence: Evidence): void {
    const before = this.#ended.get(id)
    require(status !== null, 'I7', () => `the end of ${id} is gone`)
    require(before === undefined, 'I7', () => `${id} ended as ${before}, and then as ${status}`)
    this.#ended.set(id, status)
    evidence.sometimes(`an execution ends as ${status}`)
  }

  #noteClaim({ body, attempt }: LeaseRow, { promised, sometimes }: Evidence): void {
    require(!this.#ended.has(body.id), 'I7', () => `${body.id} is claimed after its end`)
    require(!promised.cancelled.has(body.id), 'I21', () => `${body.id} is claimed after it was cancelled`)
    if (body.options?.durable) return
    if (attempt > 1) sometimes('an execution is tried again')
    require(attempt <= body.maxAttempts, 'I12', () => `attempt ${attempt} of ${body.maxAttempts} of ${body.id}`)
  }

  #noteDue(id: string, { dueAt, awaits, isParked, divergence }: DelayedRow, at: number, { tables }: Evidence): void {
    // What stands behind others waits for them, and a run for whatever comes for it.
    if (awaits !== undefined || isParked || divergence || !tables.ready.has(id)) return
    require(dueAt <= at, 'I22', () => `${id} was due ${dueAt - at} ms later`)
  }
}

function whereIs(tables: Evidence['tables'], id: string): string {
  const lease = tables.leases.get(id)
  if (lease) return `held by ${lease.nodeId} in attempt ${lease.attempt}`
  const delayed = tables.delayed.get(id)
  if (delayed)
    return `due at ${delayed.dueAt}${delayed.isParked ? ', parked' : ''}${delayed.divergence ? `, DIVERGED: ${delayed.divergence.message}` : ''}`
  return tables.ready.has(id) ? 'ready' : 'nowhere'
}

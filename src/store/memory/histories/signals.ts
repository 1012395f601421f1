import type { NewSignal, SignalAnswer } from '../../histories.ts'
import { isDurable, type RunSignals } from '../schema/run-tables.ts'
import type { Tables } from '../schema/tables.ts'

/** Keeps signals for runs that have not ended, and wakes those. */
export function signal(tables: Tables, signals: readonly NewSignal[], now: number): SignalAnswer[] {
  const woken = new Set<string>()
  const answers = signals.map((each) => {
    const refusal = refusalOf(tables, each)
    if (refusal) return refusal
    keep(tables, each, now)
    woken.add(each.executionId)
    return 'sent'
  })
  wake(tables, woken)
  return answers
}

/** Why a signal is not kept; `sent` where it was before. */
function refusalOf(tables: Tables, { executionId, idempotencyKey }: NewSignal): SignalAnswer | null {
  const body = tables.executions.get(executionId)
  if (!body) return 'unknown'
  if (!isDurable(body)) return 'notDurable'
  if (idempotencyKey !== null && tables.runs.signals.get(executionId)?.keys.has(idempotencyKey)) return 'sent'
  return tables.results.has(executionId) ? 'final' : null
}

function keep(tables: Tables, { executionId, name, payload, idempotencyKey }: NewSignal, now: number): void {
  const { signals } = tables.runs
  const { waiting, keys } = signals.get(executionId) ?? emptied(signals, executionId)
  const id = tables.runs.nextSignalId()
  waiting.set(id, Object.freeze({ id, name, payload, sentAt: now }))
  if (idempotencyKey !== null) keys.add(idempotencyKey)
}

function emptied(signals: Map<string, RunSignals>, executionId: string): RunSignals {
  const none: RunSignals = { waiting: new Map(), keys: new Set() }
  signals.set(executionId, none)
  return none
}

/** Something has come for runs: those that wait are ready again, those that run are marked. One that is DIVERGED waits for other code, and for nothing else. */
export function wake(tables: Tables, ids: Iterable<string>): void {
  const readyBefore = tables.ready.size
  let isAnyMarked = false
  for (const id of ids) {
    const lease = tables.leases.get(id)
    const delayed = tables.delayed.get(id)
    if (lease && isDurable(lease.body)) {
      tables.leases.put({ ...lease, hasNews: true })
      isAnyMarked = true
    } else if (delayed?.isParked) {
      makeReady(tables, id)
    }
  }
  if (tables.ready.size > readyBefore) tables.hint('ready')
  if (isAnyMarked) tables.hint('news')
}

/** Moves an execution that is delayed, for whatever reason, to those that may be claimed. */
export function makeReady(tables: Tables, id: string): void {
  const row = tables.delayed.take(id)
  if (!row) return
  const { body, attempt, epoch } = row
  tables.ready.put({ body, attempt, epoch })
}

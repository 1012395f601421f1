import type { Divergence } from '../../../src/job/activity/divergence.ts'
import type { NewEntry } from '../../../src/job/activity/history.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { RecordItem } from '../../../src/store/histories.ts'
import type { ClaimedExecution, Held } from '../../../src/store/leases.ts'
import { type Bench, LEASE_MS } from './bench.ts'

export const ABSENT = '00000000-0000-7000-8000-000000000000'

type Changes = Parameters<Bench['execution']>[0]
type Running = ClaimedExecution & { readonly nodeId: string }

/** A durable execution. */
export function run(bench: Bench, change: Changes = {}): NewExecution {
  return bench.execution({ ...change, options: { durable: true, ...change?.options } })
}

/** Makes a durable execution, and a node that holds it. */
export async function running(bench: Bench, change: Changes = {}): Promise<Running> {
  return await bench.running({ ...change, options: { durable: true, ...change?.options } })
}

/** An activity under way. */
export function begun(sequence: number, change: Partial<NewEntry> = {}): NewEntry {
  return {
    sequence,
    kind: 'activity',
    name: `step-${sequence}`,
    status: 'RUNNING',
    position: null,
    calls: sequence,
    attempt: 1,
    input: null,
    output: null,
    error: null,
    details: null,
    childId: null,
    startedAt: 1_000,
    dueAt: null,
    endedAt: null,
    ...change,
  }
}

/** An activity that is done. */
export function settled(sequence: number, change: Partial<NewEntry> = {}): NewEntry {
  return begun(sequence, {
    status: 'COMPLETED',
    position: sequence,
    output: `"${sequence}"`,
    endedAt: 2_000,
    ...change,
  })
}

export function item({ executionId, epoch }: Held, ...entries: readonly NewEntry[]): RecordItem {
  return { executionId, epoch, entries }
}

export function heldOf({ executionId, epoch }: Held): Held {
  return { executionId, epoch }
}

export const MISMATCH: Divergence = {
  reason: 'mismatch',
  message: 'Call 2 is recorded as activity "a", but the code called activity "b".',
  sequence: 2,
  recorded: { kind: 'activity', name: 'a' },
  called: { kind: 'activity', name: 'b' },
}

export const NO_PROGRESS: Divergence = { reason: 'noProgress', message: 'Lost 3 times.', attempts: 3 }

/** Loses whatever nodes hold now, and takes one of it up again. */
export async function lostAndTaken(bench: Bench): Promise<Running> {
  bench.advance(LEASE_MS + 1)
  await bench.store.leases.recover({ silentForMs: null, limit: 99 })
  return await taken(bench)
}

/** Takes up one that is ready. */
export async function taken(bench: Bench): Promise<Running> {
  const nodeId = await bench.node()
  return { ...(await bench.claimOne(nodeId)), nodeId }
}

import type { LoadedRun, RunNews } from '../../histories.ts'
import type { Held } from '../../leases.ts'
import { leaseOf } from '../executions/held.ts'
import type { Tables } from '../schema/tables.ts'
import { endsOf } from './children.ts'

/** What has come for a run, where it is held; from here on it is known. */
export function newsOf(tables: Tables, held: Held): RunNews | null {
  const lease = leaseOf(tables, held)
  if (!lease) return null
  const { executionId, epoch } = held
  if (lease.hasNews) tables.leases.put({ ...lease, hasNews: false })
  return {
    executionId,
    epoch,
    signals: [...(tables.runs.signals.get(executionId)?.waiting.values() ?? [])],
    children: endsOf(tables, executionId),
    cancellation: tables.runs.cancellations.get(executionId) ?? null,
  }
}

/** All that is known of a run, where it is held, for one who follows its history. */
export function load(tables: Tables, held: Held): LoadedRun | null {
  const news = newsOf(tables, held)
  if (!news) return null
  const { executionId, epoch } = held
  const { replays } = tables.runs
  replays.set(executionId, (replays.get(executionId) ?? new Set()).add(epoch))
  return {
    ...news,
    entries: tables.runs.entriesOf(executionId).map(({ entry }) => entry),
    lostSinceProgress: lostSinceProgress(tables, held),
  }
}

function lostSinceProgress(tables: Tables, { executionId, epoch }: Held): number {
  let progressed = 0
  for (const row of tables.runs.entries.get(executionId)?.values() ?? []) {
    const isSettled = row.entry.position !== null || row.entry.kind === 'input'
    if (isSettled && row.epoch > progressed) progressed = row.epoch
  }
  const attempts = tables.attempts.get(executionId) ?? []
  const lost = new Set(attempts.filter(({ record }) => record.status === 'LOST').map((attempt) => attempt.epoch))
  let before = epoch - 1
  while (before > progressed && lost.has(before)) before -= 1
  return epoch - 1 - before
}

/** Whether a run had begun before, and was not lost since. */
export function isGoingOn(tables: Tables, { executionId, epoch }: Held): boolean {
  const { entries, replays } = tables.runs
  const written = [...(entries.get(executionId)?.values() ?? [])].map((row) => row.epoch)
  const begun = [...written, ...(replays.get(executionId) ?? [])].filter((each) => each > 0 && each < epoch)
  const attempts = tables.attempts.get(executionId) ?? []
  const lost = attempts.filter(({ record }) => record.status === 'LOST').map((attempt) => attempt.epoch)
  return begun.some((each) => lost.every((at) => at < each))
}

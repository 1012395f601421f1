import type { FinalStatus } from '../../../job/execution/execution.ts'
import type { MeasureQuery, Measures } from '../../executions.ts'
import { latenessOf } from '../../lateness.ts'
import { compareIds, inOrderOf } from '../schema/compare.ts'
import type { ResultRow } from '../schema/rows.ts'
import { byExecution, type Tables } from '../schema/tables.ts'
import { mean } from './statistics.ts'

/** What is measured of the newest executions that have ended, and of what runs. */
export function readMeasures(tables: Tables, { tenant, since, limit }: MeasureQuery, now: number): Measures {
  const isWanted = (owner: string) => tenant === null || owner === tenant
  const ended = [...tables.resultsByEnd.ascending(({ finishedAt }) => finishedAt < since)]
    .filter(({ body }) => isWanted(body.tenant))
    .toSorted((a, b) => byExecution(b, a))
    .slice(0, Math.max(0, limit))
  const oldest = ended.length >= limit ? ended.reduce((at, row) => Math.min(at, wantedAt(row)), now) : since
  const measuredSince = Math.max(since, ended.length === 0 ? since : oldest)
  const count = (status: FinalStatus) => ended.filter((row) => row.status === status).length
  const running = [...tables.leases.rows()].filter(({ body }) => isWanted(body.tenant))
  const spans = [
    ...ended.flatMap((row) => spansOf(tables, row)),
    ...running.map(({ claimedAt }) => ({ from: Math.max(claimedAt, measuredSince), to: now })),
  ]
  return {
    now,
    measuredSince,
    succeeded: count('SUCCESS'),
    failed: count('FAILED'),
    timedOut: count('TIMEOUT'),
    cancelled: count('CANCELLED'),
    retried: ended.filter(({ attempt }) => attempt > 1).length,
    consecutiveFailures: consecutiveFailures(ended),
    meanDurationMs: mean(ended.flatMap(durationsOf)),
    meanQueueMs: mean(ended.flatMap((row) => queuedOf(tables, row))),
    busyMs: spans.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, since)), 0),
    lateness: latenessOf(ended.flatMap((row) => latenessesOf(tables, row))),
  }
}

interface Span {
  readonly from: number
  readonly to: number
}

/** When attempts of an execution held a slot. */
function spansOf(tables: Tables, { startedAt, finishedAt, body, epoch }: ResultRow): Span[] {
  const earlier = earlierAttempts(tables, body.id, epoch)
  const last = startedAt === null ? [] : [{ from: startedAt, to: finishedAt }]
  return [...earlier.map(({ record }) => ({ from: record.startedAt, to: record.endedAt ?? record.startedAt })), ...last]
}

/** A last attempt that was lost stands among them as well. */
function earlierAttempts(tables: Tables, id: string, epoch: number) {
  return (tables.attempts.get(id) ?? []).filter((attempt) => attempt.epoch < epoch)
}

/** None where it ended without running. */
export function durationsOf({ startedAt, finishedAt }: ResultRow): number[] {
  return startedAt === null ? [] : [finishedAt - startedAt]
}

export function queuedOf(tables: Tables, row: ResultRow): number[] {
  if (row.startedAt === null) return []
  return [Math.max(0, Math.min(row.startedAt, firstStepAt(tables, row)) - wantedAt(row))]
}

/** When a durable execution began with its first step, however often it has waited since; what was copied is none of its own. */
function firstStepAt(tables: Tables, { body, epoch: last }: ResultRow): number {
  if (last <= 1) return Number.POSITIVE_INFINITY
  const own = [...(tables.runs.entries.get(body.id)?.values() ?? [])].filter(({ epoch }) => epoch > 0)
  const [first] = own.toSorted((one, other) => one.entry.sequence - other.entry.sequence)
  return first?.entry.startedAt ?? Number.POSITIVE_INFINITY
}

/** When it was created, or due. */
export function wantedAt({ body }: Pick<ResultRow, 'body'>): number {
  return Math.max(body.createdAt, body.scheduledAt ?? body.createdAt)
}

export const byEnd = inOrderOf<ResultRow>(
  (a, b) => a.finishedAt - b.finishedAt,
  (a, b) => compareIds(a.body.id, b.body.id),
)

function consecutiveFailures(ended: readonly ResultRow[]): number {
  const told = ended.filter(({ status }) => status !== 'CANCELLED').toSorted(byEnd)
  return told.length - 1 - told.findLastIndex(({ status }) => status === 'SUCCESS')
}

export function latenessesOf(tables: Tables, row: ResultRow): number[] {
  const { startedAt, body, epoch } = row
  if (body.origin !== 'schedule' || body.scheduledAt === null) return []
  const firstAt = earlierAttempts(tables, body.id, epoch)[0]?.record.startedAt ?? startedAt
  return firstAt === null ? [] : [Math.max(0, Math.min(firstAt, firstStepAt(tables, row)) - body.scheduledAt)]
}

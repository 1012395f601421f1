import type { ExecutionBody, ExecutionStatus } from '../../../job/execution/execution.ts'
import type { Job } from '../../../job/job.ts'
import { firesNow } from '../../../job/job-status.ts'
import type { StoredCalendar } from '../../calendars.ts'
import type { Hint } from '../../store.ts'
import { ArchiveTables } from './archive-tables.ts'
import { AuditLog } from './audit-log.ts'
import { compareIds, compareText, inOrderOf } from './compare.ts'
import type { ExecutionLog } from './execution-log.ts'
import { OrderedSet } from './ordered-set.ts'
import type {
  AttemptRow,
  CacheRow,
  DelayedRow,
  LeaseRow,
  LinkRow,
  MissedRow,
  NodeRow,
  OccurrenceRow,
  RateRow,
  ReadyRow,
  ResultRow,
} from './rows.ts'
import { isDurable, RunTables } from './run-tables.ts'
import { ServiceTables } from './service-tables.ts'
import { GroupedIndex, keyOf, Table, where } from './table.ts'
import { TenantFlags, TenantLimits } from './tenant-tables.ts'

/** What stands before every statement; a simulation lets others go first here, or throws. */
export type Turn = () => Promise<void>

export const byExecution = (a: Pick<ReadyRow, 'body'>, b: Pick<ReadyRow, 'body'>): number =>
  compareIds(a.body.id, b.body.id)
const jobOf = ({ body }: ReadyRow): string | null => body.jobId

const byLink = inOrderOf<LinkRow>(
  (a, b) => compareIds(a.successorId, b.successorId),
  (a, b) => a.place - b.place,
)

/**
 * The data of a source, as PostgreSQL's tables and indexes hold it, shared by all who open it. Status is where an execution stands: its
 * body is in `executions` for good, and it is in exactly one of `ready`, `delayed`, `leases` and `results`.
 */
export class Tables {
  readonly turn: Turn
  readonly #listeners = new Set<(hint: Hint) => void>()

  readonly jobsInOrder = new OrderedSet<Job>(
    inOrderOf<Job>(
      (a, b) => compareText(a.tenant, b.tenant),
      (a, b) => compareText(a.name, b.name),
      (a, b) => compareIds(a.id, b.id),
    ),
  )
  /** Jobs that hold their name. */
  readonly jobsByName = new GroupedIndex<Job>(
    (job) => (job.status === 'DELETED' ? null : keyOf(job.tenant, job.name)),
    (a, b) => compareIds(a.id, b.id),
  )
  /** Jobs that fire by themselves, the next one first. */
  readonly jobsByFireTime = new OrderedSet<Job>(
    inOrderOf<Job>(
      (a, b) => (a.schedule.nextFireAt ?? 0) - (b.schedule.nextFireAt ?? 0),
      (a, b) => compareIds(a.id, b.id),
    ),
  )
  /** Those whose pause ends by itself, the next one first. */
  readonly jobsByPauseEnd = new OrderedSet<Job>(
    inOrderOf<Job>(
      (a, b) => (a.pausedUntil ?? 0) - (b.pausedUntil ?? 0),
      (a, b) => compareIds(a.id, b.id),
    ),
  )
  readonly jobs = new Table<Job>(
    (job) => job.id,
    [
      this.jobsInOrder,
      this.jobsByName,
      where((job) => firesNow(job) && job.schedule.nextFireAt !== null, this.jobsByFireTime),
      where((job) => job.status === 'PAUSED' && job.pausedUntil !== null, this.jobsByPauseEnd),
    ],
  )

  readonly calendars = new Table<StoredCalendar>((calendar) => keyOf(calendar.tenant, calendar.name))
  readonly tenants = new TenantLimits()
  readonly flags = new TenantFlags()
  readonly nodes = new Table<NodeRow>((node) => node.id)

  readonly executionsInOrder = new OrderedSet<ExecutionBody>((a, b) => compareIds(a.id, b.id))
  readonly executionsByJob = new GroupedIndex<ExecutionBody>(
    (body) => body.jobId,
    (a, b) => compareIds(a.id, b.id),
  )
  readonly executions = new Table<ExecutionBody>((body) => body.id, [this.executionsInOrder, this.executionsByJob])
  /** Idempotency keys and the executions that have them. */
  readonly idempotencyKeys = new Map<string, string>()

  /** What a node may take or not, whose it is and how urgent: all of a group have the same tenant, queue, job type and priority. */
  readonly lanes = new GroupedIndex<ReadyRow>(laneOf, byExecution)
  /** Those that wait for their first attempt. */
  readonly freshByJob = new GroupedIndex<ReadyRow>((row) => (row.epoch === 0 ? row.body.jobId : null), byExecution)
  readonly readyByJob = new GroupedIndex<ReadyRow>(jobOf, byExecution)
  /** Durable ones that have begun. */
  readonly begunByJob = new GroupedIndex<ReadyRow>((row) => (isBegun(row) ? row.body.jobId : null), byExecution)
  readonly ready = new Table<ReadyRow>(
    (row) => row.body.id,
    [this.lanes, this.freshByJob, this.readyByJob, this.begunByJob],
  )

  readonly delayedByDueTime = new OrderedSet<DelayedRow>(
    inOrderOf<DelayedRow>((a, b) => a.dueAt - b.dueAt, byExecution),
  )
  readonly delayedByJob = new GroupedIndex<DelayedRow>(jobOf, byExecution)
  readonly parkedByJob = new GroupedIndex<DelayedRow>((row) => (row.isParked ? row.body.jobId : null), byExecution)
  /** Those that are not QUEUED. */
  readonly delayedByStatus = new GroupedIndex<DelayedRow>((row) => {
    const status = delayedStatus(row)
    return status === 'QUEUED' ? null : status
  }, byExecution)
  readonly delayed = new Table<DelayedRow>(
    (row) => row.body.id,
    [
      where((row) => row.awaits === undefined && row.dueAt < Number.POSITIVE_INFINITY, this.delayedByDueTime),
      this.delayedByJob,
      this.parkedByJob,
      this.delayedByStatus,
    ],
  )

  readonly linksByPredecessor = new GroupedIndex<LinkRow>((row) => row.predecessorId, byLink)
  readonly linksBySuccessor = new GroupedIndex<LinkRow>((row) => row.successorId, byLink)
  readonly links = new Table<LinkRow>(
    (row) => keyOf(row.successorId, row.place),
    [this.linksByPredecessor, this.linksBySuccessor],
  )

  readonly leasesByNode = new GroupedIndex<LeaseRow>((row) => row.nodeId, byExecution)
  /** Those in their first attempt. */
  readonly firstLeasesByJob = new GroupedIndex<LeaseRow>(
    (row) => (row.epoch === 1 ? row.body.jobId : null),
    byExecution,
  )
  readonly leasesByTenant = new GroupedIndex<LeaseRow>((row) => row.body.tenant, byExecution)
  readonly leasesByJob = new GroupedIndex<LeaseRow>(jobOf, byExecution)
  readonly leases = new Table<LeaseRow>(
    (row) => row.body.id,
    [this.leasesByNode, this.firstLeasesByJob, this.leasesByJob, this.leasesByTenant],
  )

  readonly resultsByEnd = new OrderedSet<ResultRow>(
    inOrderOf<ResultRow>((a, b) => a.finishedAt - b.finishedAt, byExecution),
  )
  readonly results = new Table<ResultRow>((row) => row.body.id, [this.resultsByEnd])
  /** By execution, in the order of their epochs. */
  readonly attempts = new Map<string, AttemptRow[]>()
  readonly logs = new Map<string, ExecutionLog>()
  readonly runs = new RunTables()
  readonly service = new ServiceTables()
  readonly archive = new ArchiveTables()
  readonly audit = new AuditLog(this.archive.anchors)

  readonly cachedByExpiry = new OrderedSet<CacheRow>(
    inOrderOf<CacheRow>(
      (a, b) => a.expiresAt - b.expiresAt,
      (a, b) => compareText(a.tenant, b.tenant),
      (a, b) => compareText(a.jobType, b.jobType),
      (a, b) => compareText(a.hash, b.hash),
    ),
  )
  readonly cached = new Table<CacheRow>(
    ({ tenant, jobType, hash }) => keyOf(tenant, jobType, hash),
    [this.cachedByExpiry],
  )

  readonly rates = new Table<RateRow>((row) => row.key)

  readonly occurrencesByJob = new GroupedIndex<OccurrenceRow>(
    (row) => row.jobId,
    (a, b) => a.scheduledAt - b.scheduledAt,
  )
  readonly occurrences = new Table<OccurrenceRow>((row) => keyOf(row.jobId, row.scheduledAt), [this.occurrencesByJob])
  readonly missedByJob = new GroupedIndex<MissedRow>(
    (row) => row.jobId,
    inOrderOf<MissedRow>(
      (a, b) => a.from - b.from,
      (a, b) => a.to - b.to,
      (a, b) => compareIds(a.decision, b.decision),
      (a, b) => compareIds(a.cause, b.cause),
    ),
  )

  constructor(turn: Turn) {
    this.turn = turn
  }

  /** Tells whoever listens, after the statement that made the news is over. */
  hint(hint: Hint): void {
    for (const listener of this.#listeners) {
      queueMicrotask(() => {
        if (this.#listeners.has(listener)) listener(hint)
      })
    }
  }

  listen(onHint: (hint: Hint) => void): () => void {
    // Each call listens by itself, also where two hand in the same function.
    const listener = (hint: Hint) => onHint(hint)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** What one waits for that is not ready: its time alone, others, something inside of it, or other code. */
export function delayedStatus({ awaits, isParked, divergence }: DelayedRow): ExecutionStatus {
  if (divergence) return 'DIVERGED'
  return awaits !== undefined || isParked ? 'WAITING' : 'QUEUED'
}

/** Whether something of a durable execution may have been done. */
export function isBegun({ epoch, body }: ReadyRow): boolean {
  return epoch > 0 && isDurable(body)
}

/** A job that limits how many of it run has lanes of its own. */
function laneOf({ body }: ReadyRow): string {
  const { tenant, queue, jobType, priority, jobId, options } = body
  return keyOf(tenant, queue, jobType, priority, options?.concurrency === undefined ? '' : (jobId ?? ''))
}

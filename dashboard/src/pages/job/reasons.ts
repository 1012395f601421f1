import type { ExecutionView, JobTypeView, JobView, WorkersView } from '../../api/wire.ts'

/** Why a job does not run, or does not run now. */
export type ReasonCode =
  | 'deleted'
  | 'disabled'
  | 'pendingApproval'
  | 'paused'
  | 'pausedUntil'
  | 'faulted'
  | 'suspended'
  | 'neverAgain'
  | 'typeUnknown'
  | 'noNodes'
  | 'queueUnserved'
  | 'retryWaits'
  | 'cap'
  | 'busy'
  | 'overlapSkips'
  | 'overlapWaits'
  | 'lastFailed'
  | 'madeUp'
  | 'calendar'
  | 'fine'

export interface Reason {
  readonly code: ReasonCode
  /** `bad` keeps it from running, `warn` delays or changes something, `info` is only to be known. */
  readonly tone: 'bad' | 'warn' | 'info' | 'good'
  readonly execution?: ExecutionView | undefined
}

interface Known {
  readonly job: Pick<JobView, 'status' | 'isSuspended' | 'pausedUntil' | 'nextExecution' | 'calendar' | 'overlap'>
  /** The newest first. */
  readonly executions: readonly ExecutionView[]
  readonly type: Pick<JobTypeView, 'isKnown' | 'queue'> | undefined
  readonly workers: WorkersView | undefined
}

/** All that is known about why a job does not run, what decides first; `fine` where nothing is in its way. */
export function reasonsOf({ job, executions, type, workers }: Known): readonly Reason[] {
  if (job.status === 'DELETED') return [{ code: 'deleted', tone: 'bad' }]
  const failed = executions.find(({ status }) => status === 'FAILED' || status === 'TIMEOUT')
  const held = heldBy(job, failed)
  const reasons: Reason[] = held === null ? [] : [held]
  if (job.isSuspended) reasons.push({ code: 'suspended', tone: 'bad' })
  if (held === null && job.nextExecution === null) reasons.push({ code: 'neverAgain', tone: 'warn' })
  reasons.push(...unserved(type, workers), ...waiting(executions, workers), ...overlapping(job, executions))
  const stops = reasons.length > 0
  const last = executions.find(({ completedAt }) => completedAt !== null)
  if (last !== undefined && last === failed && held?.code !== 'faulted') {
    reasons.push({ code: 'lastFailed', tone: 'warn', execution: last })
  }
  const late = executions.find(({ misfire }) => misfire !== null)
  if (late) reasons.push({ code: 'madeUp', tone: 'info', execution: late })
  if (job.calendar !== null) reasons.push({ code: 'calendar', tone: 'info' })
  return stops ? reasons : [{ code: 'fine', tone: 'good' }, ...reasons]
}

function heldBy({ status, pausedUntil }: Known['job'], failed: ExecutionView | undefined): Reason | null {
  switch (status) {
    case 'DISABLED':
      return { code: 'disabled', tone: 'bad' }
    case 'PENDING_APPROVAL':
      return { code: 'pendingApproval', tone: 'bad' }
    case 'PAUSED':
      return { code: pausedUntil === null ? 'paused' : 'pausedUntil', tone: 'bad' }
    case 'FAULTED':
      return { code: 'faulted', tone: 'bad', execution: failed }
    case 'ACTIVE':
    case 'APPROVED':
    case 'DELETED':
      return null
  }
}

/** Whether there is nobody who could run it. */
function unserved(type: Known['type'], workers: WorkersView | undefined): readonly Reason[] {
  if (workers === undefined) return []
  const alive = workers.nodes.filter(({ isAlive }) => isAlive)
  if (alive.length === 0) return [{ code: 'noNodes', tone: 'bad' }]
  if (type?.isKnown === false) return [{ code: 'typeUnknown', tone: 'bad' }]
  const queue = type?.queue ?? null
  const isServed = queue === null || alive.some(({ queues }) => queues.length === 0 || queues.includes(queue))
  return isServed ? [] : [{ code: 'queueUnserved', tone: 'bad' }]
}

/** Why what stands in the queue is not begun. */
function waiting(executions: readonly ExecutionView[], workers: WorkersView | undefined): readonly Reason[] {
  const execution = executions.find(({ status }) => status === 'QUEUED')
  if (!execution) return []
  if (execution.nextRetryAt !== null) return [{ code: 'retryWaits', tone: 'warn', execution }]
  if (workers === undefined) return []
  if (workers.cap !== null && workers.running >= workers.cap) return [{ code: 'cap', tone: 'warn', execution }]
  const alive = workers.nodes.filter(({ isAlive }) => isAlive)
  const isBusy = alive.length > 0 && alive.every(({ running, slots }) => running >= slots)
  return isBusy ? [{ code: 'busy', tone: 'warn', execution }] : []
}

/** While one runs, the job's own rule may keep others from it. */
function overlapping({ overlap }: Known['job'], executions: readonly ExecutionView[]): readonly Reason[] {
  const execution = executions.find(({ status }) => status === 'RUNNING' || status === 'WAITING')
  if (!execution || overlap === 'allow' || overlap === 'replace') return []
  if (overlap === 'skip') return [{ code: 'overlapSkips', tone: 'warn', execution }]
  const running = executions.filter(({ status }) => status === 'RUNNING' || status === 'WAITING').length
  const isFull = overlap === 'queue' || running >= overlap.atMost
  return isFull ? [{ code: 'overlapWaits', tone: 'warn', execution }] : []
}

import { PontualError } from '../errors.ts'
import type { FaultRule } from './job-definition.ts'

/** Where a job stands: ACTIVE and APPROVED ones fire by themselves. */
export type JobStatus = 'ACTIVE' | 'PAUSED' | 'DISABLED' | 'FAULTED' | 'PENDING_APPROVAL' | 'APPROVED' | 'DELETED'

export const JOB_STATUSES: readonly JobStatus[] = Object.freeze<JobStatus[]>([
  'ACTIVE',
  'PAUSED',
  'DISABLED',
  'FAULTED',
  'PENDING_APPROVAL',
  'APPROVED',
  'DELETED',
])

/** What someone may ask of a job. */
export type JobVerb = 'pause' | 'resume' | 'execute' | 'approve' | 'reject' | 'update' | 'disable' | 'enable' | 'delete'

/** Which verbs a status takes; any other is a conflict. */
const VERBS: Readonly<Record<JobStatus, readonly JobVerb[]>> = {
  ACTIVE: ['pause', 'execute', 'update', 'disable', 'delete'],
  APPROVED: ['pause', 'execute', 'update', 'disable', 'delete'],
  PAUSED: ['resume', 'execute', 'update', 'disable', 'delete'],
  PENDING_APPROVAL: ['approve', 'reject', 'update', 'disable', 'delete'],
  FAULTED: ['pause', 'resume', 'execute', 'update', 'disable', 'delete'],
  DISABLED: ['update', 'enable', 'delete'],
  DELETED: [],
}

/** Statuses in which a job fires by itself. */
const FIRING_STATUSES: readonly JobStatus[] = Object.freeze<JobStatus[]>(['ACTIVE', 'APPROVED'])

export function fires(status: JobStatus): boolean {
  return FIRING_STATUSES.includes(status)
}

/** Why a job is FAULTED that an execution has faulted. */
export function faultReason(executionId: string): string {
  return `Execution ${executionId} has failed for good.`
}

const FAULT_REASON = /^Execution .* has failed for good\.$/

interface Fireable {
  readonly status: JobStatus
  readonly statusReason: string | null
  readonly definition: { readonly onFault: FaultRule }
}

/** Whether a job fires by itself now. One that an execution has faulted continues if its rule says so; one that can't be decided about does not. */
export function firesNow({ status, statusReason, definition }: Fireable): boolean {
  if (status !== 'FAULTED') return fires(status)
  return definition.onFault === 'continue' && FAULT_REASON.test(statusReason ?? '')
}

/** A job's status does not allow what was asked. */
export class JobConflictError extends PontualError {}

/** Whether a job in this status takes the verb; if not, it is a conflict. */
export function allowsVerb(status: JobStatus, verb: JobVerb): boolean {
  return VERBS[status].includes(verb)
}

export function requireVerb(job: { readonly name: string; readonly status: JobStatus }, verb: JobVerb): void {
  if (allowsVerb(job.status, verb)) return
  const accepted = JOB_STATUSES.filter((status) => allowsVerb(status, verb))
  throw new JobConflictError(
    'job.status_conflict',
    `Job "${job.name}" is ${job.status}; ${verb} needs ${accepted.join(' or ')}.`,
    { job: job.name, status: job.status, verb, accepted },
  )
}

import { InvalidInputError } from '../../errors.ts'
import { isSamePayload } from '../../job/execution/payload.ts'
import type { Job, JobDefinition } from '../../job/job.ts'
import { type DetailFields, detailsIn } from '../../job/job-fields.ts'
import { fires, firesNow, JobConflictError, requireVerb } from '../../job/job-status.ts'
import { resumeWithCatchUp, skipPast } from '../firing/missed-occurrences.ts'
import type { Author } from './audit.ts'
import { audited } from './audit.ts'
import type { ChangeDeps } from './change-job.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { firstSchedule } from './create-job.ts'
import { hashDefinition } from './hash-definition.ts'
import {
  decidedBy,
  freeStatus,
  isApproved,
  isSensitive as isSensitiveNow,
  isSensitiveType,
  type LifecycleDeps,
  type Standing,
  standing,
  touched,
} from './status-fields.ts'

/** What a job shall be from now on. */
export interface Redefinition extends Pick<Job, 'name' | 'definition' | 'details' | 'origin'> {
  /** It was DISABLED because the code had lost it, and is back. */
  readonly isRevived?: boolean | undefined
}

/**
 * How a job becomes another one. An edit ends a fault, and leaves a pause; a sensitive job waits for a new yes. Other times count from now: nothing of the
 * past fires, and that is recorded.
 */
export async function redefinedJob(
  deps: ChangeDeps,
  before: Job,
  { isRevived = false, ...after }: Redefinition,
  by: Author,
): Promise<JobDecision> {
  const { store, time } = deps
  const now = time.now()
  const isNewTiming = !isSameTiming(before.definition, after.definition)
  const schedule = isNewTiming ? await firstSchedule(deps, { ...after, tenant: before.tenant }, now) : before.schedule
  const details = isNewWork(before, after) ? decidedBy(after.details, by) : touched(after.details, by)
  const redefined = { ...after, details }
  const changed = changeOf(before, { ...redefined, ...standingAfter(before, redefined, isRevived), schedule })
  const change = audited(changed, before, 'JOBS_JOB_UPDATE', by)
  const isBack = !firesNow(before) && fires(change.job.status)
  if (!isNewTiming) return isBack ? await resumeWithCatchUp(deps, before, change, now) : { change }
  return {
    change: {
      ...change,
      expectedNextFireAt: before.schedule.nextFireAt,
      ledger: await skipPast(store, before, now),
    },
  }
}

function isNewWork(before: Job, after: Redefinition): boolean {
  return (
    before.details.isSensitive !== after.details.isSensitive ||
    hashDefinition(before.name, before.definition) !== hashDefinition(after.name, after.definition)
  )
}

/** Where an edit leaves a job; nothing where that is as it was. */
function standingAfter(before: Job, after: Redefinition, isRevived: boolean): Partial<Standing> {
  if (before.status === 'DISABLED' && !isRevived) return {}
  const job = { ...before, ...after }
  // One that needs no yes from now on needs one to that.
  const needsYes = before.details.isSensitive || after.details.isSensitive
  if (before.status === 'PENDING_APPROVAL' || (needsYes && !isApproved(job))) return standing('PENDING_APPROVAL')
  if (before.status === 'FAULTED') return standing(freeStatus(job))
  if (!isRevived) return {}
  if (before.resumeStatus !== 'PAUSED') return standing(freeStatus(job))
  return { status: 'PAUSED', resumeStatus: freeStatus(job), statusReason: null }
}

/** Field by field: the order in which a store keeps them says nothing. */
export function isSameDefinition(a: JobDefinition, b: JobDefinition): boolean {
  return isSamePayload(JSON.stringify(a), JSON.stringify(b))
}

/** Whether both are due at the same times. */
function isSameTiming(a: JobDefinition, b: JobDefinition): boolean {
  return a.calendar === b.calendar && isSamePayload(JSON.stringify(a.trigger), JSON.stringify(b.trigger))
}

/** What somebody wants to be otherwise; absent: as it is. */
export interface JobEdit extends Partial<DetailFields> {
  readonly name?: string | undefined
  readonly definition?: JobDefinition | undefined
  readonly isSensitive?: boolean | undefined
}

/**
 * How a job is changed over the API; null where it is that already. Whatever changes what would run, its name and whether it is sensitive included, takes
 * the yes away that it had. To need no yes any more needs one as well.
 */
export async function editedJob(deps: LifecycleDeps, job: Job, edit: JobEdit, by: Author): Promise<JobDecision | null> {
  requireVerb(job, 'update')
  const { name = job.name, isSensitive = isSensitiveNow(deps, job) } = edit
  // Whose code declares it is nothing an operator decides.
  const definition = { ...(edit.definition ?? job.definition), declaredBy: job.definition.declaredBy }
  if (!isSensitive) refuseForSensitiveType(deps, definition.jobType)
  if (!isSensitive && job.details.isSensitive && job.status === 'DISABLED') throw nobodyAsked(job)
  if (name !== job.name && job.origin === 'code') throw declaredInCode(job)
  const details = { ...job.details, ...detailsIn(edit), isSensitive, declared: declaredOf(job, definition) }
  const isSameWork =
    name === job.name && isSensitive === job.details.isSensitive && isSameDefinition(definition, job.definition)
  if (!isSameWork) return await redefinedJob(deps, job, { name, definition, details, origin: job.origin }, by)
  const change = changeOf(job, { details: touched(details, by) })
  const told = audited(change, job, 'JOBS_JOB_UPDATE', by)
  return told.audit === undefined ? null : { change: told }
}

/** What the code says of a job that an edit makes differ from it. */
function declaredOf({ origin, definition, details }: Job, edited: JobDefinition): JobDefinition | null {
  if (origin !== 'code') return null
  const declared = details.declared ?? definition
  return isSameDefinition(declared, edited) ? null : declared
}

function refuseForSensitiveType(deps: LifecycleDeps, jobType: string): void {
  if (!isSensitiveType(deps, jobType)) return
  const message = `Jobs of job type "${jobType}" always need a second person's approval; that cannot be switched off.`
  throw new InvalidInputError('job.always_sensitive', message, { jobType })
}

/** A disabled job waits for nobody's yes, so that nobody could say it to this. */
function nobodyAsked({ name, status }: Job): JobConflictError {
  const message = `Job "${name}" is ${status}; that it needs no approval any more can be asked for once it is enabled.`
  return new JobConflictError('job.status_conflict', message, {
    case: 'nobodyAsked',
    job: name,
    status,
    verb: 'update',
  })
}

function declaredInCode({ name }: Job): JobConflictError {
  const message = `Job "${name}" is declared in code, which knows it by its name; it cannot be renamed.`
  return new JobConflictError('job.declared_in_code', message, { job: name })
}

/** How a job becomes again what the code declares; null where it is. */
export async function resetJob(deps: LifecycleDeps, job: Job, by: Author): Promise<JobDecision | null> {
  requireVerb(job, 'update')
  const { name, origin, details } = job
  if (details.declared === null) return null
  const after = { name, origin, definition: details.declared, details: { ...details, declared: null } }
  return await redefinedJob(deps, job, after, by)
}

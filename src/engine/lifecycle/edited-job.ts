import { InvalidInputError } from '../../errors.ts'
import type { Job, JobDefinition } from '../../job/job.ts'
import { JobConflictError, requireVerb } from '../../job/job-status.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { redefinedJob } from './redefined-job.ts'
import { isSameDefinition } from './same-definition.ts'
import { isSensitive as isSensitiveNow, touched } from './standing.ts'
import { isSensitiveType, type LifecycleSurroundings } from './surroundings.ts'

/** What somebody wants to be otherwise; absent: as it is. */
export interface JobEdit {
  readonly name?: string | undefined
  readonly definition?: JobDefinition | undefined
  readonly description?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  readonly isSensitive?: boolean | undefined
}

/**
 * How a job is changed over the API; null where it is that already. Whatever changes what would run, its name and whether it is sensitive included, takes
 * the yes away that it had. To need no yes any more needs one as well.
 */
export async function editedJob(
  around: LifecycleSurroundings,
  job: Job,
  edit: JobEdit,
  by: Author,
): Promise<JobDecision | null> {
  requireVerb(job, 'update')
  const { name = job.name, description = job.details.description, tags = job.details.tags } = edit
  const { isSensitive = isSensitiveNow(around, job) } = edit
  // Whose code declares it is nothing an operator decides.
  const definition = { ...(edit.definition ?? job.definition), declaredBy: job.definition.declaredBy }
  if (!isSensitive) refuseForSensitiveType(around, definition.jobType)
  if (!isSensitive && job.details.isSensitive && job.status === 'DISABLED') throw nobodyAsked(job)
  if (name !== job.name && job.origin === 'code') throw declaredInCode(job)
  const details = { ...job.details, description, tags, isSensitive, declared: declaredOf(job, definition) }
  const isSameWork =
    name === job.name && isSensitive === job.details.isSensitive && isSameDefinition(definition, job.definition)
  if (!isSameWork) return await redefinedJob(around, job, { name, definition, details, origin: job.origin }, by)
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

function refuseForSensitiveType(around: LifecycleSurroundings, jobType: string): void {
  if (!isSensitiveType(around, jobType)) return
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

import { InvalidInputError } from '../../errors.ts'
import {
  type CronOverrideRecord,
  type Job,
  type JobDefinition,
  type JobOrigin,
  type JobSchedule,
  NO_DETAILS,
} from '../../job/job.ts'
import { type DetailFields, detailsIn } from '../../job/job-fields.ts'
import { formatInstant } from '../../time/instant.ts'
import { initialState } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import type { Trigger } from '../../time/triggers/trigger.ts'
import { loadCalendars, scheduleOf } from '../firing/fire-job.ts'
import { type Author, audited } from './audit.ts'
import { type ChangeDeps, changeJob, type JobDecision, nameTaken } from './change-job.ts'
import { decidedBy, isSensitiveType, type LifecycleDeps, standing } from './status-fields.ts'

export interface CreateRequest extends Partial<DetailFields> {
  /** Default: a new one. */
  readonly id?: string | undefined
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
  /** Whether it needs a second person's yes; it does anyway where its job type is sensitive. Default false. */
  readonly isSensitive?: boolean | undefined
  /** Default `runtime`. */
  readonly origin?: JobOrigin | undefined
  /** What the configuration says about its cron. Default: nothing. */
  readonly override?: CronOverrideRecord | null | undefined
}

/** How a job begins: a sensitive one waits for a second person's yes. */
export async function createdJob(deps: LifecycleDeps, request: CreateRequest, by: Author): Promise<JobDecision> {
  const { env, time } = deps
  const { tenant, name, definition, origin = 'runtime', override = null } = request
  const now = time.now()
  const isSensitive = (request.isSensitive ?? false) || isSensitiveType(deps, definition.jobType)
  const job: Job = {
    id: request.id ?? env.uuid(now),
    tenant,
    name,
    ...standing(isSensitive ? 'PENDING_APPROVAL' : 'ACTIVE'),
    origin,
    definition,
    details: decidedBy({ ...NO_DETAILS, ...detailsIn(request), isSensitive, override, createdBy: by.userId }, by),
    schedule: await firstSchedule(deps, request, now),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return { change: audited({ job, expectedVersion: null, ledger: [] }, null, 'JOBS_JOB_CREATE', by) }
}

/** Creates a job. One with the id asked for was made by this very request before, and is given as it is. Throws where the name is taken. */
export async function createJob(deps: LifecycleDeps, request: CreateRequest, by: Author): Promise<Job> {
  const { store } = deps
  const { id, tenant, name } = request
  let isFirst = true
  const read = async () => {
    // Most names are free: only who was refused looks who has it.
    if (isFirst) {
      isFirst = false
      return null
    }
    const [made] = id === undefined ? [] : await store.jobs.find([id])
    return made ?? (await store.jobs.findByName(tenant, [name]))[0] ?? null
  }
  return await changeJob<Job | null>(deps, name, read, (existing) => {
    if (existing && existing.id !== id) throw nameTaken(name)
    return existing ? null : createdJob(deps, request, by)
  })
}

interface Timed {
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
}

/** The schedule of a job that begins now. Throws where the job would never fire, or names a calendar that does not exist. */
export async function firstSchedule({ store }: ChangeDeps, job: Timed, now: number): Promise<JobSchedule> {
  const { tenant, name, definition } = job
  const trigger = triggerFrom(definition.trigger)
  const calendarOf = await loadCalendars(store, [{ tenant, calendar: definition.calendar }])
  const state = initialState(trigger, now, calendarOf({ tenant, name }, definition.calendar))
  if (state.nextFireAt === null) throw neverFires(job, trigger, now)
  return scheduleOf(state)
}

/** A trigger whose fire times are all past has become impossible; one that has none is a mistake. */
function neverFires({ name, definition }: Timed, trigger: Trigger, now: number): InvalidInputError {
  const hasNext = trigger.next(now) !== null
  const at = hasNext ? null : trigger.previous(now + 1)
  if (at !== null) {
    const message = `Job "${name}" cannot run at ${formatInstant(at)}, which is past; it is ${formatInstant(now)} now.`
    return new InvalidInputError('job.in_past', message, { job: name, at, now })
  }
  const { calendar } = definition
  const reason = hasNext ? `calendar "${calendar}" excludes all of its fire times` : 'its trigger has no fire time'
  const details = { job: name, ...(hasNext ? { calendar } : {}), trigger: definition.trigger }
  return new InvalidInputError('job.never_fires', `Job "${name}" would never fire: ${reason}.`, details)
}

import type { Job, JobDefinition, JobOrigin } from '../../job/job.ts'
import { type CronOverrideRecord, NO_DETAILS } from '../../job/job-details.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeJob, type JobDecision, nameTaken } from './change-job.ts'
import { decidedBy, standing } from './standing.ts'
import { isSensitiveType, type LifecycleSurroundings } from './surroundings.ts'
import { firstSchedule } from './timing.ts'

export interface CreateRequest {
  /** Default: a new one. */
  readonly id?: string | undefined
  readonly tenant: string
  readonly name: string
  readonly definition: JobDefinition
  readonly description?: string | null | undefined
  readonly tags?: readonly string[] | undefined
  /** Whether it needs a second person's yes; it does anyway where its job type is sensitive. Default false. */
  readonly isSensitive?: boolean | undefined
  /** Default `runtime`. */
  readonly origin?: JobOrigin | undefined
  /** What the configuration says about its cron. Default: nothing. */
  readonly override?: CronOverrideRecord | null | undefined
}

/** How a job begins: a sensitive one waits for a second person's yes. */
export async function createdJob(
  around: LifecycleSurroundings,
  request: CreateRequest,
  by: Author,
): Promise<JobDecision> {
  const { env, time } = around
  const { tenant, name, definition, description = null, tags = [], origin = 'runtime', override = null } = request
  const now = time.now()
  const isSensitive = (request.isSensitive ?? false) || isSensitiveType(around, definition.jobType)
  const job: Job = {
    id: request.id ?? env.uuid(now),
    tenant,
    name,
    ...standing(isSensitive ? 'PENDING_APPROVAL' : 'ACTIVE'),
    origin,
    definition,
    details: decidedBy({ ...NO_DETAILS, description, tags, isSensitive, override, createdBy: by.userId }, by),
    schedule: await firstSchedule(around, request, now),
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  return { change: audited({ job, expectedVersion: null, ledger: [] }, null, 'JOBS_JOB_CREATE', by) }
}

/** Creates a job. One with the id asked for was made by this very request before, and is given as it is. Throws where the name is taken. */
export async function createJob(around: LifecycleSurroundings, request: CreateRequest, by: Author): Promise<Job> {
  const { store } = around
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
  return await changeJob<Job | null>(around, name, read, (existing) => {
    if (existing && existing.id !== id) throw nameTaken(name)
    return existing ? null : createdJob(around, request, by)
  })
}

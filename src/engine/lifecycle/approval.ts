import { requireApprover } from '../../access/approval.ts'
import type { Job } from '../../job/job.ts'
import { JobConflictError, requireVerb } from '../../job/job-status.ts'
import type { Logger } from '../../logger.ts'
import { everyJob } from '../../store/jobs.ts'
import { formatInstant } from '../../time/instant.ts'
import { resumeFromNow } from '../firing/missed-occurrences.ts'
import type { Author } from './audit.ts'
import { audited } from './audit.ts'
import type { ChangeDeps } from './change-job.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { withdrawnJob } from './change-status.ts'
import { hashDefinition } from './hash-definition.ts'
import type { LifecycleDeps } from './status-fields.ts'
import { reasonText, standing, touched } from './status-fields.ts'

export interface ApproveRequest {
  readonly comment: string | null
  /** Whether the tenant lets its people approve what they scheduled themselves. */
  readonly allowsSelfApproval: boolean
}

/**
 * How a job gets a second person's yes to exactly what it would run. It goes on from now; what it missed while it waited is skipped, and nothing of it is fired before
 * the yes is stored. Whoever carries it out uses `asFirstSeen`: the yes is to what was there when it was asked for.
 */
export async function approvedJob(
  deps: ChangeDeps,
  job: Job,
  request: ApproveRequest,
  by: Author,
): Promise<JobDecision> {
  requireVerb(job, 'approve')
  requireApprover(by.persons, job.details, request.allowsSelfApproval)
  const comment = reasonText(request.comment)
  const at = deps.time.now()
  const hash = hashDefinition(job.name, job.definition)
  const { isSensitive } = job.details
  const approved = changeOf(job, {
    // A yes to a job that is to need none any more is the last one.
    ...standing(isSensitive ? 'APPROVED' : 'ACTIVE'),
    details: {
      ...job.details,
      updatedBy: by.userId,
      authors: [],
      approval: { by: by.userId ?? by.persons[0] ?? '', at, hash, comment },
    },
  })
  const facts = { approvedBy: by.userId, approvedAt: formatInstant(at), definitionHash: hash, comment }
  return await resumeFromNow(deps.store, job, audited(approved, job, 'JOBS_JOB_APPROVE', by, facts), at)
}

interface RejectRequest {
  readonly reason: string
}

/** How a job gets a no: it is DISABLED, and needs a yes as before. Whoever scheduled it may take it back himself in this way. */
export function rejectedJob(job: Job, { reason }: RejectRequest, by: Author): JobDecision {
  requireVerb(job, 'reject')
  const change = changeOf(job, {
    ...standing('DISABLED', reasonText(reason)),
    details: { ...touched(job.details, by), isSensitive: true, approval: null },
  })
  return { change: audited(change, job, 'JOBS_JOB_REJECT', by) }
}

/** Decides about a job only as it was when it was first read: who says yes or no to something means what was there then. */
export function asFirstSeen(
  decide: (job: Job) => Promise<JobDecision> | JobDecision,
): (job: Job) => Promise<JobDecision> {
  let version: number | null = null
  return async (job) => {
    version ??= job.version
    if (job.version === version) return await decide(job)
    const message = `Job "${job.name}" was changed by somebody else at the same time; look at it again.`
    throw new JobConflictError('job.changed_meanwhile', message, { job: job.name, status: job.status })
  }
}

/** Jobs that were created before their job type became sensitive, or by an application that does not know it is, wait for an approval from now on. */
export async function withdrawUnapproved(deps: LifecycleDeps & { readonly logger: Logger }): Promise<void> {
  const { store, types, logger } = deps
  for (const { id: jobType, isSensitive } of types.values()) {
    if (!isSensitive) continue
    for await (const job of everyJob(store.jobs, { jobType })) {
      // A disabled job, or one that waits for an approval, is checked when it is to run.
      if (job.details.isSensitive || job.status === 'DISABLED' || job.status === 'PENDING_APPROVAL') continue
      const [result] = await store.jobs.put([withdrawnJob(job).change])
      if (result === 'stored') logger.warn('A job waits for approval, as its job type is sensitive', { job: job.name })
    }
  }
}

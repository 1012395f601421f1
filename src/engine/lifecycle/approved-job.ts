import { requireApprover } from '../../access/approval.ts'
import type { Job } from '../../job/job.ts'
import { requireVerb } from '../../job/job-status.ts'
import { formatInstant } from '../../time/instant.ts'
import { letGo } from '../firing/missed-occurrences.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { hashDefinition } from './hash-definition.ts'
import { reasonText } from './reason.ts'
import { standing } from './standing.ts'

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
  around: ScheduleSurroundings,
  job: Job,
  request: ApproveRequest,
  by: Author,
): Promise<JobDecision> {
  requireVerb(job, 'approve')
  requireApprover(by.persons, job.details, request.allowsSelfApproval)
  const comment = reasonText(request.comment)
  const at = around.time.now()
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
  return await letGo(around.store, job, audited(approved, job, 'JOBS_JOB_APPROVE', by, facts), at)
}

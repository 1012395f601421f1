import { requirePermission } from '../../../access/principal.ts'
import { approvedJob, asFirstSeen, rejectedJob } from '../../../engine/lifecycle/approval.ts'
import { changeJob, type JobDecision } from '../../../engine/lifecycle/change-job.ts'
import { pausedJob, resumedJob } from '../../../engine/lifecycle/change-status.ts'
import type { Job } from '../../../job/job.ts'
import { StaleVersionError } from '../../errors.ts'
import type { JobView } from '../../job-view.ts'
import { ownJob } from '../../owned.ts'
import type { ApproveOptions, ChangeOptions, PauseOptions, RejectOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { readInstant, readReason, requireReason } from '../../sent-values.ts'
import { viewDefaults, viewOfJob } from '../fields/describe-job.ts'

/** Decides about a job of the tenant as it is, and stores that; anew where somebody else was quicker. null: leave it. */
export async function changeOwnJob(
  scope: Scope,
  id: string,
  { expectedVersion }: ChangeOptions,
  decide: (job: Job) => Promise<JobDecision | null> | JobDecision | null,
): Promise<JobView> {
  const job = await changeJob(
    scope.around,
    id,
    () => ownJob(scope, id),
    (found) => {
      requireVersion(found, expectedVersion)
      return decide(found)
    },
  )
  scope.opened.changed()
  return viewOfJob(job, await viewDefaults(scope))
}

/** Throws unless a job is of the version that somebody saw. */
export function requireVersion(job: Job, expected: number | undefined): void {
  if (expected === undefined || expected === job.version) return
  const message = `Job "${job.name}" was changed since: it is of version ${job.version}, not ${expected}. Read it again.`
  throw new StaleVersionError('stale_version', message, {
    kind: 'job',
    name: job.name,
    version: job.version,
    expected,
  })
}

/** Stops a job from firing by itself, until somebody resumes it or an instant has come. */
export async function pauseJob(scope: Scope, id: string, options: PauseOptions): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:pause')
  const reason = readReason(options.reason, 'reason')
  const until = options.until === null ? null : readInstant(options.until, 'until')
  return await changeOwnJob(scope, id, {}, (job) => pausedJob(scope.around, job, { reason, until }, scope.by))
}

/** Lets a paused or faulted job fire again, from now on. */
export async function resumeJob(scope: Scope, id: string): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:pause')
  return await changeOwnJob(scope, id, {}, (job) => resumedJob(scope.around, job, scope.by))
}

/** A second person's yes to what a sensitive job would run. */
export async function approveJob(scope: Scope, id: string, options: ApproveOptions): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:approve', 'jobs:execute')
  const comment = readReason(options.comment, 'comment')
  const { allowsSelfApproval } = (await scope.settings()).settings
  const decide = asFirstSeen((job) => approvedJob(scope.around, job, { comment, allowsSelfApproval }, scope.by))
  return await changeOwnJob(scope, id, options, decide)
}

/** The no. */
export async function rejectJob(scope: Scope, id: string, options: RejectOptions): Promise<JobView> {
  requirePermission(scope.principal, 'jobs:approve', 'jobs:execute')
  const reason = requireReason(options.reason, 'reason')
  const decide = asFirstSeen((job) => rejectedJob(job, { reason }, scope.by))
  return await changeOwnJob(scope, id, options, decide)
}

import { requirePermission } from '../../../access/principal.ts'
import { approvedJob } from '../../../engine/lifecycle/approved-job.ts'
import { asFirstSeen } from '../../../engine/lifecycle/as-first-seen.ts'
import { rejectedJob } from '../../../engine/lifecycle/rejected-job.ts'
import type { JobView } from '../../job-view.ts'
import type { ApproveOptions, RejectOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { readReason, requireReason } from '../../sent-values.ts'
import { changeOwnJob } from './change-job.ts'

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

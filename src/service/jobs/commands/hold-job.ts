import { requirePermission } from '../../../access/principal.ts'
import { pausedJob } from '../../../engine/lifecycle/paused-job.ts'
import { resumedJob } from '../../../engine/lifecycle/resumed-job.ts'
import type { JobView } from '../../job-view.ts'
import type { PauseOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { readInstant, readReason } from '../../sent-values.ts'
import { changeOwnJob } from './change-job.ts'

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

import { changeJob, type JobDecision } from '../../../engine/lifecycle/change-job.ts'
import type { Job } from '../../../job/job.ts'
import { StaleVersionError } from '../../errors.ts'
import type { JobView } from '../../job-view.ts'
import { ownJob } from '../../owned.ts'
import type { ChangeOptions } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
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

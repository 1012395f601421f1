import { heldJob, pausedJob } from '../../engine/lifecycle/change-status.ts'
import type { Job } from '../../job/job.ts'
import type { JobStatus } from '../../job/job-status.ts'
import { changeOwnJob } from '../jobs/commands/change-job.ts'
import type { Scope } from '../scope.ts'

const PAGE = 1_000
/** Those that fire by themselves, or will: also once a pause has ended. */
const FIRING: readonly JobStatus[] = ['ACTIVE', 'APPROVED', 'FAULTED', 'PAUSED']
const REASON = 'The API key that scheduled it was revoked.'

/**
 * Pauses the jobs whose schedule is a key's that was revoked: nobody answers for them any more. Who resumes one answers for it from then on. Each is recorded,
 * and told to whoever is told of failures.
 */
export async function pauseOrphans(scope: Scope, keyId: string): Promise<void> {
  const { tenant, store, around, by } = scope
  const scheduledBy = `key:${keyId}`
  for (const { id } of await jobsOf(scope, scheduledBy)) {
    let isPaused = false
    const { name } = await changeOwnJob(scope, id, {}, (job) => {
      isPaused = isOrphan(job, scheduledBy)
      if (!isPaused) return null
      if (job.status === 'PAUSED') return heldJob(around, job, REASON, by)
      return pausedJob(around, job, { reason: REASON, until: null }, by)
    })
    if (!isPaused) continue
    const facts = { jobId: id, job: name, scheduledBy, reason: 'keyRevoked' }
    const event = {
      id: `schedule.refused:${keyId}:${id}`,
      tenant,
      kind: 'schedule.refused',
      at: scope.now(),
      facts,
    } as const
    await store.notifications.post([event])
  }
}

async function jobsOf({ store, tenant }: Scope, scheduledBy: string): Promise<Job[]> {
  const found: Job[] = []
  let last: Job | undefined
  do {
    const page = await store.jobs.list({
      tenant,
      statuses: FIRING,
      limit: PAGE,
      after: last && { tenant, name: last.name },
    })
    found.push(...page.filter((job) => isOrphan(job, scheduledBy)))
    last = page.length < PAGE ? undefined : page.at(-1)
  } while (last)
  return found
}

function isOrphan({ status, pausedUntil, details }: Job, scheduledBy: string): boolean {
  if (details.scheduledBy !== scheduledBy) return false
  // A pause that somebody has to end is his who ends it.
  return status === 'PAUSED' ? pausedUntil !== null : FIRING.includes(status)
}

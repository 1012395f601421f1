import type { Job } from '../../job/job.ts'
import { fires, firesNow } from '../../job/job-status.ts'
import { broughtBack, takenAway } from '../firing/missed-occurrences.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { audited } from './audit-values.ts'
import type { Author } from './author.ts'
import { changeOf, type JobDecision } from './change-job.ts'
import { hashDefinition } from './hash-definition.ts'
import { isSameTiming } from './same-definition.ts'
import { decidedBy, freeStatus, isApproved, type Standing, standing, touched } from './standing.ts'
import { firstSchedule } from './timing.ts'

/** What a job shall be from now on. */
export interface Redefinition extends Pick<Job, 'name' | 'definition' | 'details' | 'origin'> {
  /** It was DISABLED because the code had lost it, and is back. */
  readonly isRevived?: boolean | undefined
}

/**
 * How a job becomes another one. An edit ends a fault, and leaves a pause; a sensitive job waits for a new yes. Other times count from now: nothing of the
 * past fires, and that is recorded.
 */
export async function redefinedJob(
  around: ScheduleSurroundings,
  before: Job,
  { isRevived = false, ...after }: Redefinition,
  by: Author,
): Promise<JobDecision> {
  const { store, time } = around
  const now = time.now()
  const isNewTiming = !isSameTiming(before.definition, after.definition)
  const schedule = isNewTiming ? await firstSchedule(around, { ...after, tenant: before.tenant }, now) : before.schedule
  const details = isNewWork(before, after) ? decidedBy(after.details, by) : touched(after.details, by)
  const redefined = { ...after, details }
  const changed = changeOf(before, { ...redefined, ...standingAfter(before, redefined, isRevived), schedule })
  const change = audited(changed, before, 'JOBS_JOB_UPDATE', by)
  const isBack = !firesNow(before) && fires(change.job.status)
  if (!isNewTiming) return isBack ? await broughtBack(around, before, change, now) : { change }
  return {
    change: {
      ...change,
      expectedNextFireAt: before.schedule.nextFireAt,
      ledger: await takenAway(store, before, now),
    },
  }
}

function isNewWork(before: Job, after: Redefinition): boolean {
  return (
    before.details.isSensitive !== after.details.isSensitive ||
    hashDefinition(before.name, before.definition) !== hashDefinition(after.name, after.definition)
  )
}

/** Where an edit leaves a job; nothing where that is as it was. */
function standingAfter(before: Job, after: Redefinition, isRevived: boolean): Partial<Standing> {
  if (before.status === 'DISABLED' && !isRevived) return {}
  const job = { ...before, ...after }
  // One that needs no yes from now on needs one to that.
  const needsYes = before.details.isSensitive || after.details.isSensitive
  if (before.status === 'PENDING_APPROVAL' || (needsYes && !isApproved(job))) return standing('PENDING_APPROVAL')
  if (before.status === 'FAULTED') return standing(freeStatus(job))
  if (!isRevived) return {}
  if (before.resumeStatus !== 'PAUSED') return standing(freeStatus(job))
  return { status: 'PAUSED', resumeStatus: freeStatus(job), statusReason: null }
}

import { PontualError } from '../../errors.ts'
import type { Job } from '../../job/job.ts'
import { StoreUnavailableError } from '../../store/unavailable.ts'
import type { ScheduleSurroundings } from '../firing/schedule-surroundings.ts'
import { NOBODY } from './author.ts'
import { changeJob, type JobDecision } from './change-job.ts'
import { faultedJob } from './faulted-job.ts'
import { resumedJob } from './resumed-job.ts'

/** Lets a job go on whose pause was to end by now, if it still is that. */
export async function endPause(around: ScheduleSurroundings, { id, name }: Job, now: number): Promise<void> {
  const read = async () => (await around.store.jobs.find([id]))[0] ?? null
  if (!(await read())) return
  await changeJob(around, name, read, (job) => {
    const isOver = job?.status === 'PAUSED' && job.pausedUntil !== null && job.pausedUntil <= now
    return isOver ? resumedOrFaulted(around, job) : null
  })
}

/** One that cannot be resumed, such as one whose calendar is gone, must not be tried for ever. */
async function resumedOrFaulted(around: ScheduleSurroundings, job: Job): Promise<JobDecision> {
  try {
    return await resumedJob(around, job, NOBODY)
  } catch (error) {
    if (!(error instanceof PontualError) || error instanceof StoreUnavailableError) throw error
    return faultedJob(job, error.message)
  }
}

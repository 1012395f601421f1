import type { Store } from '../store/store.ts'
import type { Telemetry } from './telemetry.ts'

export interface FailedForGood {
  readonly executionId: string
  readonly jobId: string
  readonly error: string
}

/** Tells that a job has stopped, if an execution that failed for good has stopped it: a job may also be set to go on. */
export async function tellFaulted(store: Store, telemetry: Telemetry, failed: FailedForGood): Promise<void> {
  const [job] = await store.jobs.find([failed.jobId])
  if (job?.status === 'FAULTED') telemetry.tell('job.faulted', { ...failed, job: job.name, tenant: job.tenant })
}

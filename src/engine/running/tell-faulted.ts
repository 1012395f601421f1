import { faultReason } from '../../job/job-status.ts'
import type { Store } from '../../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'

export interface FailedForGood {
  readonly executionId: string
  readonly jobId: string
  readonly error: string
}

/** Emits `job.faulted` if it is this execution that has faulted its job: once, however many fail while the job is FAULTED. */
export async function tellFaulted(store: Store, telemetry: Telemetry, failed: FailedForGood): Promise<void> {
  const [job] = await store.jobs.find([failed.jobId])
  if (job?.status === 'FAULTED' && job.statusReason === faultReason(failed.executionId)) {
    telemetry.tell('job.faulted', { ...failed, job: job.name, tenant: job.tenant })
  }
}

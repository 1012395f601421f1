import { requireWholeProfile } from '../../../access/principal.ts'
import { unreadableCode } from '../../../job/execution/unreadable.ts'
import type { RevealedPayload } from '../../job-view.ts'
import { ownJob } from '../../owned.ts'
import type { Scope } from '../../scope.ts'
import { wireValue } from '../../wire-value.ts'

/** The payload of a job with what others are not shown. That somebody has seen it is recorded before he does. */
export async function revealPayload(scope: Scope, id: string): Promise<RevealedPayload> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store, by } = scope
  const job = await ownJob(scope, id)
  await store.audit.append([
    {
      tenant,
      operation: 'JOBS_JOB_REVEAL',
      userId: by.userId,
      jobId: job.id,
      executionId: null,
      oldValues: null,
      newValues: null,
    },
  ])
  const payloadError = unreadableCode(job.definition.payload)
  return { payload: wireValue(job.definition.payload), ...(payloadError && { payloadError }) }
}

import type { ExecutionBody } from '../../../job/execution/execution.ts'
import type { Tables } from '../schema/tables.ts'

/** Posts the notification of an execution that failed for good, in the statement that records the failure. */
export function tellFailure(tables: Tables, { id, tenant, jobId }: ExecutionBody, now: number): void {
  const facts = { jobId, executionId: id }
  tables.service.notifications.post([{ id, tenant, kind: 'job.failed', at: now, facts }])
}

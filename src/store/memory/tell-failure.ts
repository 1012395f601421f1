import type { ExecutionBody } from '../../job/execution.ts'
import type { Tables } from './tables.ts'

/** What is told of an execution of a job that has failed for good, in the statement in which it has. */
export function tellFailure(tables: Tables, { id, tenant, jobId }: ExecutionBody, now: number): void {
  const facts = { jobId, executionId: id }
  tables.service.notifications.post([{ id, tenant, kind: 'job.failed', at: now, facts }])
}

import { compareIds } from '../schema/compare.ts'
import type { ResultRow } from '../schema/rows.ts'
import type { Tables } from '../schema/tables.ts'
import { figureKey } from './alert-tables.ts'

/** Opens the alerts of jobs of which an execution has failed, and closes those of jobs whose last end is a success. */
export function followJobs({ service: { alerts } }: Tables, ends: readonly ResultRow[]): void {
  const lastOf = new Map<string, ResultRow>()
  for (const row of ends.toSorted((a, b) => compareIds(a.body.id, b.body.id))) {
    const { id, jobId, tenant } = row.body
    if (jobId === null || row.status === 'CANCELLED') continue
    lastOf.set(jobId, row)
    const rule = alerts.rules.get(figureKey({ tenant, scope: 'tenant', kind: 'jobFailed' }))
    if (row.status === 'SUCCESS' || alerts.openOfJob.has(jobId) || rule?.isEnabled === false) continue
    alerts.open({
      id,
      tenant,
      scope: 'tenant',
      kind: 'jobFailed',
      jobId,
      executionId: id,
      value: null,
      threshold: null,
      since: row.finishedAt,
      openedAt: row.finishedAt,
      closedAt: null,
      outcome: null,
    })
  }
  for (const [jobId, { status, finishedAt }] of lastOf) {
    const open = alerts.openOfJob.get(jobId)
    if (open !== undefined && status === 'SUCCESS') alerts.close(open, finishedAt, 'recovered')
  }
}

import { requirePermission } from '../../access/principal.ts'
import { HOUR_MS } from '../../duration.ts'
import { namesOfJobs } from '../job-names.ts'
import type { FailuresQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import type { FailuresView } from './figure-views.ts'
import { groupFailures } from './group-failures.ts'

/** So many of the latest are looked at; more would tell the same. */
const LOOKED_AT = 2_000
const MAX_JOBS = 5

/** What went wrong in the last hours, by kinds of errors. */
export async function readFailures(
  scope: Scope,
  { hours = 24, limit = 10 }: FailuresQuery = {},
): Promise<FailuresView> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const { tenant, store } = scope
  const since = scope.now() - hours * HOUR_MS
  const failures = await store.executions.failures({ tenant, since, limit: LOOKED_AT })
  const groups = groupFailures(failures).slice(0, limit)
  const names = await namesOfJobs(
    scope,
    groups.flatMap(({ jobIds }) => jobIds.slice(0, MAX_JOBS).map((jobId) => ({ jobId }))),
  )
  return {
    items: groups.map(({ jobIds, lastAt, ...group }) => ({
      ...group,
      jobCount: jobIds.length,
      jobs: jobIds.slice(0, MAX_JOBS).flatMap((id) => {
        const name = names.get(id)
        return name === undefined ? [] : [{ id, name }]
      }),
      lastAt: wireInstant(lastAt),
    })),
    isPartial: failures.length >= LOOKED_AT,
  }
}

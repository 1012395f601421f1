import { requirePermission } from '../../access/principal.ts'
import { EXECUTION_STATUSES, isFinal } from '../../job/execution/execution.ts'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import type { JobSelection } from '../../store/jobs.ts'
import { requireOneOf } from '../../time/require.ts'
import { HISTORY_MS } from '../owned.ts'
import type { JobFilterQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { checkSought } from '../sent-values.ts'
import { commonPart } from './common-part.ts'
import { type JobQuery, type Ran, readJobQuery } from './job-query.ts'

/** The jobs that somebody asks for, as a store is asked for them: what was typed into the search, and the parameters beside it. */
export async function selectionOf(scope: Scope, query: JobFilterQuery): Promise<JobSelection> {
  const { q, status, jobType, priority, tag } = query
  for (const each of status ?? []) requireOneOf(each, 'status', JOB_STATUSES)
  for (const each of priority ?? []) requireOneOf(each, 'priority', PRIORITIES)
  checkSought('q', q)
  checkSought('tag', tag)
  checkSought('jobType', ...(jobType ?? []))
  const typed = readJobQuery(q, scope.now())
  const { text, tags, ran } = typed
  const isEither = typed.statuses !== undefined && ran?.statuses !== undefined
  return {
    tenant: scope.tenant,
    text,
    tags,
    tag,
    jobTypes: commonPart(jobType, typed.jobTypes),
    priorities: commonPart(priority, typed.priorities),
    statuses: isEither ? status : commonPart(status, typed.statuses),
    either: ran && { statuses: isEither ? (typed.statuses ?? []) : [], ids: await jobsThatRan(scope, ran) },
  }
}

/** What jobs have run is for those who may see it. */
async function jobsThatRan(scope: Scope, { statuses, from, until }: NonNullable<JobQuery['ran']>): Promise<string[]> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const { tenant, store } = scope
  return await store.executions.ran({ tenant, statuses, since: from ?? firstInstant(scope, { statuses }), until })
}

/** As lists of executions have it: what has not ended is never too old. */
function firstInstant(scope: Scope, { statuses = EXECUTION_STATUSES }: Ran): number {
  return statuses.some(isFinal) ? Math.max(0, scope.now() - HISTORY_MS + 1) : 0
}

import type { Execution, ExecutionBody } from '../../../job/execution/execution.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { ExecutionSearch, RanQuery, RecentExecution, RecentQuery } from '../../executions.ts'
import { searchError } from '../../search-text.ts'
import { compareText } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import { readExecution, statusOf } from './read-execution.ts'

/** Executions of a tenant as people look for them. */
export function searchExecutions(tables: Tables, query: ExecutionSearch): Execution[] {
  const { limit, archived = false } = query
  const first = firstIdOf(query.since)
  const { before } = query
  const young = tables.executionsInOrder.descending(({ id }) => before === undefined || id < before)
  const found = take(young, limit, {
    where: (body) => isWanted(body, query) && isSought(readExecution(tables, body), query),
    while: ({ id }) => id >= first,
  }).map((body) => readExecution(tables, body))
  if (!archived) return found
  const old = tables.archive.inOrder.descending(({ body }) => before === undefined || body.id < before)
  const past = take(old, limit, {
    where: ({ body, execution }) => isWanted(body, query) && isSought(execution, query),
    while: ({ body }) => body.id >= first,
  })
  return [...found, ...past.map(({ execution }) => execution)]
    .toSorted((a, b) => compareText(b.id, a.id))
    .slice(0, Math.max(0, limit))
}

function isWanted(body: ExecutionBody, { tenant, jobTypes, jobIds }: ExecutionSearch): boolean {
  return (
    body.tenant === tenant &&
    (!jobTypes || jobTypes.includes(body.jobType)) &&
    (!jobIds || (body.jobId !== null && jobIds.includes(body.jobId)))
  )
}

function isSought({ status, error }: Execution, { statuses, errorText }: ExecutionSearch): boolean {
  return (
    (!statuses || statuses.includes(status)) &&
    (errorText === undefined || (error !== null && searchError(error.message).includes(searchError(errorText))))
  )
}

/** Jobs of a tenant that have such an execution. */
export function jobsThatRan(tables: Tables, { tenant, statuses, since, until }: RanQuery): string[] {
  const [first, last] = [firstIdOf(since), until === undefined ? null : firstIdOf(until)]
  const found = new Set<string>()
  for (const body of tables.executionsInOrder.descending(({ id }) => last === null || id < last)) {
    if (body.id < first) break
    const isOne = body.tenant === tenant && (!statuses || statuses.includes(statusOf(tables, body.id)))
    if (isOne && body.jobId !== null) found.add(body.jobId)
  }
  return [...found]
}

/** The last executions of each of some jobs. */
export function recentExecutions(tables: Tables, query: RecentQuery): RecentExecution[] {
  const first = firstIdOf(query.since)
  return [...new Set(query.jobIds)]
    .flatMap((jobId) => {
      const bodies = tables.executionsByJob.group(jobId)?.descending() ?? []
      const isOwn = ({ tenant }: ExecutionBody) => tenant === query.tenant
      const last = take(bodies, query.limit, { where: isOwn, while: ({ id }) => id >= first })
      return last.map((body) => inShort(readExecution(tables, body), jobId))
    })
    .toSorted((a, b) => compareText(b.id, a.id))
}

function inShort({ id, status, createdAt, startedAt, finishedAt, error }: Execution, jobId: string): RecentExecution {
  return { id, jobId, status, createdAt, startedAt, finishedAt, error }
}

/** An id tells when it was made. */
function firstIdOf(since: number | undefined): string {
  return since === undefined ? '' : firstUuidAt(Math.max(0, since))
}

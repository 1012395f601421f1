import { InvalidInputError } from '../../../errors.ts'
import { type Execution, type ExecutionBody, isFinal } from '../../../job/execution/execution.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { ExecutionFilter, ExecutionStore, QueueLength } from '../../executions.ts'
import { readFailures } from '../reads/failures.ts'
import { readMeasures, wantedAt } from '../reads/measure.ts'
import { readExecution, statusOf } from '../reads/read-execution.ts'
import { jobsThatRan, recentExecutions, searchExecutions } from '../reads/search-executions.ts'
import { readSeries } from '../reads/series.ts'
import { readStatistics } from '../reads/statistics.ts'
import { compareIds, compareText } from '../schema/compare.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'
import { cancel } from './cancel.ts'
import { chainOf, isNeeded, predecessorsOf } from './chain.ts'
import { enqueue } from './enqueue.ts'
import { enqueueAfter } from './enqueue-after.ts'
import { removeExecution, removeFromArchive } from './remove.ts'

export function executionStore(session: Session): ExecutionStore {
  return {
    enqueue: async (executions, options) => {
      if (options?.transaction !== undefined) throw noTransactions()
      const enqueueAll = executions.some(({ after = [] }) => after.length > 0) ? enqueueAfter : enqueue
      return session.statement((tables, now) => enqueueAll(tables, executions, now))
    },

    find: (ids, { archived = false } = {}) =>
      session.statement((tables) =>
        [...new Set(ids)].flatMap((id) => {
          const body = tables.executions.get(id)
          const past = archived ? tables.archive.executions.get(id)?.execution : undefined
          return body ? [readExecution(tables, body)] : (past ?? [])
        }),
      ),

    list: (filter) => session.statement((tables) => listExecutions(tables, filter)),
    search: (query) => session.statement((tables) => searchExecutions(tables, query)),
    ran: (query) => session.statement((tables) => jobsThatRan(tables, query)),
    recent: (query) => session.statement((tables) => recentExecutions(tables, query)),

    cancel: (requests) => session.statement((tables, now) => cancel(tables, requests, now)),

    predecessors: (id) => session.statement((tables) => predecessorsOf(tables, id)),

    chain: (id, limit) => session.statement((tables) => chainOf(tables, id, limit)),

    purge: (finishedBefore, limit, tenant) =>
      session.statement((tables) => {
        const ended = take(tables.resultsByEnd.ascending(), limit, {
          while: ({ finishedAt }) => finishedAt < finishedBefore,
          where: ({ body }) => (tenant === undefined || body.tenant === tenant) && !isNeeded(tables, body.id),
        })
        for (const { body } of ended) removeExecution(tables, body)
        const archived = take([...tables.archive.inOrder.ascending()], limit - ended.length, {
          where: ({ body, result }) =>
            result.finishedAt < finishedBefore &&
            (tenant === undefined || body.tenant === tenant) &&
            !isNeeded(tables, body.id),
        })
        for (const row of archived) removeFromArchive(tables, row)
        return ended.length + archived.length
      }),

    count: (tenant) =>
      session.statement((tables) => {
        const { ready, delayed, delayedByStatus, leases } = tables
        if (tenant !== undefined) return countOf(tables, tenant)
        const waiting = delayedByStatus.group('WAITING')?.size ?? 0
        const diverged = delayedByStatus.group('DIVERGED')?.size ?? 0
        return {
          QUEUED: ready.size + delayed.size - waiting - diverged,
          WAITING: waiting,
          RUNNING: leases.size,
          DIVERGED: diverged,
        }
      }),

    queues: (tenant) => session.statement((tables) => queueLengths(tables, tenant)),
    statistics: (query) => session.statement((tables) => readStatistics(tables, query)),
    measure: (query) => session.statement((tables, now) => readMeasures(tables, query, now)),
    series: (query) => session.statement((tables) => readSeries(tables, query)),
    failures: (query) => session.statement((tables) => readFailures(tables, query)),
    oldestQueuedAt: (tenant) => session.statement((tables) => oldestQueuedAt(tables, tenant)),
  }
}

function oldestQueuedAt(tables: Tables, tenant: string): number | null {
  let oldest: ExecutionBody | undefined
  for (const { body } of tables.ready.rows()) {
    if (body.tenant === tenant && (oldest === undefined || compareIds(body.id, oldest.id) < 0)) oldest = body
  }
  return oldest ? wantedAt({ body: oldest }) : null
}

function queueLengths(tables: Tables, tenant: string): QueueLength[] {
  const lengths = new Map<string, number>()
  for (const { body } of tables.ready.rows()) {
    if (body.tenant === tenant) lengths.set(body.queue, (lengths.get(body.queue) ?? 0) + 1)
  }
  return [...lengths].map(([queue, queued]) => ({ queue, queued })).toSorted((a, b) => compareText(a.queue, b.queue))
}

function countOf(tables: Tables, tenant: string): Record<'QUEUED' | 'WAITING' | 'RUNNING' | 'DIVERGED', number> {
  const counts = { QUEUED: 0, WAITING: 0, RUNNING: 0, DIVERGED: 0 }
  for (const rows of [tables.ready.rows(), tables.delayed.rows(), tables.leases.rows()]) {
    for (const { body } of rows) {
      const status = statusOf(tables, body.id)
      if (body.tenant === tenant && !isFinal(status)) counts[status] += 1
    }
  }
  return counts
}

function listExecutions(tables: Tables, filter: ExecutionFilter): Execution[] {
  const { tenant, jobId, jobType, statuses, since, limit, before } = filter
  // An id tells when it was made.
  const first = since === undefined ? '' : firstUuidAt(Math.max(0, since))
  const isWanted = (body: ExecutionBody) =>
    (tenant === undefined || body.tenant === tenant) &&
    (jobType === undefined || body.jobType === jobType) &&
    (statuses === undefined || statuses.includes(statusOf(tables, body.id)))
  const bodies = jobId === undefined ? tables.executionsInOrder : tables.executionsByJob.group(jobId)
  const newestFirst = bodies?.descending((body) => before === undefined || body.id < before) ?? []
  const found = take(newestFirst, limit, { where: isWanted, while: ({ id }) => id >= first }).map((body) =>
    readExecution(tables, body),
  )
  if (!filter.archived) return found
  return [...found, ...listArchived(tables, filter, first)]
    .toSorted((a, b) => compareText(b.id, a.id))
    .slice(0, Math.max(0, limit))
}

function listArchived({ archive }: Tables, filter: ExecutionFilter, first: string): Execution[] {
  const { tenant, jobId, jobType, statuses, limit, before } = filter
  const rows = jobId === undefined ? archive.inOrder : archive.byJob.group(jobId)
  const newestFirst = rows?.descending(({ body }) => before === undefined || body.id < before) ?? []
  return take(newestFirst, limit, {
    where: ({ body, result }) =>
      (tenant === undefined || body.tenant === tenant) &&
      (jobType === undefined || body.jobType === jobType) &&
      (statuses === undefined || statuses.includes(result.status)),
    while: ({ body }) => body.id >= first,
  }).map(({ execution }) => execution)
}

function noTransactions(): InvalidInputError {
  return new InvalidInputError(
    'store.no_transactions',
    'transaction must be left out: the memory store is no database, so that nothing can be enqueued in a transaction of one.',
    { name: 'transaction' },
  )
}

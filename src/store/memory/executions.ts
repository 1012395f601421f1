import { InvalidInputError } from '../../errors.ts'
import type { Execution, ExecutionBody } from '../../job/execution.ts'
import type { ExecutionFilter, ExecutionStore } from '../executions.ts'
import { cancel } from './cancel.ts'
import { chainOf, isNeeded, predecessorsOf } from './chain.ts'
import { enqueue } from './enqueue.ts'
import { enqueueAfter } from './enqueue-after.ts'
import { readExecution, statusOf } from './read-execution.ts'
import { removeExecution } from './remove.ts'
import type { Session } from './session.ts'
import type { Tables } from './tables.ts'
import { take } from './take.ts'

export function executionStore(session: Session): ExecutionStore {
  return {
    enqueue: async (executions, options) => {
      if (options?.transaction !== undefined) throw noTransactions()
      const enqueueAll = executions.some(({ after = [] }) => after.length > 0) ? enqueueAfter : enqueue
      return session.statement((tables, now) => enqueueAll(tables, executions, now))
    },

    find: (ids) =>
      session.statement((tables) =>
        [...new Set(ids)].flatMap((id) => {
          const body = tables.executions.get(id)
          return body ? [readExecution(tables, body)] : []
        }),
      ),

    list: (filter) => session.statement((tables) => listExecutions(tables, filter)),

    cancel: (requests) => session.statement((tables, now) => cancel(tables, requests, now)),

    predecessors: (id) => session.statement((tables) => predecessorsOf(tables, id)),

    chain: (id, limit) => session.statement((tables) => chainOf(tables, id, limit)),

    purge: (finishedBefore, limit) =>
      session.statement((tables) => {
        const ended = take(tables.resultsByEnd.ascending(), limit, {
          while: ({ finishedAt }) => finishedAt < finishedBefore,
          where: ({ body }) => !isNeeded(tables, body.id),
        })
        for (const { body } of ended) removeExecution(tables, body)
        return ended.length
      }),

    count: () =>
      session.statement(({ ready, delayed, delayedByStatus, leases }) => {
        const waiting = delayedByStatus.group('WAITING')?.size ?? 0
        const diverged = delayedByStatus.group('DIVERGED')?.size ?? 0
        return {
          QUEUED: ready.size + delayed.size - waiting - diverged,
          WAITING: waiting,
          RUNNING: leases.size,
          DIVERGED: diverged,
        }
      }),
  }
}

function listExecutions(tables: Tables, filter: ExecutionFilter): Execution[] {
  const { tenant, jobId, jobType, statuses, limit, before } = filter
  const isWanted = (body: ExecutionBody) =>
    (tenant === undefined || body.tenant === tenant) &&
    (jobType === undefined || body.jobType === jobType) &&
    (statuses === undefined || statuses.includes(statusOf(tables, body.id)))
  const bodies = jobId === undefined ? tables.executionsInOrder : tables.executionsByJob.group(jobId)
  const newestFirst = bodies?.descending((body) => before === undefined || body.id < before) ?? []
  return take(newestFirst, limit, { where: isWanted }).map((body) => readExecution(tables, body))
}

function noTransactions(): InvalidInputError {
  return new InvalidInputError(
    'store.no_transactions',
    'transaction must be left out: the memory store is no database, so that nothing can be enqueued in a transaction of one.',
    { name: 'transaction' },
  )
}

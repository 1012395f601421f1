import { NonRetryableError } from '../../../job/execution/failure.ts'
import type { TransactionClient } from '../../executions.ts'
import type { HistoryStore, RecordItem } from '../../histories.ts'
import { storedEntriesOf } from '../archive/archived.ts'
import { accepted, leaseOf } from '../executions/held.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'
import { startChild } from './children.ts'
import { continueAs, cut, fork } from './fork.ts'
import { isGoingOn, load, newsOf } from './load.ts'
import { diverge, park, resume } from './park.ts'
import { record } from './record.ts'
import { signal, wake } from './signals.ts'

export function historyStore(session: Session): HistoryStore {
  return {
    record: (items) => session.statement((tables, now) => items.map((item) => record(tables, item, now))),

    transact: async (held, work) => {
      if (!(await session.statement((tables) => leaseOf(tables, held)))) return null
      const item = await work(NO_SQL)
      return await session.statement((tables, now) => recorded(tables, item, now))
    },

    startChildren: (items) => session.statement((tables, now) => items.map((item) => startChild(tables, item, now))),

    load: (held) => session.statement((tables) => held.flatMap((each) => load(tables, each) ?? [])),

    news: (held) => session.statement((tables) => held.flatMap((each) => newsOf(tables, each) ?? [])),

    goingOn: (held) => session.statement((tables) => accepted(held, (each) => isGoingOn(tables, each))),

    park: (items) => session.statement((tables) => items.map((item) => park(tables, item))),

    diverge: (items) => session.statement((tables) => accepted(items, (item) => diverge(tables, item))),

    resume: (filter) => session.statement((tables) => resume(tables, filter)),

    wake: (ids) => session.statement((tables) => wake(tables, ids)),

    signal: (signals) =>
      session.statement((tables, now) => {
        const answers = signal(tables, signals, now)
        for (const [index, { audit }] of signals.entries()) {
          if (audit && answers[index] === 'sent') tables.audit.write(audit, now)
        }
        return answers
      }),

    continueAs: (items) => session.statement((tables) => accepted(items, (item) => continueAs(tables, item))),

    cut: (executionId, sequence, audit) =>
      session.statement((tables, now) => {
        const isCut = cut(tables, executionId, sequence)
        if (isCut && audit) tables.audit.write(audit, now)
        return isCut
      }),

    fork: (executionId, sequence, execution, audit) =>
      session.statement((tables, now) => {
        const isNew = !tables.executions.has(execution.body.id)
        const isForked = fork(tables, executionId, sequence, execution, now)
        if (isForked && isNew && audit) tables.audit.write(audit, now)
        return isForked
      }),

    read: (executionId, { archived = false } = {}) =>
      session.statement((tables) => {
        const past = archived ? tables.archive.executions.get(executionId) : undefined
        return past ? [...past.entries] : storedEntriesOf(tables, executionId)
      }),

    checkpoint: (items) =>
      session.statement((tables) =>
        accepted(items, (item) => {
          if (!leaseOf(tables, item)) return false
          tables.runs.checkpoints.set(item.executionId, item.state)
          return true
        }),
      ),

    lastCheckpoint: (executionId) => session.statement((tables) => tables.runs.checkpoints.get(executionId) ?? null),
  }
}

function recorded(tables: Tables, item: RecordItem, now: number): RecordItem | null {
  return record(tables, item, now) === 'recorded' ? item : null
}

const NO_SQL: TransactionClient = Object.freeze({
  query: () =>
    Promise.reject(
      new NonRetryableError('The memory store is no database: there is nothing to query in a transaction.'),
    ),
})

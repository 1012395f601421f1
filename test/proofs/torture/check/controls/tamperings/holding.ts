import type { Tampering } from './tampering.ts'

/** Of who holds an execution. */
export const HOLDING: readonly Tampering[] = [
  {
    name: 'an epoch does not grow',
    invariant: 'I5',
    tamper: (history) => {
      for (const change of history.tables.changes) {
        if ('executionId' in change && change.executionId === 'taken over') Object.assign(change, { epoch: 1 })
      }
      history.result('taken over').epoch = 1
    },
  },
  {
    name: 'an execution is claimed while another holds it',
    invariant: 'I5',
    tamper: ({ tables }) => {
      const index = tables.changes.findIndex((change) => change.kind === 'left' && change.executionId === 'taken over')
      const [left] = tables.changes.splice(index, 1)
      if (left) tables.changes.splice(index + 1, 0, left)
    },
  },
  {
    name: 'an end is of an epoch that was over',
    invariant: 'I6',
    tamper: (history) => {
      history.result('called off late').epoch = 0
    },
  },
  {
    name: 'who has lost an execution ends it',
    invariant: 'I6',
    tamper: (history) => {
      history.result('taken over').output = JSON.stringify({ by: 'node-1', attempt: 1 })
    },
  },
  {
    name: 'who has lost an execution records its failure',
    invariant: 'I6',
    tamper: ({ tables, one }) => {
      const failed = one(tables.attempts, ({ executionId }) => executionId === 'retried')
      failed.error = JSON.stringify({ message: 'as planned [node-2 1]' })
    },
  },
  {
    name: 'who has lost a durable execution records a step of it',
    invariant: 'I6',
    tamper: ({ tables, one }) => {
      const slept = one(tables.changes, (change) => change.kind === 'recorded' && change.detail.kind === 'timer')
      Object.assign(slept, { epoch: 1 })
    },
  },
  {
    name: 'an activity is recorded as somebody else has performed it',
    invariant: 'I6',
    tamper: ({ lines }) => {
      const shipped = lines.find((line) => line.kind === 'effect' && line.name === 'ship')
      Object.assign(shipped ?? {}, { by: 'node-1' })
    },
  },
  {
    name: 'the work of a killed node lies about',
    invariant: 'I10',
    tamper: (history) => {
      const late = (change: object) => 'executionId' in change && change.executionId === 'taken over'
      const [, ...after] = history.tables.changes.filter(late)
      for (const change of after) change.at += 20_000
      for (const effect of history.lines.filter(late).slice(1)) effect.at += 20_000
    },
  },
]

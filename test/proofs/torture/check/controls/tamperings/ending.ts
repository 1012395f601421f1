import { BEGUN_AT } from '../clean-history.ts'
import { removeOne, type Tampering } from './tampering.ts'

/** Of ends, keys and attempts. */
export const ENDING: readonly Tampering[] = [
  {
    name: 'an execution ended twice',
    invariant: 'I7',
    tamper: (history) => void history.tables.results.push({ ...history.result('plain 0'), status: 'FAILED' }),
  },
  {
    name: 'an end is changed afterwards',
    invariant: 'I7',
    tamper: (history) => history.change({ kind: 'rewritten', at: BEGUN_AT + 900, executionId: 'plain 0', epoch: 1 }),
  },
  {
    name: 'what has ended is to run again',
    invariant: 'I7',
    tamper: ({ tables }) => void tables.ready.push({ executionId: 'plain 0', epoch: 1, dueAt: null }),
  },
  {
    name: 'what was acknowledged is gone',
    invariant: 'I8',
    tamper: ({ tables }) => {
      removeOne(tables.executions, ({ id }) => id === 'plain 0')
      removeOne(tables.results, ({ executionId }) => executionId === 'plain 0')
    },
  },
  {
    name: 'what was acknowledged has no end',
    invariant: 'I8',
    tamper: ({ tables }) => removeOne(tables.results, ({ executionId }) => executionId === 'plain 1'),
  },
  {
    name: 'a key stands for two executions',
    invariant: 'I9',
    tamper: (history) => {
      history.execution({
        id: 'double',
        createdAt: BEGUN_AT + 130,
        payload: JSON.stringify({ key: 'key 0', runMs: 1 }),
      })
      history.run('double', BEGUN_AT + 200, { by: 'node-2' })
    },
  },
  {
    name: 'a key is taken with another input',
    invariant: 'I9',
    tamper: ({ lines }) => {
      const refused = lines.find((line) => line.kind === 'answered' && line.outcome === 'refused')
      Object.assign(refused ?? {}, { outcome: 'accepted', subject: 'plain 0' })
    },
  },
  {
    name: 'an execution has one attempt too many',
    invariant: 'I12',
    tamper: (history) => history.effect('began', 'plain 0', BEGUN_AT + 140, { by: 'node-1', attempt: 6 }),
  },
  {
    name: 'an execution has lost more attempts than it may have',
    invariant: 'I12',
    tamper: ({ tables, one }) => {
      const lost = one(tables.attempts, ({ executionId }) => executionId === 'taken over')
      for (const epoch of [3, 4, 5, 6, 7]) tables.attempts.push({ ...lost, epoch })
    },
  },
  {
    name: 'a poisonous execution ends before its attempts are used up',
    invariant: 'I12',
    tamper: ({ tables }) => removeOne(tables.attempts, ({ executionId }) => executionId === 'poison'),
  },
  {
    name: 'what nobody was answered for never ends',
    invariant: 'liveness',
    tamper: ({ tables }) => removeOne(tables.results, ({ executionId }) => executionId === 'unanswered'),
  },
  {
    name: 'a node that is gone stays on the list',
    invariant: 'liveness',
    tamper: ({ tables }) => void tables.nodes.push({ id: 'id of node-1', name: 'node-1' }),
  },
]

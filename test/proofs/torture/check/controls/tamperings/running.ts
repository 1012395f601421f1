import { BEGUN_AT } from '../clean-history.ts'
import { removeOne, type Tampering } from './tampering.ts'

/** Of what runs, and when. */
export const RUNNING: readonly Tampering[] = [
  {
    name: 'a claim goes beyond the limit of its tenant',
    invariant: 'I17',
    tamper: ({ tables, one }) => {
      const first = one(tables.changes, (change) => change.kind === 'limited' && change.at === BEGUN_AT)
      if (first.kind === 'limited') first.detail = { ...first.detail, most: 1 }
      // Samples are looked at by another rule.
      const second = one(tables.changes, (change) => change.kind === 'limited' && change.at > BEGUN_AT)
      if (second.kind === 'limited') second.detail = { ...second.detail, most: 2 }
    },
  },
  {
    name: 'more of a tenant run than may when one looks',
    invariant: 'I17',
    tamper: (history) => history.sample(BEGUN_AT + 15_500, 4, 1),
  },
  {
    name: 'a slot is never free again',
    invariant: 'I18',
    tamper: ({ tables }) =>
      removeOne(tables.changes, (change) => change.kind === 'left' && change.executionId === 'third'),
  },
  {
    name: 'a lease is left',
    invariant: 'I18',
    tamper: ({ tables }) =>
      void tables.leases.push({ executionId: 'gone', nodeId: 'id of node-1', epoch: 1, tenantSlot: 1, jobSlot: null }),
  },
  {
    name: 'a job overlaps itself',
    invariant: 'I20',
    tamper: (history) => {
      const { changes } = history.tables
      // The first is still held when the second is claimed.
      const index = changes.findIndex((change) => change.kind === 'left' && change.executionId === 'tick 3')
      const [left] = changes.splice(index, 1)
      const next = changes.findIndex((change) => change.kind === 'claimed' && change.executionId === 'tick 4')
      if (left) changes.splice(next + 1, 0, left)
    },
  },
  {
    name: 'a job overlaps itself when one looks',
    invariant: 'I20',
    tamper: (history) => history.sample(BEGUN_AT + 15_500, 1, 1, [{ job: 'ticks', running: 2 }]),
  },
  {
    name: 'what was cancelled is claimed afterwards',
    invariant: 'I21',
    tamper: ({ lines }) => {
      const asked = lines.findLast((line) => line.kind === 'asked' && line.verb === 'cancel')
      const answered = lines.find(
        (line) => line.kind === 'answered' && line.request === (asked as { request?: string }).request,
      )
      if (answered) answered.at -= 2_000
    },
  },
  {
    name: 'what was cancelled ends in success',
    invariant: 'I21',
    tamper: (history) => {
      history.result('called off late').status = 'SUCCESS'
    },
  },
  {
    name: 'a retry is claimed before it is due',
    invariant: 'I22',
    tamper: ({ tables, one }) => {
      const waits = one(tables.changes, (change) => change.kind === 'delayed' && change.executionId === 'retried')
      if (waits.kind === 'delayed') waits.detail = { ...waits.detail, dueAt: BEGUN_AT + 1_400 }
    },
  },
  {
    name: 'a retry comes sooner than its job type says',
    invariant: 'I22',
    tamper: ({ tables, one }) => {
      one(tables.attempts, ({ executionId }) => executionId === 'retried').endedAt = BEGUN_AT + 1_150
    },
  },
  {
    name: 'what was asked for later begins at once',
    invariant: 'I22',
    tamper: ({ lines }) => {
      for (const line of lines)
        if (line.kind === 'asked' && line.delayMs === 500) Object.assign(line, { delayMs: 5_000 })
    },
  },
]

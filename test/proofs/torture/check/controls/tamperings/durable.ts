import { BEGUN_AT } from '../clean-history.ts'
import type { Tampering } from './tampering.ts'

/** Of durable executions. */
export const DURABLE: readonly Tampering[] = [
  {
    name: 'an activity that is on record is performed again',
    invariant: 'I13',
    tamper: (history) =>
      history.effect('performed', 'order', BEGUN_AT + 8_330, {
        by: 'node-2',
        name: 'reserve',
        detail: { mark: 'node-2 again', tries: 1 },
      }),
  },
  {
    name: 'a transaction has written twice',
    invariant: 'I13',
    tamper: ({ tables }) => void tables.bookings.push({ executionId: 'order', mark: 'node-2 booked' }),
  },
  {
    name: 'a transaction is on record, and its row is gone',
    invariant: 'I13',
    tamper: ({ tables }) => tables.bookings.splice(0),
  },
  {
    name: 'a replay is told something else',
    invariant: 'I14',
    tamper: (history) =>
      history.effect('heard', 'order', BEGUN_AT + 8_390, {
        by: 'node-2',
        name: 'signal 1',
        detail: { payload: { number: 2 } },
      }),
  },
  {
    name: 'an execution diverged though its code is the same',
    invariant: 'I14',
    tamper: ({ tables, one }) => {
      const parked = one(tables.changes, (change) => change.kind === 'delayed' && change.executionId === 'order')
      Object.assign(parked, { detail: { dueAt: null, isParked: false, isDiverged: true } })
    },
  },
  {
    name: 'an execution ends with what is not on record',
    invariant: 'I14',
    tamper: (history) => {
      const result = history.result('order')
      result.output = (result.output ?? '').replace('node-1 reserve', 'node-1 other')
    },
  },
  {
    name: 'a sleep is over early',
    invariant: 'I15',
    tamper: ({ lines }) => {
      const woke = lines.find((line) => line.kind === 'effect' && line.effect === 'woke')
      Object.assign(woke ?? {}, { dueAt: BEGUN_AT + 8_500 })
    },
  },
  {
    name: 'a timer is recorded early',
    invariant: 'I15',
    tamper: ({ tables, one }) => {
      const timer = one(tables.changes, (change) => change.kind === 'recorded' && change.detail.kind === 'timer')
      if (timer.kind === 'recorded') timer.detail = { ...timer.detail, dueAt: BEGUN_AT + 8_500 }
    },
  },
  {
    name: 'a signal is heard twice',
    invariant: 'I16',
    tamper: (history) => {
      const result = history.result('order')
      result.output = (result.output ?? '').replace('{"number":2}', '{"number":1}')
    },
  },
  {
    name: 'signals are heard out of order',
    invariant: 'I16',
    tamper: (history) => {
      const result = history.result('order')
      result.output = (result.output ?? '').replace('{"number":1},{"number":2}', '{"number":2},{"number":1}')
    },
  },
]

import { expect, it } from 'vitest'
import type { StoredEntry } from '../../store/histories.ts'
import { viewOfEntry } from './history-view.ts'

it.each<[StoredEntry['status'], number]>([
  ['COMPLETED', 2],
  ['FAILED', 2],
  // It was never given to the code: there was nothing to give.
  ['RUNNING', 0],
])('a history that was followed twice more: one that is %s was replayed %i times', (status, replayed) => {
  const stored: StoredEntry = {
    sequence: 1,
    kind: 'activity',
    name: 'charge',
    status,
    position: status === 'RUNNING' ? null : 1,
    calls: 1,
    attempt: 1,
    input: '{"amount":5}',
    output: null,
    error: null,
    details: null,
    childId: null,
    startedAt: 1_000,
    dueAt: null,
    endedAt: null,
    replayed: 2,
  }
  expect(viewOfEntry(stored)).toMatchObject({ status, input: { amount: 5 }, replayed })
})

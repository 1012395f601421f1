import { describe, expect, it } from 'vitest'
import type { HistoryEntry } from '../job/activity/history.ts'
import { Effects } from './effects.ts'
import type { ActivityWork } from './watched-jobs.ts'
import { type Write, writeOf } from './writes.ts'

const work = (sequence: number, kind: ActivityWork['kind'] = 'activity') =>
  ({ kind, context: { activityId: 'pay', executionId: 'x', sequence } }) as ActivityWork
const entry = (sequence: number, status: HistoryEntry['status'], kind: HistoryEntry['kind'] = 'activity') =>
  ({ sequence, kind, name: 'pay', status }) as HistoryEntry
const written = (...entries: HistoryEntry[]): Write => ({
  told: '',
  entries: entries.map((each) => ({ ...each, executionId: 'x' })),
  begunAnew: [],
  divergences: [],
})

describe('what was performed', () => {
  it('is counted, and what undoes it beside it', () => {
    const effects = new Effects()
    for (const sequence of [1, 2, 1]) effects.noteBegun(work(sequence))
    effects.noteBegun(work(3, 'compensation'))
    expect(effects.counts).toEqual({ pay: 3, 'compensation:pay': 1 })
    expect(effects.faults).toEqual([])
  })

  it('may be performed again as long as its result is not recorded, and never after', () => {
    const effects = new Effects()
    effects.noteStored(written(entry(1, 'RUNNING')))
    effects.noteBegun(work(1))
    effects.noteBegun(work(1))
    effects.noteStored(written(entry(1, 'COMPLETED')))
    effects.noteBegun(work(2))
    expect(effects.faults).toEqual([])
    effects.noteBegun(work(1))
    expect(effects.faults).toEqual(['activity "pay" (call 1) was performed again although it was recorded'])
  })

  it('begins anew with its run', () => {
    const effects = new Effects()
    effects.noteStored(written(entry(1, 'FAILED')))
    effects.noteStored({ ...written(), begunAnew: ['x'] })
    effects.noteBegun(work(1))
    expect(effects.faults).toEqual([])
  })

  it('must have followed what was recorded', () => {
    const effects = new Effects()
    effects.noteStored({ ...written(), divergences: ['Call 1 was another.'] })
    expect(effects.faults).toEqual(['it was DIVERGED: Call 1 was another'])
  })
})

describe('what a node tells the store', () => {
  const items = [
    { executionId: 'x', epoch: 1, entries: [entry(1, 'COMPLETED'), entry(2, 'RUNNING', 'timer')] },
    { executionId: 'y', epoch: 1, entries: [entry(1, 'FAILED')] },
  ]

  it.each([
    [
      'histories.record',
      items,
      'activity "pay" (call 1) as COMPLETED, timer "pay" (call 2) as RUNNING, activity "pay" (call 1) as FAILED',
    ],
    ['histories.transact', { executionId: 'x', epoch: 1 }, 'a transaction'],
    ['histories.park', [{ executionId: 'x', epoch: 1, dueAt: 0 }], 'that it waits until 1970-01-01T00:00:00.000Z'],
    ['histories.park', [{ executionId: 'x', epoch: 1, dueAt: null }], 'that it waits'],
    ['histories.continueAs', [{ executionId: 'x', epoch: 1 }], 'that it begins anew'],
    [
      'histories.diverge',
      [{ executionId: 'x', epoch: 1, divergence: { reason: 'mismatch', message: 'Call 1 was another.' } }],
      'that it is DIVERGED',
    ],
    ['leases.finish', [{ executionId: 'x', epoch: 1, status: 'FAILED' }], 'its end as FAILED'],
  ])('is put into words: %s', (verb, value, told) => {
    expect(writeOf({ verb, values: [value] })?.told).toBe(told)
  })

  it.each(['histories.load', 'histories.news', 'leases.claim', 'pulse', 'executions.enqueue'])(
    'is nothing of its runs: %s',
    (verb) => {
      expect(writeOf({ verb, values: [[]] })).toBeNull()
    },
  )

  it('counts where the store has taken it', () => {
    const stored = (answer: unknown) => writeOf({ verb: 'histories.record', values: [items] }, answer)?.entries.length
    expect(stored(['recorded', 'recorded'])).toBe(3)
    expect(stored(['refused', 'recorded'])).toBe(1)
    expect(stored(['early', 'refused'])).toBe(0)
    const transact = (answer: unknown) => writeOf({ verb: 'histories.transact', values: [] }, answer)?.entries.length
    expect([transact(items[0]), transact(null)]).toEqual([2, 0])
  })
})

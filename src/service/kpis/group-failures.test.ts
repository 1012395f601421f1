import { describe, expect, it } from 'vitest'
import type { Failure } from '../../job/execution/execution.ts'
import type { FailureRecord } from '../../store/series.ts'
import { groupFailures } from './group-failures.ts'

let last = 0
function failed(error: Partial<Failure> | null, change: Partial<FailureRecord> = {}): FailureRecord {
  last += 1
  const whole = error && { name: 'Error', message: '', ...error }
  return { executionId: `e${last}`, jobId: 'j', status: 'FAILED', at: -last, error: whole, ...change }
}

describe('failures', () => {
  it('of nothing are none', () => {
    expect(groupFailures([])).toEqual([])
  })

  it('that differ in what is taken out are one, under what they have in common', () => {
    const first = failed({ message: 'Order 1 not found' }, { jobId: 'a' })
    const groups = groupFailures([
      first,
      failed({ message: 'Order 22 not found' }, { jobId: 'b' }),
      failed({ message: 'Order 3 not found' }, { jobId: 'a' }),
      failed({ message: 'Order 3 not found' }, { jobId: null }),
    ])
    expect(groups).toEqual([
      {
        errorName: 'Error',
        message: 'Order … not found',
        count: 4,
        jobIds: ['a', 'b'],
        lastAt: first.at,
        lastExecutionId: first.executionId,
      },
    ])
  })

  it('that say the same keep their words', () => {
    const message = 'Order 7 of "x" not found'
    expect(groupFailures([failed({ message }), failed({ message })])).toMatchObject([{ message, count: 2 }])
  })

  it('are the most frequent first, and then the latest', () => {
    const all = [
      failed({ message: 'late' }),
      failed({ message: 'often' }),
      failed({ message: 'old' }),
      failed({ message: 'often' }),
    ]
    expect(groupFailures(all).map(({ message }) => message)).toEqual(['often', 'late', 'old'])
  })

  it.each<[string, FailureRecord, object]>([
    [
      'of another name are others',
      failed({ name: 'TypeError', message: 'a' }),
      { errorName: 'TypeError', message: 'a' },
    ],
    ['without an error have the name of their end', failed(null), { errorName: 'Error', message: '' }],
    [
      'that timed out without an error',
      failed(null, { status: 'TIMEOUT' }),
      { errorName: 'TimeoutError', message: '' },
    ],
  ])('%s', (_what, record, expected) => {
    expect(groupFailures([record, failed({ message: 'a' })])[0]).toMatchObject(expected)
  })
})

import { describe, expect, it } from 'vitest'
import type { ChainCondition, FinalStatus, PredecessorResult } from './execution.ts'
import { inputFrom, isMet, notNeeded, predecessorsOf } from './predecessor.ts'

const ID = '01953a1e-7c00-7abc-8def-0123456789ab'
const OTHER = '01953a1e-7c00-7abc-8def-0123456789ac'

describe('isMet', () => {
  const met: [FinalStatus, ChainCondition[]][] = [
    ['SUCCESS', ['success', 'end']],
    ['FAILED', ['failure', 'end']],
    ['TIMEOUT', ['failure', 'end']],
    ['CANCELLED', ['end']],
  ]
  it.each(met)('%s is what %j wait for', (status, conditions) => {
    const all: ChainCondition[] = ['success', 'failure', 'end']
    expect(all.filter((condition) => isMet(condition, status))).toEqual(conditions)
  })
})

describe('predecessorsOf', () => {
  it.each<[string, Parameters<typeof predecessorsOf>[0], unknown]>([
    ['an id', ID, [{ id: ID, on: 'success' }]],
    ['an id in capitals', ID.toUpperCase(), [{ id: ID, on: 'success' }]],
    ['a condition', { id: ID, on: 'end' }, [{ id: ID, on: 'end' }]],
    ['what enqueue gives', { id: ID, isNew: true } as never, [{ id: ID, on: 'success' }]],
    [
      'several',
      [OTHER, { id: ID, on: 'failure' }],
      [
        { id: OTHER, on: 'success' },
        { id: ID, on: 'failure' },
      ],
    ],
  ])('takes %s', (_what, after, expected) => {
    expect(predecessorsOf(after)).toEqual(expected)
  })

  it('takes at most 10,000', () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `${ID.slice(0, 24)}${String(index).padStart(12, '0')}`)
    expect(predecessorsOf(ids.slice(1))).toHaveLength(10_000)
    expect(() => predecessorsOf(ids)).toThrow('a list of 1-10000, got a list of 10001')
  })
})

describe('inputFrom', () => {
  function result(change: Partial<PredecessorResult> = {}): PredecessorResult {
    return { executionId: ID, jobType: 'import', status: 'SUCCESS', output: undefined, error: null, ...change }
  }
  const error = { name: 'TypeError', message: 'No.' }
  it.each<[string, PredecessorResult[], unknown]>([
    ['nobody', [], undefined],
    ['one, is its output', [result({ output: { a: 1 } })], { a: 1 }],
    ['one that gave nothing, is nothing', [result()], undefined],
    [
      'one that failed, tells so',
      [result({ status: 'FAILED', error })],
      { executionId: ID, jobType: 'import', status: 'FAILED', error },
    ],
    [
      'one that was cancelled, tells so',
      [result({ status: 'CANCELLED', jobType: null })],
      { executionId: ID, jobType: null, status: 'CANCELLED', error: null },
    ],
    [
      'several, is a list with a place for each',
      [result({ output: 0 }), result({ status: 'TIMEOUT', error }), result({ output: '' }), result()],
      [0, null, '', null],
    ],
  ])('after %s', (_what, results, expected) => {
    expect(inputFrom(results)).toEqual(expected)
  })
})

it('what is not needed says why', () => {
  expect(notNeeded({ id: ID, on: 'failure' }, 'SUCCESS')).toEqual({
    name: 'NotNeededError',
    code: 'execution.not_needed',
    message: `Execution "${ID}" ended as SUCCESS; this one was to run after its failure.`,
  })
})

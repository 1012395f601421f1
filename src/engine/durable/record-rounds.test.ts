import { describe, expect, it } from 'vitest'
import { BARE } from '../../durable/journal.ts'
import type { NewEntry } from '../../job/activity/history.ts'
import type { RecordItem } from '../../store/histories.ts'
import { inRounds } from './record-rounds.ts'

type Told = readonly [sequence: number, what: 'began' | 'ended' | 'fired']

function entryOf([sequence, what]: Told): NewEntry {
  const bare = { ...BARE, kind: 'activity', name: 'a', sequence } as const
  if (what === 'began') return { ...bare, status: 'RUNNING' }
  return { ...bare, position: sequence, ...(what === 'fired' && { isTimer: true }) }
}

const item = (executionId: string, ...told: Told[]): RecordItem => ({
  executionId,
  epoch: 1,
  entries: told.map(entryOf),
})

function inWords(rounds: readonly (readonly RecordItem[])[]): string[][] {
  return rounds.map((round) =>
    round.map(({ executionId, entries }) => {
      const words = entries.map((entry) => {
        if (entry.position === null) return `${entry.sequence} began`
        return `${entry.sequence} ${entry.isTimer ? 'fired' : 'ended'}`
      })
      return `${executionId}: ${words.join(', ')}`
    }),
  )
}

describe('items that are recorded together', () => {
  it.each<[string, RecordItem[], string[][]]>([
    ['one', [item('a', [1, 'ended'])], [['a: 1 ended']]],
    ['those of different runs', [item('a', [1, 'ended']), item('b', [1, 'fired'])], [['a: 1 ended', 'b: 1 fired']]],
    ['different calls of one run', [item('a', [1, 'ended']), item('a', [2, 'fired'])], [['a: 1 ended', 'a: 2 fired']]],
    [
      'two words on one call, of which the last counts',
      [item('a', [2, 'began'], [1, 'ended']), item('a', [2, 'ended'])],
      [['a: 1 ended', 'a: 2 ended']],
    ],
    [
      'three words on one call',
      [item('a', [1, 'began']), item('a', [1, 'began'], [2, 'began']), item('a', [1, 'ended'])],
      [['a: ', 'a: 2 began', 'a: 1 ended']],
    ],
    [
      'a timer that may be early, after a word on it',
      [item('a', [1, 'began']), item('b', [1, 'ended']), item('a', [1, 'fired']), item('b', [2, 'ended'])],
      [
        ['a: 1 began', 'b: 1 ended'],
        ['a: 1 fired', 'b: 2 ended'],
      ],
    ],
    [
      'what a lost hold of the same run still says, and takes nothing from the one that holds',
      [item('a', [1, 'ended']), { ...item('a', [1, 'began']), epoch: 0 }],
      [['a: 1 ended', 'a: 1 began']],
    ],
  ])('%s', (_name, items, expected) => {
    expect(inWords(inRounds(items))).toEqual(expected)
  })
})

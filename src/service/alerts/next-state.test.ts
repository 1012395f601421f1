import { describe, expect, it } from 'vitest'
import { type FigureState, nextState, type Watched, WELL } from './next-state.ts'

const NOW = 1_000_000
const MINUTE = 60_000

const watched: Watched = {
  value: 0,
  threshold: 100,
  isExclusive: false,
  clearAt: 80,
  holdMs: MINUTE,
  clearMs: 5 * MINUTE,
  isEnabled: true,
}

const rising = (since: number): FigureState => ({ isOpen: false, highSince: since, lowSince: null })
const open = (lowSince: number | null = null): FigureState => ({ isOpen: true, highSince: 0, lowSince })

describe('a figure', () => {
  const rows: [string, Partial<Watched>, FigureState, FigureState][] = [
    ['that is low is well', { value: 99 }, WELL, WELL],
    ['at its threshold begins to count', { value: 100 }, WELL, rising(NOW)],
    ['that must pass its threshold is well at it', { value: 100, isExclusive: true }, WELL, WELL],
    ['that must pass its threshold counts beyond it', { value: 100.1, isExclusive: true }, WELL, rising(NOW)],
    ['that is high not long enough waits', { value: 100 }, rising(NOW - MINUTE + 1), rising(NOW - MINUTE + 1)],
    [
      'that is high for long enough opens',
      { value: 100 },
      rising(NOW - MINUTE),
      { isOpen: true, highSince: NOW - MINUTE, lowSince: null },
    ],
    ['that falls before it opens begins anew', { value: 99 }, rising(NOW - MINUTE + 1), WELL],
    ['without a hold opens at once', { value: 100, holdMs: 0 }, WELL, { ...rising(NOW), isOpen: true }],
    ['that stays high stays open', { value: 500 }, open(), open()],
    ['between the two marks stays open', { value: 99 }, open(), open()],
    ['at the mark to clear stays open', { value: 80 }, open(), open()],
    ['below the mark to clear begins to clear', { value: 79 }, open(), open(NOW)],
    ['that is low not long enough stays open', { value: 0 }, open(NOW - 5 * MINUTE + 1), open(NOW - 5 * MINUTE + 1)],
    ['that is low for long enough closes', { value: 0 }, open(NOW - 5 * MINUTE), WELL],
    ['that rises while it clears begins to clear anew', { value: 80 }, open(NOW - MINUTE), open()],
    ['without a time to clear closes at once', { value: 79, clearMs: 0 }, open(), WELL],
    ['that nobody wants watched is well', { value: 500, isEnabled: false }, WELL, WELL],
    ['that nobody wants watched any more closes', { value: 500, isEnabled: false }, open(), WELL],
  ]
  it.each(rows)('%s', (_fact, change, before, after) => {
    expect(nextState({ ...watched, ...change }, before, NOW)).toEqual(after)
  })

  it('that flaps around its threshold every quarter of a minute opens no alert', () => {
    let state = WELL
    for (let turn = 0; turn < 100; turn += 1) {
      state = nextState({ ...watched, value: turn % 2 === 0 ? 120 : 99 }, state, turn * 15_000)
      expect(state.isOpen).toBe(false)
    }
  })

  it('that flaps while its alert is open closes it no earlier than it rests', () => {
    let state = open()
    for (let turn = 0; turn < 100; turn += 1) {
      state = nextState({ ...watched, value: turn % 2 === 0 ? 120 : 0 }, state, turn * 15_000)
      expect(state.isOpen).toBe(true)
    }
  })
})

import { describe, expect, it } from 'vitest'
import { type ActivityView, lengthMs, splitAt } from './activity.ts'
import { layOutWaterfall, type WaterfallOptions } from './waterfall-layout.ts'

const START = Date.parse('2026-03-02T10:00:00.000Z')
const at = (ms: number) => new Date(START + ms).toISOString()

let sequence = 0
function entry(from: number, to: number | null, more: Partial<ActivityView> = {}): ActivityView {
  sequence += 1
  return {
    sequence,
    kind: 'activity',
    name: `step-${sequence}`,
    status: to === null ? 'RUNNING' : 'COMPLETED',
    position: to === null ? null : sequence,
    attempt: 1,
    input: null,
    output: null,
    error: null,
    details: null,
    childId: null,
    startedAt: at(from),
    dueAt: null,
    endedAt: to === null ? null : at(to),
    replayed: 0,
    ...more,
  }
}

function layOut(entries: readonly ActivityView[], options: Partial<WaterfallOptions> = {}) {
  const given = { now: START + 1_000, zoom: 'fit', createdAt: at(0), isOver: true, ...options } as const
  const view = layOutWaterfall(entries, given)
  return { ...view, rows: entries.map((each) => view.rowOf(each)) }
}

const rounded = (value: number) => Math.round(value * 1_000) / 1_000
function bars(entries: readonly ActivityView[], options: Partial<WaterfallOptions> = {}) {
  return layOut(entries, options).rows.map(({ bar }) => bar && [rounded(bar.left), rounded(bar.width)])
}

describe('where the steps of a run stand', () => {
  it.each<[string, ActivityView[], Partial<WaterfallOptions>, ReturnType<typeof bars>]>([
    ['nothing', [], {}, []],
    [
      'one after the other',
      [entry(0, 250), entry(250, 1_000)],
      {},
      [
        [0, 0.25],
        [0.25, 0.75],
      ],
    ],
    [
      'at the same time',
      [entry(0, 1_000), entry(500, 750)],
      {},
      [
        [0, 1],
        [0.5, 0.25],
      ],
    ],
    [
      'without any length',
      [entry(0, 0), entry(500, 500), entry(1_000, 1_000)],
      {},
      [
        [0, 0],
        [0.5, 0],
        [1, 0],
      ],
    ],
    ['all at one instant', [entry(5, 5)], {}, [[0, 0]]],
    [
      'still open, up to now',
      [entry(0, 500), entry(500, null)],
      { isOver: false },
      [
        [0, 0.463],
        [0.463, 0.463],
      ],
    ],
    [
      'never ended in a run that is over',
      [entry(0, 1_000), entry(500, null)],
      {},
      [
        [0, 1],
        [0.5, 0.5],
      ],
    ],
    [
      'begun by a clock that is ahead',
      [entry(0, 500), entry(3_000, null)],
      { isOver: false },
      [
        [0, 0.154],
        [0.926, 0],
      ],
    ],
    [
      'ended before they began',
      [entry(0, 1_000), entry(800, 200)],
      {},
      [
        [0, 1],
        [0.8, 0],
      ],
    ],
  ])('%s', (_name, entries, options, expected) => {
    expect(bars(entries, options)).toEqual(expected)
  })

  it('what was taken over does not stretch the axis, and lies before it', () => {
    const { rows, from } = layOut([entry(-9_000_000, -8_000_000), entry(0, 100)])
    expect(from).toBe(START)
    expect(rows.map(({ bar, side, isTakenOver }) => [bar === null, side, isTakenOver])).toEqual([
      [true, 'before', true],
      [false, null, false],
    ])
  })

  it('the last minute leaves out what ended before it and cuts what goes into it', () => {
    const minutes = [entry(0, 60_000), entry(0, 150_000), entry(150_000, 180_000)]
    const view = layOut(minutes, { zoom: 'minute' })
    expect([view.from - START, view.to - START]).toEqual([120_000, 180_000])
    expect(view.rows.map(({ bar, side }) => [bar && [bar.left, bar.width], side])).toEqual([
      [null, 'before'],
      [[0, 0.5], null],
      [[0.5, 0.5], null],
    ])
  })

  it('a wait shows what is ahead of it, as far as there is room', () => {
    const year = 365 * 86_400_000
    const wait = { kind: 'timer', dueAt: at(year) } as const
    const [open, done] = layOut([entry(0, null, wait), entry(0, 500, wait)], { isOver: false }).rows
    expect([open?.isWait, open?.ahead && rounded(open.ahead.left + open.ahead.width), done?.ahead]).toEqual([
      true,
      1,
      null,
    ])
  })

  it('now stands where it is, until the run is over', () => {
    expect(rounded(layOut([entry(0, null)], { isOver: false }).now ?? 0)).toBe(0.926)
    expect(layOut([entry(0, 10)]).now).toBeNull()
  })

  it.each([
    ['a millisecond', 1, [0, 1]],
    ['a second', 1_000, [0, 200, 400, 600, 800, 1_000]],
    ['a minute', 60_000, [0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000]],
    ['a year', 365 * 86_400_000, [0, 61, 122, 183, 244, 305].map((days) => days * 86_400_000)],
  ])('the axis of %s has round marks', (_name, length, expected) => {
    expect(layOut([entry(0, length)]).ticks.map(({ sinceMs }) => sinceMs)).toEqual(expected)
  })

  it('of ten thousand steps each has its place', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => entry(index, index + 1))
    expect(bars(many).every((bar, index) => bar?.[0] === rounded(index / 10_000))).toBe(true)
  })
})

describe('a step', () => {
  it('takes as long as it took, or as it has taken', () => {
    expect([lengthMs(entry(0, 20), START), lengthMs(entry(0, null), START + 7), lengthMs(entry(9, 5), START)]).toEqual([
      20, 7, 0,
    ])
  })

  it('parts what is kept from what is done again', () => {
    const places = [-2, 1, 2, 3].map((place) => entry(0, 1, { sequence: place }))
    const { kept, again } = splitAt(places, 2)
    expect([kept.map((each) => each.sequence), again.map((each) => each.sequence)]).toEqual([[1], [2, 3]])
  })
})

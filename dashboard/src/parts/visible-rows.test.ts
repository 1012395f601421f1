import { describe, expect, it } from 'vitest'
import { type RowsInView, scrolledTo, visibleRows } from './visible-rows.ts'

const VIEW: RowsInView = { count: 50_000, rowPx: 20, openAt: null, openPx: 100, scrollTop: 0, heightPx: 200 }

describe('the rows of a long list that are drawn', () => {
  it.each<[string, Partial<RowsInView>, ReturnType<typeof visibleRows>]>([
    ['none', { count: 0 }, { first: 0, end: 0, topPx: 0, totalPx: 0 }],
    ['fewer than there is room for', { count: 3 }, { first: 0, end: 3, topPx: 0, totalPx: 60 }],
    ['at the start', {}, { first: 0, end: 19, topPx: 0, totalPx: 1_000_000 }],
    ['in the middle', { scrollTop: 20_000 }, { first: 992, end: 1_019, topPx: 19_840, totalPx: 1_000_000 }],
    ['at the end', { scrollTop: 999_800 }, { first: 49_982, end: 50_000, topPx: 999_640, totalPx: 1_000_000 }],
    ['past the end, as after a filter', { count: 5, scrollTop: 9_000 }, { first: 0, end: 5, topPx: 0, totalPx: 100 }],
    [
      'with one open before',
      { openAt: 2, scrollTop: 2_000 },
      { first: 87, end: 114, topPx: 1_840, totalPx: 1_000_100 },
    ],
    ['inside what is open', { openAt: 10, scrollTop: 240 }, { first: 2, end: 26, topPx: 40, totalPx: 1_000_100 }],
    ['with one open behind', { openAt: 900 }, { first: 0, end: 19, topPx: 0, totalPx: 1_000_100 }],
  ])('%s', (_name, view, expected) => {
    expect(visibleRows({ ...VIEW, ...view })).toEqual(expected)
  })

  it.each([
    ['one that is seen leaves it as it is', 5, 0, 0],
    ['one above comes to the top', 5, 400, 100],
    ['one below comes to the bottom', 20, 0, 220],
  ])('%s', (_name, row, scrollTop, expected) => {
    expect(scrolledTo({ ...VIEW, scrollTop }, row)).toBe(expected)
  })
})

import { describe, expect, it } from 'vitest'
import { nearestPoint, niceTop, pathOf } from './chart-shape.ts'

describe('a line', () => {
  const place = { width: 100, height: 50, top: 10 }
  it.each([
    [[0, 5, 10], 'M0 50L50 25L100 0'],
    [[0, null, 10], 'M0 50h0.1M100 0h0.1'],
    [[null, 5, 5], 'M50 25L100 25'],
    [[5], 'M0 25h0.1'],
    [[20, 20], 'M0 0L100 0'],
    [[], ''],
  ])('through %j is %j', (values, path) => {
    expect(pathOf(values, place)).toBe(path)
  })
})

it.each([
  [[], 1],
  [[null, 0], 1],
  [[3], 5],
  [[0.13, null], 0.2],
  [[100], 100],
  [[101], 200],
  [[990], 1_000],
])('above %j the next round figure is %d', (values, top) => {
  expect(niceTop(values)).toBeCloseTo(top)
})

it.each([
  [-1, 0],
  [0.24, 0],
  [0.26, 1],
  [2, 2],
])('the nearest of three to %d is %d', (share, point) => {
  expect(nearestPoint(share, 3)).toBe(point)
})

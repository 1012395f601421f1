import { describe, expect, it } from 'vitest'
import { clockChange, offsetMinutes } from './zone.ts'

describe('a day on which clocks change', () => {
  it.each([
    ['2026-03-08T12:00:00Z', 'America/New_York', 60],
    ['2026-03-08T05:30:00Z', 'America/New_York', 60],
    ['2026-03-07T12:00:00Z', 'America/New_York', 0],
    ['2026-11-01T12:00:00Z', 'America/New_York', -60],
    ['2026-11-02T12:00:00Z', 'America/New_York', 0],
    ['2018-11-04T12:00:00Z', 'America/Sao_Paulo', 60],
    ['2026-04-05T00:00:00Z', 'Australia/Lord_Howe', -30],
    ['2026-06-01T00:00:00Z', 'UTC', 0],
  ])('at %s in %s: %d minutes', (at, zone, expected) => {
    expect(clockChange(Date.parse(at), zone)).toBe(expected)
  })
})

it.each([
  ['2026-06-01T00:00:00Z', 'Asia/Kathmandu', 345],
  ['2026-06-01T00:00:00.750Z', 'America/Sao_Paulo', -180],
])('at %s %s is ahead by %d minutes', (at, zone, expected) => {
  expect(offsetMinutes(Date.parse(at), zone)).toBe(expected)
})

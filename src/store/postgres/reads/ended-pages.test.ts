import { describe, expect, it } from 'vitest'
import { type EndedPage, sumPages } from './ended-pages.ts'

const EMPTY: EndedPage = {
  ended: 0,
  oldestId: null,
  wantedSince: null,
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  retried: 0,
  ran: 0,
  durationMs: 0,
  queuedMs: 0,
  busyMs: 0,
  latenessesMs: [],
  lastSuccess: null,
  failures: [],
}
const SINCE = 100
const NOW = 1_000

const sumOf = (pages: readonly Partial<EndedPage>[], claimedAt: readonly number[] = [], limit = 9) =>
  sumPages(
    pages.map((page) => ({ ...EMPTY, ...page })),
    { now: NOW, claimedAt },
    { tenant: 'acme', since: SINCE, limit },
  )

describe('pages of what has ended, together', () => {
  it('are nothing where there are none', () => {
    const nothing = { meanDurationMs: null, meanQueueMs: null, busyMs: 0, measuredSince: SINCE, now: NOW }
    expect(sumOf([])).toMatchObject(nothing)
    expect(sumOf([{}], [], 0)).toMatchObject(nothing)
  })

  it('add up, and means are those of all', () => {
    const pages = [
      { succeeded: 1, failed: 2, retried: 1, ran: 3, durationMs: 30, queuedMs: 3, busyMs: 5 },
      { succeeded: 4, timedOut: 1, cancelled: 1, ran: 1, durationMs: 10, queuedMs: 5, busyMs: 7 },
    ]
    expect(sumOf(pages)).toMatchObject({
      succeeded: 5,
      failed: 2,
      timedOut: 1,
      cancelled: 1,
      retried: 1,
      meanDurationMs: 10,
      meanQueueMs: 2,
      busyMs: 12,
    })
  })

  it('have the percentiles of all', () => {
    expect(sumOf([{ latenessesMs: [1_001, 9, 1_000] }, { latenessesMs: [100] }]).lateness).toEqual({
      count: 4,
      onTime: 3,
      p50Ms: 100,
      p95Ms: 1_001,
      p99Ms: 1_001,
      maxMs: 1_001,
    })
  })

  it.each<[string, readonly Partial<EndedPage>[], number]>([
    ['without a success all', [{ failures: [[5, 'a']] }, { failures: [[3, 'b']] }], 2],
    [
      'those after the last success of all',
      [{ failures: [[5, 'c']] }, { lastSuccess: [4, 'a'], failures: [[6, 'b']] }],
      2,
    ],
    ['none before a success of an older page', [{ failures: [[5, 'c']] }, { lastSuccess: [6, 'a'] }], 0],
    ['none before a success of a younger page', [{ lastSuccess: [6, 'c'] }, { failures: [[5, 'a']] }], 0],
    [
      'at the same instant by their ids',
      [{ failures: [[5, 'c']] }, { lastSuccess: [5, 'b'], failures: [] }, { failures: [[5, 'a']] }],
      1,
    ],
  ])('count as consecutive failures %s', (_what, pages, expected) => {
    expect(sumOf(pages).consecutiveFailures).toBe(expected)
  })

  it.each<[string, readonly Partial<EndedPage>[], number, number]>([
    ['all there are', [{ ended: 2, wantedSince: 500 }], 3, SINCE],
    [
      'as many as are measured',
      [
        { ended: 2, wantedSince: 500 },
        { ended: 1, wantedSince: 400 },
      ],
      3,
      400,
    ],
    ['as many, one of them wanted before', [{ ended: 3, wantedSince: 50 }], 3, SINCE],
  ])('tell of the time since: %s', (_what, pages, limit, expected) => {
    const { measuredSince, busyMs } = sumOf(pages, [50, 700, NOW + 1], limit)
    expect([measuredSince, busyMs]).toEqual([expected, NOW - expected + 300])
  })
})

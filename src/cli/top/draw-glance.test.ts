import { describe, expect, it } from 'vitest'
import { textWidth } from '../print/table.ts'
import { drawGlance } from './draw-glance.ts'
import type { Glance } from './read-glance.ts'

const AT = '2026-03-07T00:00:00.000Z'
const plain = (text: string) => text

/** A service in which a lot happens. */
const BUSY: Glance = {
  at: AT,
  place: 'http://127.0.0.1:3000',
  running: 10_000,
  queued: 5,
  waiting: 1,
  cap: null,
  oldestWaitMs: 60_000,
  nodes: [],
  queues: [{ queue: 'default', queued: 5 }],
  executions: Array.from({ length: 100 }, (_, index) => ({
    id: `0189${index}`,
    jobName: '日本語の仕事',
    jobType: 'x',
    startedAt: AT,
    ageMs: 100 - index,
    attempt: 2,
    progress: 0.5,
    progressNote: null,
  })),
  rates: { endedPerMinute: 1, failedPerMinute: 1, ended: [1, 2, 3] },
  failures: [],
  alerts: [],
}

describe('a page of top', () => {
  it.each([
    [1, 1],
    [2, 3],
    [10, 2],
    [40, 5],
    [80, 24],
    [300, 200],
  ])('fits %i columns and %i rows', (columns, rows) => {
    const lines = drawGlance(BUSY, { columns, rows, tone: plain, trouble: 'gone', hasKeys: true })
    expect(lines.length).toBeLessThanOrEqual(rows)
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(columns)
  })

  it('says of how many it knows where it does not know of all', () => {
    const text = drawGlance(BUSY, { columns: 100, rows: 24, tone: plain }).join('\n')
    expect(text).toMatch(/running, of the newest 100 the oldest first; 99\d\d more/)
    const few = { ...BUSY, running: 100 }
    expect(drawGlance(few, { columns: 100, rows: 300, tone: plain })).toContain('running, the oldest first')
  })
})

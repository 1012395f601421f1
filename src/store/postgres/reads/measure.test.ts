import { expect, it } from 'vitest'
import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'
import { readMeasures } from './measure.ts'

const FIRST = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Asks a tenant's history of so many executions, whose ids are how many are left after them; what was asked for, and how many were counted. */
async function asked(history: number, limit: number): Promise<[before: string, most: number][]> {
  const questions: [string, number][] = []
  let left = history
  const query = (statement: Statement, values: readonly unknown[]) => {
    if (statement.name === 'readHeld') return Promise.resolve([{ now: 0, claimedAt: [] }])
    const [, , before, most] = values as [number, string, string, number]
    questions.push([before, most])
    const ended = Math.min(left, most)
    left -= ended
    const counts = { succeeded: ended, failed: 0, timedOut: 0, cancelled: 0, retried: 0 }
    const sums = { ran: 0, durationMs: 0, queuedMs: 0, busyMs: 0 }
    const rest = { wantedSince: 0, latenessesMs: [], lastSuccess: null, failures: [] }
    return Promise.resolve([{ ended, oldestId: String(left), ...counts, ...sums, ...rest }])
  }
  const parts = { driver: { query }, testTime: () => null } as unknown as Parts
  const { succeeded } = await readMeasures(parts, { tenant: 'acme', since: 0, limit })
  expect(succeeded).toBe(Math.min(history, limit))
  return questions
}

it.each<[string, number, number, [string, number][]]>([
  ['nothing', 0, 100_000, [[FIRST, 2_500]]],
  ['nothing where nothing is asked for', 9, 0, []],
  ['what fits into one page', 2_499, 100_000, [[FIRST, 2_500]]],
  [
    'a full page, behind which there may be more',
    2_500,
    100_000,
    [
      [FIRST, 2_500],
      ['0', 2_500],
    ],
  ],
  [
    'more than one page, no more than are measured',
    10_000,
    3_000,
    [
      [FIRST, 2_500],
      ['7500', 500],
    ],
  ],
])('%s is measured page by page', async (_what, history, limit, expected) => {
  expect(await asked(history, limit)).toEqual(expected)
})

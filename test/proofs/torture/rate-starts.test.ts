import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { job, type Pontual, type Priority, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped } from '../../harness/postgres/database.ts'

const NODES = 3
const LIMIT = 20
const WINDOW_MS = 1_000
const COUNTS = { HIGH: 80, MEDIUM: 40 } as const
/** One start in eight is granted by age alone. */
const AGED_ONE_IN = 8
/** A slow machine starts later, never more often. */
const MOST_MS = 30_000

interface Start {
  readonly at: number
  readonly priority: Priority
  readonly index: number
}

/** Lets several nodes run executions of a job type with a rate limit in real time; returns when each handler started. */
async function startsOf(): Promise<Start[]> {
  const database = await createDatabase('stock')
  const starts: Start[] = []
  const mail = job('mail', {
    rateLimit: { limit: LIMIT, per: '1s' },
    run: ({ priority, index }: Omit<Start, 'at'>) => void starts.push({ at: performance.now(), priority, index }),
  })
  const apps: Pontual[] = Array.from({ length: NODES }, () =>
    pontual({ store: postgres(database.url), jobs: [mail], logger: 'silent' }),
  )
  try {
    const [first] = apps
    for (const priority of ['MEDIUM', 'HIGH'] as const) {
      const inputs = Array.from({ length: COUNTS[priority] }, (_, index) => ({ priority, index }))
      await first?.enqueueMany(mail, inputs, { priority })
    }
    await Promise.all(apps.map((app) => app.start()))
    const beganAt = performance.now()
    const total = COUNTS.HIGH + COUNTS.MEDIUM
    while (starts.length < total && performance.now() - beganAt < MOST_MS) await sleep(20)
    return starts
  } finally {
    await Promise.all(apps.map((app) => app.stop()))
    await database.drop()
  }
}

describe.skipIf(isPostgresSkipped('stock'))('a rate limit in real time, on three nodes', () => {
  it('is kept in every window, in the order of priority and age', async () => {
    const starts = await startsOf()
    expect(starts).toHaveLength(COUNTS.HIGH + COUNTS.MEDIUM)
    for (const [index, { at }] of starts.entries()) {
      const before = starts[index - LIMIT]
      if (before) expect(at - before.at).toBeGreaterThanOrEqual(WINDOW_MS)
    }
    // Nodes start what they have claimed at the same time, so an execution may start before others of its window.
    const indexes = starts.filter(({ priority }) => priority === 'HIGH').map(({ index }) => index)
    for (const [turn, index] of indexes.entries()) expect(Math.abs(turn - index)).toBeLessThan(LIMIT)
    const firstHigh = starts.slice(0, COUNTS.HIGH).filter(({ priority }) => priority === 'HIGH').length
    expect(firstHigh).toBeGreaterThanOrEqual(COUNTS.HIGH - Math.ceil(COUNTS.HIGH / AGED_ONE_IN) - NODES)
  }, 120_000)
})

import { describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped } from '../../harness/postgres/database.ts'
import { tortureDurable } from './durable.ts'

/** Each node takes a moment to start, and the runs of one that was killed wait for its lease to run out. */
const LIMIT_MS = 180_000

describe.skipIf(isPostgresSkipped())('durable runs on nodes that are killed', () => {
  it('all end, and no activity whose result is recorded is performed again', { timeout: LIMIT_MS }, async () => {
    const database = await createDatabase()
    const options = { url: database.url, runs: 40, nodes: 3, slots: 15, kills: 6, lifeMs: 1_500 }
    const { kills, ended, interrupted, performedAgain, violations } = await tortureDurable(options)
    await database.drop()
    expect(violations).toEqual([])
    expect(ended).toBeGreaterThanOrEqual(40)
    // A node lives for a random time, so how many runs its death interrupts is random too.
    expect(interrupted).toBeGreaterThanOrEqual(kills)
    expect(performedAgain).toBeGreaterThan(0)
  })
})

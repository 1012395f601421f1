import { describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped } from '../../harness/postgres/database.ts'
import { tortureCaps } from './caps.ts'
import { measureFairness } from './fairness.ts'

describe.skipIf(isPostgresSkipped())('limits of tenants', () => {
  it('hold at every instant while they change and claimers are killed, and no slot is lost', async () => {
    const database = await createDatabase()
    const executions = 600
    const report = await tortureCaps({
      url: database.url,
      forMs: 7_000,
      executions,
      killEveryMs: 1_100,
      changeEveryMs: 350,
    })
    await database.drop()
    expect(report.violations).toEqual([])
    expect(report.samples).toBeGreaterThan(20)
    expect(report.kills).toBeGreaterThan(2)
    expect(report.atLimit).toBeGreaterThan(5)
    expect(report).toMatchObject({ leasesLeft: 0, waitingLeft: 0, ended: 3 * executions, afterwards: 10 })
  })

  it('behind 30,000 of one tenant the first one of another starts within a second', async () => {
    const database = await createDatabase()
    const waits = await measureFairness({ url: database.url, flood: 30_000, tries: 5 })
    await database.drop()
    expect(Math.max(...waits)).toBeLessThan(1_000)
  })
})

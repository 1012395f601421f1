import { describe, expect, test } from 'vitest'
import { createDatabase } from '../postgres/database.ts'
import { tortureCaps } from '../torture/caps.ts'
import { measureDeadRows, percentile } from '../torture/dead-rows.ts'
import { measureFairness } from '../torture/fairness.ts'

const MINUTES = Number(process.env['PONTUAL_PROVE_MINUTES'] ?? 1)

describe('limits of tenants', () => {
  test('I17, I18: hold at every instant for a minute or more, and no slot is lost', async () => {
    const database = await createDatabase()
    const executions = 6_000 * MINUTES
    const forMs = MINUTES * 60_000
    const url = database.url
    const report = await tortureCaps({ url, forMs, executions, killEveryMs: 2_000, changeEveryMs: 700 })
    await database.drop()
    console.log(report)
    expect(report.violations).toEqual([])
    expect(report).toMatchObject({ leasesLeft: 0, waitingLeft: 0, ended: 3 * executions, afterwards: 10 })
  })

  test.each([10, undefined])(
    'I19: behind 300,000 of one tenant the first one of another starts within a second',
    async (most) => {
      const database = await createDatabase()
      const options = { url: database.url, flood: 300_000, tries: 30 }
      const waits = await measureFairness({ ...options, ...(most !== undefined && { tenantConcurrency: most }) })
      await database.drop()
      const sorted = waits.toSorted((a, b) => a - b)
      console.log(
        `limit ${most ?? 'none'}: ${[50, 90, 100].map((p) => `p${p} ${percentile(sorted, p).toFixed(1)} ms`).join(', ')}`,
      )
      expect(percentile(sorted, 100)).toBeLessThan(1_000)
    },
  )
})

describe('rows that are gone and cannot be cleared away', () => {
  test.each([true, false])(
    'I29: a million of them do not slow down claims (their tenant has work: %s)',
    async (isTenantBusy) => {
      const database = await createDatabase()
      const report = await measureDeadRows({ url: database.url, rows: 1_000_000, claims: 300, isTenantBusy })
      await database.drop()
      const { firstClaims, ...times } = report
      console.log({ firstClaims: firstClaims.map((ms) => ms.toFixed(1)).join(' ms, ') })
      for (const [name, each] of Object.entries(times)) {
        console.log(`${name}: ${[50, 99, 100].map((p) => `p${p} ${percentile(each, p).toFixed(1)} ms`).join(', ')}`)
      }
      for (const each of Object.values(times)) expect(percentile(each, 99)).toBeLessThan(50)
    },
  )
})

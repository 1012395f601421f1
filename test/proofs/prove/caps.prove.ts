import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { measureDeadRows, percentile } from '../torture/dead-rows.ts'
import { measureFairness } from '../torture/fairness.ts'
import { Proof } from './proof.ts'

const FLOOD = 300_000
const TRIES = 30
const FIRST_MS = 1_000
const DEAD_ROWS = 1_000_000
const CLAIM_MS = 50

describe('what others have', () => {
  const proof = new Proof('caps')
  afterAll(() => proof.keep())

  it.each([10, undefined])(
    'I19: behind 300,000 of one tenant the first one of another starts within a second (limit %s)',
    (most) =>
      proof.part(async () => {
        const database = await createDatabase()
        const options = { url: database.url, flood: FLOOD, tries: TRIES }
        const waits = await measureFairness({ ...options, ...(most !== undefined && { tenantConcurrency: most }) })
        await database.drop()
        const sorted = waits.toSorted((a, b) => a - b)
        const limit = most === undefined ? 'without a limit' : `with a limit of ${most}`
        const about = (what: string) => ({ section: 'load', invariants: ['I19'], what: `${what}, ${limit}` }) as const
        const longest = Math.ceil(percentile(sorted, 100))
        proof.bound(
          about(`longest wait of a first execution behind ${told(FLOOD)} of another`),
          longest,
          FIRST_MS,
          'ms',
        )
        proof.note(about('median of those waits'), Math.ceil(percentile(sorted, 50)), 'ms')
      }),
  )

  it.each([true, false])(
    'I29: a million rows that are gone and cannot be cleared away do not slow down claims (their tenant has work: %s)',
    (isTenantBusy) =>
      proof.part(async () => {
        const database = await createDatabase()
        const report = await measureDeadRows({ url: database.url, rows: DEAD_ROWS, claims: 300, isTenantBusy })
        await database.drop()
        const { firstClaims, ...times } = report
        const whose = isTenantBusy ? 'of a tenant with work' : 'of one without'
        const about = (what: string) => ({ section: 'load', invariants: ['I29'], what }) as const
        for (const [name, each] of Object.entries(times)) {
          const p99 = percentile(each, 99)
          proof.bound(about(`claims beside ${told(DEAD_ROWS)} dead rows ${whose}, ${name}, p99`), p99, CLAIM_MS, 'ms')
        }
        const first = Math.max(...firstClaims)
        proof.note(about(`slowest of the first claims beside dead rows ${whose}`), Math.ceil(first), 'ms')
      }),
  )
})

function told(number: number): string {
  return number.toLocaleString('en-US')
}

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../../src/postgres.ts'
import { findChromium } from '../../../browser/chromium.ts'
import { EVERY_PAGE, loadedAfterMs, type Things } from '../../../browser/every-page.ts'
import { fillLargeTenant } from '../../../browser/large-tenant.ts'
import { type SlowStatement, tellSlowStatements } from '../../../browser/slow-statements.ts'
import { openStage, type Stage } from '../../../browser/stage.ts'
import { createDatabase, type TestDatabase } from '../../../harness/postgres/database.ts'

const ROUNDS = 5
const LONGEST_MS = 1_000
const LONGEST_STATEMENT_MS = 100

const chromium = findChromium()

/** 5,000 jobs and 100,000 executions on a PostgreSQL server, this machine doing nothing else. */
describe('a large tenant', () => {
  let database: TestDatabase
  let stage: Stage
  let slow: readonly SlowStatement[]
  let things: Things
  const measured = new Map<string, { ms: number[]; slow: SlowStatement[] }>()

  beforeAll(async () => {
    database = await createDatabase()
    await fillLargeTenant(database.url)
    slow = await tellSlowStatements(database.url, LONGEST_STATEMENT_MS)
    stage = await openStage({ chromium, store: postgres(database.url), jobs: [] })
    things = await thingsOf(database.url)
  })
  afterAll(async () => {
    await stage?.[Symbol.asyncDispose]()
    await database?.drop()
  })

  it.each(EVERY_PAGE.map((page) => [page.name, page] as const))('%s is there within a second', async (name, page) => {
    const before = slow.length
    const ms: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // Nothing is kept from the round before.
      await using visit = await stage.visit(page.path(things))
      ms.push(await loadedAfterMs(visit.page, page))
    }
    measured.set(name, { ms, slow: slow.slice(before) })
    expect(median(ms)).toBeLessThan(LONGEST_MS)
  })

  it('is asked about by no statement of more than 100 ms', () => {
    console.table(
      [...measured].map(([page, { ms, slow: seen }]) => ({
        page,
        'median ms': median(ms),
        'worst ms': Math.max(...ms),
        'slow statements': seen.length,
        'worst of them, ms of CPU': Math.max(0, ...seen.map(({ cpuMs }) => cpuMs)),
      })),
    )
    // By what it used: what waits for a core tells of the machine.
    const heavy = slow.filter(({ cpuMs }) => cpuMs > LONGEST_STATEMENT_MS)
    const offenders = [...new Set(heavy.map(({ text }) => text))].map((text) =>
      heavy.filter((each) => each.text === text),
    )
    const told = offenders.map((seen) =>
      [seen.map(({ ms, cpuMs }) => `${cpuMs} of ${ms} ms`).join(', '), seen[0]?.text, seen[0]?.plan].join('\n'),
    )
    expect(told.join('\n\n')).toBe('')
  })
})

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

/** The job that ran most often, its last execution, and the last that failed. */
async function thingsOf(url: string): Promise<Things> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ jobId: string; executionId: string; failedExecutionId: string }>(`
      with busiest as (
        select job_id
        from pontual.executions
        group by job_id
        order by count(*) desc
        limit 1
      )
      select
        job_id as "jobId",
        (select id from pontual.executions where executions.job_id = busiest.job_id order by id desc limit 1) as "executionId",
        (select execution_id from pontual.results where status = 'FAILED' order by execution_id desc limit 1) as "failedExecutionId"
      from busiest`)
    const [things] = rows
    if (!things) throw new Error('The database is empty.')
    return things
  } finally {
    await client.end()
  }
}

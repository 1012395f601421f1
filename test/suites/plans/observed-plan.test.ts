import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { type ObservedPlan, PlanObserver } from './observed-plan.ts'
import { largeTables, violationsOf } from './violations.ts'

const ROWS = 2_000

describe.skipIf(isPostgresSkipped('18'))('an observed plan', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await createDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`insert into pontual.tenants (name) select 'tenant-' || n from generate_series(1, ${ROWS}) as n`)
    await client.query(
      `create function pontual.planted(wanted text) returns bigint language plpgsql as $$
      begin
        -- No index has the column that is counted, so that a vacuum cannot make an index-only scan the cheaper plan.
        return (select count(concurrency) from pontual.tenants where name || '' = wanted);
      end $$`,
    )
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  /** What a new connection plans for a statement. */
  async function plansOf(text: string): Promise<readonly ObservedPlan[]> {
    const observer = await PlanObserver.start(database.url, client)
    const observed = new pg.Client({ connectionString: database.url })
    try {
      await observed.connect()
      await observed.query(text)
      return observer.take()
    } finally {
      await observed.end()
      await observer.stop()
    }
  }

  const violations = async (text: string, limits = {}) =>
    violationsOf(await plansOf(text), await largeTables(client), limits)

  it('is that of each statement inside of a function too, by its name', async () => {
    const names = (await plansOf(`select pontual.planted('x')`)).map(({ name }) => name)
    expect(names).toContain('planted()')
  })

  it('that reads a large table from end to end is a violation', async () => {
    const found = await violations(`select pontual.planted('x')`)
    expect(found).toEqual([expect.stringContaining('planted(): reads tenants from end to end')])
    expect(await violations(`select from pontual.tenants where name = 'tenant-1'`)).toEqual([])
  })

  it('that reads more rows of an index than it may is a violation', async () => {
    const text = `set enable_seqscan = off; select id from pontual.tenants where id > 0 order by id`
    expect(await violations(text)).toEqual([])
    expect(await violations(text, { rows: ROWS - 1 })).toEqual([
      expect.stringContaining(`reads more than ${ROWS - 1} rows of tenants`),
    ])
  })

  it('whose estimate is absurd, or that is compiled, is a violation', () => {
    const plan = { name: 'x', text: '', cost: 1e7, compiled: 3, scans: [] }
    expect(violationsOf([plan], new Set())).toEqual(['x: is compiled, in ', 'x: is estimated to cost 1.0e+7, in '])
  })
})

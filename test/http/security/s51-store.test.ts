import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { type Headers, jobFields, openSecured, type Secured } from './world.ts'

/** What every route says while the database is away is shown in `test/http/api/store-away.test.ts`. */
describe.skipIf(isPostgresSkipped())('S51 a database that cannot do what it is asked', () => {
  let database: TestDatabase
  let world: Secured
  let owner: pg.Client
  let ana: Headers
  beforeAll(async () => {
    database = await createDatabase()
    world = await openSecured({ store: postgres(await forPlainRole(database), { maxConnections: 2 }) })
    ana = await world.bearer()
    owner = new pg.Client({ connectionString: database.url })
    await owner.connect()
  })
  afterAll(async () => {
    await owner?.end()
    // What failed here failed for a reason, and is logged.
    await expect(world?.[Symbol.asyncDispose]()).rejects.toThrow(AggregateError)
    await database?.drop()
  })

  it('because it is read-only: 503 for who would change something, and an answer for who looks', async () => {
    const name = new URL(database.url).pathname.slice(1)
    await owner.query(`alter database "${name}" set default_transaction_read_only = on`)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    )
    await expect.poll(async () => (await world.ask(ana, 'GET', '/api/jobs')).status, { timeout: 10_000 }).toBe(200)
    const { status, body, headers, text } = await world.ask(ana, 'POST', '/api/jobs', { body: jobFields() })
    expect([status, body.code]).toEqual([503, 'unavailable'])
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(5)
    expect(text).not.toMatch(/read.only|postgres|SQL|25006/i)
    await owner.query('set default_transaction_read_only = off')
    await owner.query(`alter database "${name}" reset default_transaction_read_only`)
    await owner.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()`,
      [name],
    )
    await expect
      .poll(async () => (await world.ask(ana, 'POST', '/api/jobs', { body: jobFields() })).status, { timeout: 10_000 })
      .toBe(201)
  })

  it('because all its connections are taken: everybody is answered', async () => {
    const replies = await Promise.all(Array.from({ length: 60 }, () => world.ask(ana, 'GET', '/api/jobs?limit=1')))
    expect(replies.filter(({ status }) => status !== 200 && status !== 503)).toEqual([])
  })
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../../test/harness/postgres/database.ts'
import { systemEnv } from '../../../clock.ts'
import { type LogFields, loggerTo } from '../../../logger.ts'
import { firstUuidAt } from '../../../uuid.ts'
import type { EngineStore } from '../../store.ts'
import { postgres } from '../postgres.ts'

describe.skipIf(isPostgresSkipped())('room for the months to come', () => {
  let database: TestDatabase
  let admin: pg.Client
  const warnings: { readonly message: string; readonly fields: LogFields }[] = []

  beforeAll(async () => {
    database = await createDatabase()
    admin = new pg.Client({ connectionString: database.url })
    await admin.connect()
  })
  afterAll(async () => {
    await admin.end()
    await database.drop()
  })

  async function open(): Promise<EngineStore> {
    warnings.length = 0
    const logger = loggerTo((level, message, fields) => level === 'warn' && warnings.push({ message, fields }))
    return await postgres(database.url).open({ env: systemEnv, logger })
  }

  it('is not to be had for a month whose rows lie in the default partition, which is said once', async () => {
    const now = new Date()
    const nextMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
    const month = nextMonth.toISOString().slice(0, 7)
    await admin.query(`drop table pontual.results_${month.replace('-', '_')}`)
    const values = [firstUuidAt(nextMonth.getTime() + 1_000)]
    await admin.query(
      `insert into pontual.results (execution_id, status, attempt, epoch, is_reported, finished_at)
       values ($1, 'SUCCESS', 1, 1, true, now())`,
      values,
    )
    const store = await open()
    await store.maintain()
    expect(warnings).toMatchObject([{ fields: { table: 'results', month } }])
    expect(warnings[0]?.message).toContain('Rows of a month lie in the default partition')
    await store.close()
    await admin.query('delete from pontual.results where execution_id = $1', values)
  })

  it('that cannot be made does not keep a store from opening', async () => {
    await admin.query(`
      create or replace function pontual.no_room() returns event_trigger language plpgsql as
        $$ begin raise exception 'no room' using errcode = '53100'; end $$;
      create event trigger no_room on ddl_command_start when tag in ('CREATE TABLE') execute function pontual.no_room()`)
    try {
      const store = await open()
      expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('months to come')])
      expect(await store.nodes.list()).toEqual([])
      await expect(store.maintain()).rejects.toMatchObject({ code: 'store.exhausted' })
      await store.close()
    } finally {
      await admin.query('drop event trigger no_room')
    }
  })
})

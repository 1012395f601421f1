import pg from 'pg'
import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { describeCanary } from './canary.ts'

/** Every row of every table, as text. */
const EVERYTHING = `
select string_agg(found.rows, E'\\n') as dump
from pg_class
cross join lateral (
  select query_to_xml(format('select * from pontual.%I', relname), true, true, '')::text as rows
) as found
where relnamespace = 'pontual'::regnamespace
  and relkind in ('r', 'p')`

describe('memory', () => {
  describeCanary(() => memory())
})

describe.skipIf(isPostgresSkipped())('PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  describeCanary(() => postgres(database.url), {
    dump: async () => {
      const client = new pg.Client(database.url)
      await client.connect()
      try {
        const { rows } = await client.query<{ dump: string }>(EVERYTHING)
        return rows[0]?.dump ?? ''
      } finally {
        await client.end()
      }
    },
  })
})

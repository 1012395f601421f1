import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { createDatabase, isPostgresSkipped } from './database.ts'

describe.skipIf(isPostgresSkipped('stock'))('the PostgreSQL of the system', () => {
  it('runs with its default settings, and has the tables', async () => {
    const database = await createDatabase('stock')
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string }>(
        `select name from pg_settings
        where source in ('command line', 'environment variable') order by name`,
      )
      expect(rows.map(({ name }) => name)).toEqual(['fsync', 'listen_addresses', 'port', 'unix_socket_directories'])
      const { rows: settings } = await client.query(
        `select current_setting('jit') as jit, to_regclass('pontual.executions') is not null as tables`,
      )
      expect(settings).toEqual([{ jit: 'on', tables: true }])
    } finally {
      await client.end()
      await database.drop()
    }
  })
})

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { referencePages } from '../../scripts/reference/pages.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../postgres/database.ts'
import { ROOT } from './pages.ts'

describe.skipIf(isPostgresSkipped())('the generated pages of the reference', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await createDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterAll(async () => {
    await client?.end()
    await database?.drop()
  })

  it('are what node scripts/reference.mjs would write', async () => {
    const pages = await referencePages(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows)
    expect(pages.size).toBeGreaterThanOrEqual(22)
    const isCurrent = (path: string, text: string) =>
      existsSync(join(ROOT, path)) && readFileSync(join(ROOT, path), 'utf8') === text
    const stale = [...pages].filter(([path, text]) => !isCurrent(path, text)).map(([path]) => path)
    expect(stale, 'Run node scripts/reference.mjs').toEqual([])
  })
})

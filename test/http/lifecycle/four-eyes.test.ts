import { afterAll, beforeAll, describe, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { tryEverything } from './four-eyes.ts'

describe('I26: whatever people do at the same time, nothing runs that a second person has not approved', () => {
  it('in memory', async () => {
    await tryEverything(() => memory(), 100)
  })

  describe.skipIf(isPostgresSkipped())('on PostgreSQL', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })
    afterAll(() => database?.drop())

    it('with two nodes', { timeout: 180_000 }, async () => {
      await tryEverything(() => postgres(database.url), 12)
    })
  })
})

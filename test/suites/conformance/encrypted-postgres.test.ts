import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { describeStore } from './describe-store.ts'
import { throughEncryption } from './through-encryption.ts'

describe.skipIf(isPostgresSkipped())('PostgreSQL', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  describeStore('PostgreSQL, encrypted', () => throughEncryption(postgres(database.url)))
})

import { afterEach, beforeEach, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { describeEncryption } from './describe-encryption.ts'
import { describeRotation } from './rotation.ts'
import { describeSealedTransactions } from './transactions.ts'

describe.skipIf(isPostgresSkipped())('PostgreSQL, encrypted', () => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await createDatabase()
  })
  afterEach(() => database?.drop())

  describeEncryption(() => postgres(database.url, { maxConnections: 4 }))
  describeRotation(() => postgres(database.url, { maxConnections: 4 }))
  describeSealedTransactions(() => postgres(database.url, { maxConnections: 4 }))
})

import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../postgres/database.ts'
import { describeRequirement } from './suite.ts'

describe.skipIf(isPostgresSkipped())('the service', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  describeRequirement('PostgreSQL', () => postgres(database.url))
})

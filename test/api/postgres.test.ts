import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../postgres/database.ts'
import { describeConditional } from './conditional.ts'
import { describePermissionMatrix } from './permission-matrix.ts'
import { describeStreams } from './streams.ts'

describe.skipIf(isPostgresSkipped())('the API', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  const open = () => postgres(database.url)
  describePermissionMatrix('PostgreSQL', open, { isBrief: true })
  describeConditional('PostgreSQL', open)
  describeStreams('PostgreSQL', open)
})

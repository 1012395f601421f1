import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { describeArchived } from './archived.ts'
import { describeConditional } from './conditional.ts'
import { describeFigures } from './figures.ts'
import { describeKnowledge } from './knowledge.ts'
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
  describeFigures('PostgreSQL', open)
  describeKnowledge('PostgreSQL', open)
})

describe.skipIf(isPostgresSkipped())('the API over a database of its own', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  describeArchived('PostgreSQL', () => postgres(database.url))
})

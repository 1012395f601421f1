import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../../harness/postgres/database.ts'
import { describeRequirement, describeRequirementOfRest } from './suite.ts'

describe.skipIf(isPostgresSkipped())('the service', () => {
  let databases: readonly TestDatabase[]
  beforeAll(async () => {
    databases = await Promise.all([createDatabase(), createDatabase()])
  })
  afterAll(() => Promise.all(databases?.map((database) => database.drop()) ?? []))
  const [usual, encrypted] = [0, 1].map((at) => () => postgres(databases[at]?.url))

  describeRequirement('PostgreSQL', usual!)
  describeRequirementOfRest('PostgreSQL', encrypted!)
})

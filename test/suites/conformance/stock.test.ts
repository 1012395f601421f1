import { afterAll, beforeAll, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { describeStore } from './describe-store.ts'

/** The verbs whose speed depends most on the planner and on JIT. */
const only = ['search', 'search for executions', 'limits', 'rates', 'alerts']

describe.skipIf(isPostgresSkipped('stock'))('the PostgreSQL of the system, with its default settings', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase('stock')
  })
  afterAll(() => database?.drop())
  describeStore('one process', () => postgres(database.url), { only })
})

import { afterAll, beforeAll, describe } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { describeStore } from '../../suites/conformance/describe-store.ts'
import { throughTenants } from '../../suites/conformance/through-tenants.ts'

/** All that every store does, done for tenants, by a role that row security holds. */
describe.each(['14', '18'] as const)('PostgreSQL %s, for tenants', (version) => {
  describe.skipIf(isPostgresSkipped(version))('as a role that owns nothing', () => {
    let database: TestDatabase
    let url: string
    beforeAll(async () => {
      database = await createDatabase(version)
      url = await forPlainRole(database)
    })
    afterAll(() => database?.drop())
    describeStore('one process', () => throughTenants(postgres(url)))
  })
})

describeStore('PGlite, for tenants', () => throughTenants(pglite()))

import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { describeArchiveOnServer } from './archive-server.ts'
import { describeAuditOnServer } from './audit-server.ts'
import { describeAuditTogether } from './audit-together.ts'
import { Bench } from './bench.ts'
import { describeChainRaces } from './chain-races.ts'
import { describeStore } from './describe-store.ts'
import { describeDurableLocks } from './durable-locks.ts'
import { describeDurableRaces } from './durable-races.ts'
import { describeDurableTransactions } from './durable-transactions.ts'
import { describeLimitRaces } from './limit-races.ts'
import { describeRaces } from './races.ts'
import { describeRateRaces } from './rates.ts'
import { describeRowSecurity } from './row-security.ts'
import { describeStalePlans } from './stale-plans.ts'
import { describeTenantLists } from './tenant-lists.ts'
import { describeTransactions } from './transactions.ts'

/** All that every store does, and what only a server can show. */
export function describePostgres(version: ServerVersion): void {
  describeWith(version, (url, loginUrl) => {
    describeStore('one process', () => postgres(loginUrl()))
    describeRowSecurity(version)
    describeAuditOnServer(version)
    describeArchiveOnServer(version)
    describeDurableTransactions(() => postgres(url()))
    describeStalePlans(version)

    describe('the transaction of a caller', () => {
      const bench = new Bench(() => postgres(url()))
      beforeAll(() => bench.open())
      beforeEach(() => bench.begin())
      afterAll(() => bench.close())
      describeTransactions(bench, url)
    })
  })
}

/** What many do at once, and what has to be quick among much else. */
export function describePostgresTogether(version: ServerVersion): void {
  describeWith(version, (url) => {
    describe('several processes', () => {
      const bench = new Bench(() => postgres(url(), { maxConnections: 2 }))
      beforeAll(() => bench.open())
      beforeEach(() => bench.begin())
      afterAll(() => bench.close())
      describeRaces(bench, { claimers: 20, executions: 2_000, occurrences: 120, rounds: 40 })
      describeChainRaces(bench, url, 20)
      describeRateRaces(bench)
      describeLimitRaces(bench, url, 10)
      describeDurableRaces(bench, 20)
      describeDurableLocks(bench, url)
    })

    describeAuditTogether(version)
    describeTenantLists(version)
  })
}

function describeWith(version: ServerVersion, tests: (url: () => string, loginUrl: () => string) => void): void {
  describe.skipIf(isPostgresSkipped(version))(`PostgreSQL ${version}`, () => {
    let database: TestDatabase
    let loginUrl: string
    beforeAll(async () => {
      database = await createDatabase(version)
      loginUrl = await forPlainRole(database)
    })
    afterAll(() => database?.drop())
    tests(
      () => database.url,
      () => loginUrl,
    )
  })
}

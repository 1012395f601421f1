import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../harness/postgres/pgbouncer.ts'
import type { Server } from '../../harness/postgres/server.ts'
import { Bench } from './bench.ts'
import { describeStore } from './describe-store.ts'
import { describeRaces } from './races.ts'

const program = isPostgresSkipped() ? null : findPgBouncer()

describe.skipIf(program === null)('PostgreSQL behind PgBouncer in transaction mode', () => {
  let database: TestDatabase
  let bouncer: Server
  beforeAll(async () => {
    database = await createDatabase()
    bouncer = await startPgBouncer(program ?? '', database.url)
  })
  afterAll(async () => {
    await bouncer?.stop()
    await database?.drop()
  })

  // A connection that belongs to a client for one transaction at a time cannot listen.
  describeStore('one process', () => postgres(bouncer.url), { givesHints: false })

  describe('several processes', () => {
    const bench = new Bench(() => postgres(bouncer.url, { maxConnections: 2 }))
    beforeAll(() => bench.open())
    beforeEach(() => bench.begin())
    afterAll(() => bench.close())
    describeRaces(bench, { claimers: 20, executions: 1_000, occurrences: 60, rounds: 20 })
  })
})

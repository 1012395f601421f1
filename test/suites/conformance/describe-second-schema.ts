import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runDoctor } from '../../../src/cli/commands/doctor.ts'
import type { Finding } from '../../../src/cli/doctor/judgement.ts'
import { systemEnv } from '../../../src/clock.ts'
import { job, type Pontual, pontual } from '../../../src/index.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { testTerminal } from '../../http/cli/test-terminal.ts'
import { describeArchive } from './archive.ts'
import { describeAudit } from './audit.ts'
import { Bench } from './bench.ts'
import { describeStore } from './describe-store.ts'
import { describeDurableTransactions } from './durable-transactions.ts'
import { describeFailuresTold } from './failures-told.ts'
import { describeJobAlerts } from './job-alerts.ts'
import { describeRaces } from './races.ts'
import { describeTransactions } from './transactions.ts'

/** Contains the name that is replaced. */
const SCHEMA = 'pontual_two'

/** All that every store does, on a second schema of a database whose first schema runs jobs meanwhile. */
export function describeSecondSchema(only?: readonly string[]): void {
  describe.skipIf(isPostgresSkipped())('a second schema', () => {
    let database: TestDatabase
    let loginUrl: string
    let first: Pontual
    let isOver = false
    let running: Promise<number>
    const second = () => postgres(loginUrl, { schema: SCHEMA })
    const more: TestDatabase[] = []

    /** The second schema of another database, which holds nothing yet. */
    async function another(): Promise<StoreSource> {
      const created = await createDatabase()
      more.push(created)
      return postgres(created.url, { schema: SCHEMA })
    }

    beforeAll(async () => {
      database = await createDatabase()
      await forPlainRole(database)
      loginUrl = await forPlainRole(database, SCHEMA)
      first = pontual({
        store: postgres(loginUrl),
        jobs: [job('count', { run: ({ n }: { n: number }) => n + 1 })],
        tenantConcurrency: 2,
        logger: 'silent',
      })
      await first.start()
      running = countUp()
      // A test that fails earlier does not wait for it.
      running.catch(() => {})
    })
    afterAll(async () => {
      await first?.stop()
      await database?.drop()
      await Promise.all(more.map((each) => each.drop()))
    })

    /** Runs one execution after another until the tests are over. */
    async function countUp(): Promise<number> {
      let count = 0
      while (!isOver) {
        const { status, output } = await first.waitFor(await first.enqueue('count', { n: count }))
        if (status !== 'SUCCESS' || output !== count + 1) return -1
        count += 1
      }
      return count
    }

    describeStore('one process', second, only && { only })
    if (!only) {
      describeAudit('second schema', another)
      describeArchive('second schema', another)
      describeFailuresTold('second schema', another)
      describeJobAlerts('second schema', another)
      describeDurableTransactions(() => postgres(database.url, { schema: SCHEMA }))
      describe('several processes', () => {
        const bench = new Bench(() => postgres(loginUrl, { schema: SCHEMA, maxConnections: 2 }))
        beforeAll(() => bench.open())
        beforeEach(() => bench.begin())
        afterAll(() => bench.close())
        describeRaces(bench, { claimers: 10, executions: 500, occurrences: 40, rounds: 10 })
      })
    }

    describe('the transaction of a caller', () => {
      const bench = new Bench(second)
      beforeAll(() => bench.open())
      beforeEach(() => bench.begin())
      afterAll(() => bench.close())
      describeTransactions(bench, () => database.url)
    })

    it('is checked by pontual doctor', async () => {
      const terminal = testTerminal()
      await runDoctor({ json: true, databaseUrl: loginUrl, schema: SCHEMA }, {}, terminal).catch(() => {})
      const { checks } = JSON.parse(terminal.lines.join('')) as { checks: readonly Finding[] }
      const own = ['migrations', 'indexes', 'row security', 'roles', 'plans']
      expect(checks.filter(({ check }) => own.includes(check)).map(({ verdict }) => verdict)).toEqual(
        own.map(() => 'ok'),
      )
    })

    it('and the first one see nothing of each other', async () => {
      isOver = true
      expect(await running).toBeGreaterThan(0)
      const [one, other] = await Promise.all(
        [postgres(loginUrl), second()].map((source) => source.open({ env: systemEnv, logger: silentLogger })),
      )
      try {
        const job = { jobType: 'count', limit: 1 }
        expect(await one!.executions.list({ ...job, tenant: 'default' })).toHaveLength(1)
        expect(await other!.executions.list({ ...job, tenant: 'default' })).toEqual([])
      } finally {
        await Promise.all([one!.close(), other!.close()])
      }
    })
  })
}

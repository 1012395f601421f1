import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { pglite } from '../../../src/pglite.ts'
import { postgres } from '../../../src/postgres.ts'
import { verifyAudit } from '../../../src/service/audit/verify.ts'
import type { Driver, Statement } from '../../../src/store/driver/driver.ts'
import { openPgDriver } from '../../../src/store/driver/pg.ts'
import { openPgliteDriver } from '../../../src/store/driver/pglite.ts'
import { pgliteDatabase } from '../../../src/store/driver/pglite-database.ts'
import { migrate } from '../../../src/store/postgres/schema/migrate.ts'
import { readFunction, readMigration, readSchema, type Schema } from '../../../src/store/postgres/schema/sources.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { Bench, HOUR, success } from '../conformance/bench.ts'
import { heldOf } from '../conformance/durable-entries.ts'
import { ManualEnv } from '../conformance/manual-env.ts'

const DAY = 24 * HOUR
const KEPT = 90 * DAY

/** When what is in the file was stored last. */
const LEFT_AT = Date.UTC(2026, 6, 9, 12)

/** Some of the executions in the file, by what became of them. */
const IDS = {
  first: '019cdcc4-a200-7001-8706-c4ebfb2627fd',
  durable: '019f46bf-c200-7004-af96-c400b453413a',
  waiting: '019f46bf-c200-7006-b2e9-e11b21c58c1c',
  child: '019f46bf-c200-7008-a36b-446c1e1ae0ca',
  diverged: '019f46bf-c200-7009-a6b7-d5755306f549',
  leased: '019f46bf-c200-700d-85d5-56c82a0d87ff',
  queued: '019f46bf-c200-7010-a792-54768c8f4125',
  behind: '019f46bf-c200-7011-931a-1b0c1ec32cbf',
}

interface Place {
  readonly source: StoreSource
  /** Whether several can be at it at once. */
  readonly isShared: boolean
  connect(): Promise<Driver>
  drop(): Promise<void>
}

export async function onServer(version: '14' | '18'): Promise<Place> {
  const database = await createDatabase(version)
  const options = { maxConnections: 5, deadlineMs: 60_000, prepare: 'auto' } as const
  const connect = () => openPgDriver(database.url, options, { env: systemEnv, logger: silentLogger })
  return { source: postgres(database.url), isShared: true, connect, drop: () => database.drop() }
}

export async function inDirectory(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'pontual-upgrade-'))
  return {
    source: pglite(directory),
    isShared: false,
    connect: () => openPgliteDriver(pgliteDatabase(directory), silentLogger),
    drop: () => rm(directory, { recursive: true, force: true }),
  }
}

/** What every table holds of the columns it had, in an order of its own. */
async function contentsOf(
  driver: Driver,
  columns?: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const found =
    columns ??
    Object.fromEntries(
      (
        await driver.query<{ title: string; columns: string }>({
          name: 'columnsOfTables',
          text: `
select
  relname::text as title,
  string_agg(quote_ident(attname), ', ' order by attnum) as columns
from pg_class
join pg_attribute on attrelid = pg_class.oid
where relnamespace = 'pontual'::regnamespace
  and relkind in ('r', 'p')
  and not relispartition
  and attnum > 0
  and not attisdropped
  and relname not like 'schema\\_%'
group by relname`,
        })
      ).map(({ title, columns }) => [title, columns]),
    )
  const contents: Record<string, unknown> = { columns: found }
  for (const [title, listed] of Object.entries(found)) {
    const text = `select row(${listed})::text as line from pontual.${title} order by 1`
    contents[title] = await driver.query({ name: `contentsOf_${title}`, text })
  }
  return contents
}

const readTenants: Statement = { name: 'readTenants', text: 'select name from pontual.tenants' }
const readAudit: Statement = { name: 'readAudit', text: 'select count(*) from pontual.audit_entries' }
const readLocks: Statement = {
  name: 'readLocks',
  text: `
select count(*)::int as waiting
from pg_locks
where not granted
  and relation is not null`,
}

const readWake: Statement = {
  name: 'readWake',
  text: `select prosrc like '%Text of a later version%' as "isLater" from pg_proc where proname = 'wake'`,
}

/** The next version, as far as a test needs one: a changed table, and a function with another text. */
function laterVersion(): Schema {
  const schema = readSchema()
  const sql =
    'lock table pontual.tenants, pontual.audit_entries in access exclusive mode; alter table pontual.jobs add column later text;'
  const functions = schema.functions.map((each) =>
    each.name === 'wake'
      ? readFunction('wake', each.sql.replace(/^begin$/m, 'begin\n  -- Text of a later version.'))
      : each,
  )
  return {
    ...schema,
    version: '99.0.0',
    migrations: [...schema.migrations, readMigration('0002_later', sql)],
    functions,
  }
}

/** Begins something while somebody else uses the tables, in the order in which a node uses them at the end of an execution. */
async function whileInUse<Done>(driver: Driver, begin: () => Promise<Done>): Promise<Done> {
  const { begun } = await driver.transaction(async (node) => {
    await node.query(readTenants)
    const begun = begin()
    for (let waiting = 0; waiting === 0; ) waiting = (await node.query<{ waiting: number }>(readLocks))[0]?.waiting ?? 0
    await node.query(readAudit)
    return { begun }
  })
  return await begun
}

export function describeUpgrade(name: string, find: () => Promise<Place>): void {
  describe(`a database of version 1, on ${name}`, () => {
    let place: Place
    let driver: Driver
    let before: Record<string, unknown>
    // Other ids than those in the file.
    const bench = new Bench(() => place.source, new ManualEnv(LEFT_AT + HOUR, 7))

    beforeAll(async () => {
      place = await find()
      driver = await place.connect()
      await driver.script('drop schema if exists pontual cascade')
      await migrate(driver)
      await driver.script(readFileSync(new URL('at-0001.sql', import.meta.url), 'utf8'))
      before = await contentsOf(driver)
    })
    afterAll(async () => {
      await bench.close()
      await driver?.close()
      await place?.drop()
    })

    it('is migrated by one of those who come at once, and then by nobody', async () => {
      const later = laterVersion()
      const all = () => Promise.all([migrate(driver, later), migrate(driver, later), migrate(driver, later)])
      const reports = await (place.isShared ? whileInUse(driver, all) : all())
      const changes = reports.filter(({ applied, functions }) => applied.length + functions > 0)
      expect(changes).toEqual([{ version: 2, applied: ['0002_later'], functions: 1, isNew: false }])
      expect(await migrate(driver, later)).toEqual({ version: 2, applied: [], functions: 0, isNew: false })
    })

    it('is refused to a node of the version before, which changes nothing', async () => {
      await expect(migrate(driver)).rejects.toMatchObject({ code: 'store.database_newer' })
      await driver.script('delete from pontual.schema_migrations where version = 2')
      expect(await migrate(driver)).toEqual({ version: 1, applied: [], functions: 0, isNew: false })
      expect(await driver.query(readWake)).toEqual([{ isLater: true }])
    })

    it('keeps every row', async () => {
      const after = await contentsOf(driver, before['columns'] as Record<string, string>)
      for (const table of Object.keys(before)) expect([table, after[table]]).toEqual([table, before[table]])
    })

    it('has chains that hold, and go on', async () => {
      await bench.open()
      const { audit } = bench.store
      expect(await audit.isEnabled()).toBe(true)
      const entry = { operation: 'JOBS_JOB_UPDATE', userId: 'ana', jobId: null, executionId: null } as const
      for (const tenant of ['acme', 'globex']) {
        expect(await verifyAudit(audit, tenant)).toMatchObject({ isIntact: true, entries: 12 })
        await audit.append([{ ...entry, tenant, oldValues: null, newValues: { is: 'new' } }])
        expect(await verifyAudit(audit, tenant)).toMatchObject({ isIntact: true, entries: 13 })
      }
    })

    it('holds every table and partition to its tenants', async () => {
      const text = `
select relname::text as name
from pg_class
where relnamespace = 'pontual'::regnamespace
  and relkind in ('r', 'p')
  and not (relrowsecurity and relforcerowsecurity)
order by relname`
      expect(await driver.query({ name: 'unsecured', text })).toEqual([
        { name: 'schema_functions' },
        { name: 'schema_migrations' },
      ])
      expect(await bench.store.forTenant('globex').audit.list({ tenant: 'acme', limit: 10 })).toEqual([])
      expect(await bench.store.forTenant('globex').audit.list({ tenant: 'globex', limit: 100 })).toHaveLength(13)
    })

    it('gives webhooks what they need, and keeps keys and sessions', async () => {
      const { settings, credentials } = bench.store
      const stored = await settings.find('acme')
      expect(stored?.settings).toMatchObject({ adminAddresses: ['ana@acme.test'], language: 'pt-BR', concurrency: 5 })
      expect(stored?.settings.webhooks).toMatchObject([{ url: 'https://hooks.acme.test/a', events: ['job.failed'] }])
      expect(await credentials.findKey('ab'.repeat(32))).toMatchObject({ tenant: 'acme', profile: 'Admin' })
      expect(await credentials.findSession('cd'.repeat(32))).toMatchObject({ userId: 'ana' })
    })

    it('goes on with what had not ended', async () => {
      const { leases, histories, executions } = bench.store
      expect(await leases.recover({ silentForMs: null, limit: 10 })).not.toEqual([])
      expect(await histories.lastCheckpoint(IDS.leased)).toBe('{"at":7}')
      expect(await bench.find(IDS.behind)).toMatchObject({ status: 'WAITING' })
      const nodeId = await bench.node({ jobTypes: ['import', 'child'] })
      const ended: string[] = []
      for (let round = 0; round < 3; round++) {
        await leases.promote(100)
        for (const held of await bench.claim(nodeId, { jobTypes: ['import', 'child'] })) {
          if (held.executionId === IDS.waiting) {
            const [loaded] = await histories.load([heldOf(held)])
            expect(loaded?.entries).toMatchObject([{ sequence: 1 }, { childId: IDS.child }])
            expect(loaded?.children).toMatchObject([{ executionId: IDS.child, output: '"done"' }])
          }
          ended.push(held.executionId)
          await leases.finish([success(held, { output: '"done"' })])
        }
      }
      expect(ended).toEqual(expect.arrayContaining([IDS.queued, IDS.behind, IDS.child, IDS.waiting, IDS.leased]))
      expect(await histories.cut(IDS.diverged, 2)).toBe(true)
      const again = bench.execution({ tenant: 'acme', idempotencyKey: 'once', payload: '{"a":1}' })
      expect(await executions.enqueue([again])).toMatchObject([{ id: IDS.queued, isNew: false }])
    })

    it('archives what is old, and reads it as it was', async () => {
      const { archive, executions, audit, histories } = bench.store
      const all = { limit: 1_000, archived: true } as const
      const known = await executions.list(all)
      const entries = await audit.list({ tenant: 'acme', ...all })
      const told = await histories.read(IDS.durable)
      expect(told).toHaveLength(2)
      bench.advance(200 * DAY)
      await bench.store.maintain()
      for (const part of await archive.due(KEPT)) expect([part, await archive.move(part, KEPT)]).toEqual([part, 'done'])
      while ((await archive.moveLate(KEPT, 100)) !== 0);
      expect(await executions.find([IDS.first])).toEqual([])
      expect(await executions.list(all)).toEqual(known)
      expect(await audit.list({ tenant: 'acme', ...all })).toEqual(entries)
      expect(await audit.list({ tenant: 'acme', limit: 10 })).toEqual([])
      expect(await histories.read(IDS.durable, { archived: true })).toEqual(told)
      for (const tenant of ['acme', 'globex'])
        expect(await verifyAudit(audit, tenant)).toMatchObject({ isIntact: true })
    })
  })
}

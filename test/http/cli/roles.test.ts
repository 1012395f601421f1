import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDoctor } from '../../../src/cli/commands/doctor.ts'
import { migrateDatabase } from '../../../src/cli/commands/migrate.ts'
import type { Finding } from '../../../src/cli/doctor/judgement.ts'
import { systemEnv } from '../../../src/clock.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { silentLogger } from '../../../src/logger.ts'
import { pontual } from '../../../src/pontual.ts'
import { postgres } from '../../../src/postgres.ts'
import { openPgDriver } from '../../../src/store/driver/pg.ts'
import { migrate as migrateWith } from '../../../src/store/postgres/schema/migrate.ts'
import type { SeparatedRoles } from '../../../src/store/postgres/schema/roles.ts'
import { readMigration, readSchema } from '../../../src/store/postgres/schema/sources.ts'
import { firstUuidAt } from '../../../src/uuid.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { type Server, startServer } from '../../harness/postgres/server.ts'
import { openSecured } from '../security/world.ts'
import { testTerminal } from './test-terminal.ts'

const VERSIONS: readonly ServerVersion[] = ['stock', '18', '14']
const FORBIDDEN = '42501'
const containing = (text: string): unknown => expect.stringContaining(text)

describe.each(VERSIONS)('pontual migrate on PostgreSQL %s', (version) => {
  describe.skipIf(isPostgresSkipped(version))('separates the owner of the tables from the login role', () => {
    // Its own server, because all databases of a server share roles.
    let server: Server
    let admin: pg.Client
    beforeAll(async () => {
      server = await startServer({ version })
      admin = new pg.Client({ connectionString: server.url })
      await admin.connect()
      await admin.query('create role dba login createrole; create role app login')
    })
    afterAll(async () => {
      await admin?.end()
      await server?.stop()
    })

    const url = (role: string, database: string) =>
      Object.assign(new URL(server.url), { username: role, pathname: `/${database}` }).href

    async function migrate(databaseUrl: string, options: { login?: string; owner?: string } = {}) {
      const terminal = testTerminal()
      await migrateDatabase({ databaseUrl, print: false, json: true, ...options }, terminal)
      return JSON.parse(terminal.lines.join('')) as { applied: string[]; roles: SeparatedRoles | null }
    }

    async function run(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      try {
        return (await client.query<Record<string, unknown>>(sql)).rows
      } finally {
        await client.end()
      }
    }

    const stateOf = (databaseUrl: string, sql: string): Promise<string> =>
      run(databaseUrl, sql).then(
        () => 'none',
        (error: { code?: string }) => error.code ?? 'none',
      )

    const owners = async (database: string) =>
      await run(
        url('postgres', database),
        `select distinct pg_get_userbyid(owned.owner) as owner
        from (
          select nspowner as owner from pg_namespace where nspname = 'pontual'
          union all select relowner from pg_class where relnamespace = 'pontual'::regnamespace
          union all select proowner from pg_proc where pronamespace = 'pontual'::regnamespace
          union all select typowner from pg_type where typnamespace = 'pontual'::regnamespace
        ) as owned
        order by 1`,
      )

    async function doctor(databaseUrl: string): Promise<Finding | undefined> {
      const terminal = testTerminal()
      await runDoctor({ json: true, databaseUrl }, {}, terminal).catch(() => {})
      const { checks } = JSON.parse(terminal.lines.join('')) as { readonly checks: readonly Finding[] }
      return checks.find(({ check }) => check === 'roles')
    }

    describe('in a new database', () => {
      beforeAll(async () => {
        await admin.query('create database fresh owner dba')
        const { roles } = await migrate(url('dba', 'fresh'))
        expect(roles).toEqual({ owner: 'pontual_owner', login: 'pontual_app', isNew: true, refusal: null, sql: null })
      })
      const login = () => url('pontual_app', 'fresh')

      it('without options, if it may create roles', async () => {
        expect(await owners('fresh')).toEqual([{ owner: 'pontual_owner' }])
        const { rows } = await admin.query('select rolcanlogin from pg_roles where rolname = $1', ['pontual_owner'])
        expect(rows).toEqual([{ rolcanlogin: false }])
        expect(await doctor(login())).toMatchObject({
          verdict: 'ok',
          text: 'separated: the tables belong to pontual_owner, which pontual_app cannot become',
        })
        expect(await doctor(url('dba', 'fresh'))).toMatchObject({
          verdict: 'warn',
          text: containing('Separated, but dba can become pontual_owner'),
        })
      })

      it('and lets the login role run a whole service', async () => {
        const world = await openSecured({ store: postgres(login(), { maxConnections: 2 }) })
        try {
          const ana = await world.bearer()
          const id = await world.job(ana, { jobType: 'Importar' })
          expect((await world.ask(ana, 'POST', `/api/jobs/${id}/execute`)).status).toBe(202)
          await world.test.app.start()
          await expect
            .poll(
              async () => {
                await world.test.advance('1s')
                const { text } = await world.ask(ana, 'GET', `/api/jobs/${id}/history`)
                return text
              },
              { timeout: 20_000 },
            )
            .toContain('"SUCCESS"')
          const { body } = await world.ask(ana, 'GET', '/api/jobs/audit-log/verify')
          expect(body).toMatchObject({ isIntact: true })
          expect((await world.ask(ana, 'GET', '/api/jobs/audit-log')).text).toContain('JOBS_JOB_EXECUTE')
        } finally {
          await world[Symbol.asyncDispose]()
        }
      })

      it.each([
        'alter table pontual.audit_entries disable trigger all',
        'alter table pontual.results disable trigger results_audited',
        'drop trigger audit_entries_append_only on pontual.audit_entries',
        'drop trigger results_audited on pontual.results',
        `update pontual.audit_entries set user_id = 'eve'`,
        'delete from pontual.audit_entries',
        'truncate pontual.audit_entries',
        'insert into pontual.audit_entries select * from pontual.audit_entries',
        'delete from pontual.audit_entries_default',
        'update pontual.audit_heads set sequence = 0',
        'truncate pontual.jobs cascade',
        `delete from pontual.settings where name = 'audit'`,
        `update pontual.settings set name = 'other' where name = 'audit'`,
        'drop trigger audit_stays_on on pontual.settings',
        'drop function pontual.refuse_to_rewrite() cascade',
        'drop function pontual.audit_ends() cascade',
        `create or replace function pontual.refuse_to_rewrite() returns trigger language plpgsql as 'begin return null; end'`,
        'alter function pontual.write_audit(text[], timestamptz[], text[], text[], uuid[], uuid[], text[], text[]) owner to current_user',
        'alter table pontual.audit_entries no force row level security',
        'drop table pontual.audit_entries',
        'create table pontual.other (a integer)',
        'drop schema pontual cascade',
        'alter schema pontual owner to current_user',
        'delete from pontual.schema_migrations',
        'delete from pontual.schema_functions',
        'set role pontual_owner',
        'grant pontual_owner to current_user',
        'set session_replication_role = replica',
      ])('that role may not: %s', async (sql) => {
        expect(await stateOf(login(), sql)).toBe(FORBIDDEN)
      })

      it('that role makes partitions, which belong to the owner, and a tenant may not', async () => {
        const now = Date.UTC(2031, 4, 5)
        const store = await postgres(login()).open({ env: systemEnv, logger: silentLogger, now: () => now })
        await store.close()
        expect(await owners('fresh')).toEqual([{ owner: 'pontual_owner' }])
        const made = await run(
          url('postgres', 'fresh'),
          `select count(*)::int as count
          from pg_class
          where relnamespace = 'pontual'::regnamespace
            and relname ~ '_2031_\\d\\d$'
            and relkind = 'r'
            and relispartition
            and relrowsecurity
            and relforcerowsecurity`,
        )
        // Five months of six tables.
        expect(made).toEqual([{ count: 30 }])
        for (const sql of ['update', 'delete from', 'truncate']) {
          const rest = sql === 'update' ? `set user_id = 'eve'` : ''
          expect(await stateOf(login(), `${sql} pontual.audit_entries_2031_05 ${rest}`)).toBe(FORBIDDEN)
        }
        const asTenant = `begin; set local role pontual_api; select pontual.add_partition('executions', '2032-01-01')`
        expect(await stateOf(login(), asTenant)).toBe(FORBIDDEN)
        expect(await stateOf(login(), `select pontual.add_partition('jobs', '2032-01-01')`)).toBe('22023')
      })

      it('what is older than five years is archived, cleared and dropped by that role', async () => {
        const year = new Date().getUTCFullYear() - 7
        const id = firstUuidAt(Date.UTC(year, 2, 3))
        await run(
          url('postgres', 'fresh'),
          `insert into pontual.executions (id, lane, priority, origin, max_attempts, created_at)
          select '${id}', id, 2, 'enqueue', 1, '${year}-03-03' from pontual.lanes limit 1;
          alter table pontual.results disable trigger user;
          insert into pontual.results (execution_id, status, attempt, epoch, is_reported, finished_at)
          values ('${id}', 'SUCCESS', 1, 1, true, '${year}-03-03');
          alter table pontual.results enable trigger user`,
        )
        const store = await postgres(login()).open({ env: systemEnv, logger: silentLogger })
        try {
          expect(await store.archive.moveLate(90 * 86_400_000, 100)).toBe(1)
          const [month] = await store.archive.expired()
          expect(month).toMatchObject({ kind: 'executions', name: `${year}_03` })
          expect(await store.archive.clear(month!, null, 100)).toMatchObject({ count: 1 })
          expect(await store.archive.drop(month!)).toBe('done')
          expect(await store.archive.expired()).toEqual([])
        } finally {
          await store.close()
        }
      })

      it('a pending function is refused to that role, and named with the command', async () => {
        await run(url('postgres', 'fresh'), `update pontual.schema_functions set checksum = '-' where name = 'wake'`)
        const opening = postgres(login()).open({ env: systemEnv, logger: silentLogger })
        await expect(opening).rejects.toMatchObject({
          code: 'store.migration_refused',
          message: `The database lacks the function wake, and the role "pontual_app" cannot act as "pontual_owner", which owns the tables. Run "npx pontual migrate" as a role that can, such as the one that created "pontual_owner", or a superuser.`,
        })
        await migrate(url('postgres', 'fresh'))
      })

      it('the role that migrated can run nodes as before', async () => {
        const app = pontual({
          store: postgres(url('dba', 'fresh')),
          jobs: [job('x', { run: () => 1 })],
          logger: 'silent',
        })
        await app.start()
        expect(await app.waitFor(await app.enqueue('x', {}))).toMatchObject({ status: 'SUCCESS' })
        await app.stop()
      })

      it('a second database on the server is left simple unless a role is named', async () => {
        await admin.query('create database second owner dba')
        expect((await migrate(url('dba', 'second'))).roles).toBeNull()
        expect(await owners('second')).toEqual([{ owner: 'dba' }])
      })
    })

    describe('in a database whose nodes run as the owner', () => {
      beforeAll(async () => {
        await admin.query('create database used owner app')
      })
      const app = () => url('app', 'used')

      it('prints the SQL if it may not, and an administrator can run it repeatedly while nodes run', async () => {
        const first = await migrate(app(), { login: 'app', owner: 'used_owner' })
        expect(first.roles).toMatchObject({ refusal: containing('cannot take the tables away from itself') })
        expect(await doctor(app())).toMatchObject({
          verdict: 'warn',
          text: 'Simple: the tables belong to app, so a node that logs in as app can disable the audit log.',
          remedy: containing('npx pontual migrate --login <role>'),
        })
        let ran = 0
        const node = pontual({
          store: postgres(app(), { maxConnections: 4 }),
          jobs: [job('count', { run: () => ++ran })],
          logger: 'silent',
          node: { slots: 10 },
        })
        await node.start()
        let isOver = false
        const enqueueing = (async () => {
          const ids: string[] = []
          while (!isOver) ids.push((await node.enqueue('count', {})).id ?? '')
          return ids.length
        })()
        await expect.poll(() => ran).toBeGreaterThan(20)
        for (let time = 0; time < 2; time++) await run(url('postgres', 'used'), first.roles?.sql ?? '')
        const before = ran
        await expect.poll(() => ran).toBeGreaterThan(before + 20)
        isOver = true
        const count = await enqueueing
        await expect.poll(() => ran, { timeout: 20_000 }).toBe(count)
        await node.stop()
        expect(await owners('used')).toEqual([{ owner: 'used_owner' }])
        expect(await doctor(app())).toMatchObject({ verdict: 'ok' })
        expect(await stateOf(app(), 'alter table pontual.results disable trigger user')).toBe(FORBIDDEN)
        const store = await postgres(app()).open({ env: systemEnv, logger: silentLogger })
        expect(store.isolationRemedy).toBeNull()
        await store.close()
      })

      it('leaves the roles that owned tables what nodes need', async () => {
        await admin.query('create database moved owner app')
        await run(url('postgres', 'moved'), 'create table public.own (a integer); alter table public.own owner to app')
        await migrate(app().replace('/used', '/moved'))
        const { roles } = await migrate(url('postgres', 'moved'), { login: 'another node' })
        expect(roles).toMatchObject({ owner: 'pontual_owner', login: 'another node', isNew: true })
        for (const role of ['app', 'another node']) {
          const store = await postgres(url(role, 'moved')).open({ env: systemEnv, logger: silentLogger })
          expect(store.isolationRemedy).toBeNull()
          await store.audit.enable()
          await store.close()
          expect(await doctor(url(role, 'moved'))).toMatchObject({ verdict: 'ok' })
        }
        // Only the schema of Pontual changes its owner.
        expect(
          await run(
            url('postgres', 'moved'),
            `select pg_get_userbyid(relowner) as owner from pg_class where relname = 'own'`,
          ),
        ).toEqual([{ owner: 'app' }])
      })

      it('later migrations are applied as the owner, whichever role runs them, and reach the login roles', async () => {
        const login = url('another node', 'moved')
        let schema = readSchema()
        for (const role of ['postgres', 'app']) {
          const version = schema.migrations.length + 1
          const sql = `create table pontual.later_${role} (tenant text); select pontual.secure_rows();`
          const later = readMigration(`${String(version).padStart(4, '0')}_later`, sql)
          schema = { ...schema, migrations: [...schema.migrations, later] }
          const driver = await openPgDriver(
            url(role, 'moved'),
            { maxConnections: 1, deadlineMs: 30_000, prepare: false },
            { env: systemEnv, logger: silentLogger },
          )
          try {
            const migrated = migrateWith(driver, schema)
            if (role === 'app') await expect(migrated).rejects.toMatchObject({ code: 'store.migration_refused' })
            else expect((await migrated).applied).toHaveLength(1)
          } finally {
            await driver.close()
          }
        }
        expect(await owners('moved')).toEqual([{ owner: 'pontual_owner' }])
        expect(await stateOf(login, `insert into pontual.later_postgres values ('acme')`)).toBe('none')
      })

      it('is done by a role that may create roles and is a member of the owner until then', async () => {
        await run(url('dba', 'fresh'), 'create role made login; grant made to dba')
        await admin.query('create database own owner made')
        await migrate(url('made', 'own'))
        const { roles } = await migrate(url('dba', 'own'), { login: 'made' })
        expect(roles).toMatchObject({ login: 'made', isNew: false, refusal: null })
        expect(await owners('own')).toEqual([{ owner: 'pontual_owner' }])
        expect(await doctor(url('made', 'own'))).toMatchObject({ verdict: 'ok' })
      })

      it('refuses a login role that could become the owner, and an owner that can log in', async () => {
        await admin.query('create role strong login superuser')
        const unfit = (options: { login?: string; owner?: string }) => migrate(url('postgres', 'used'), options)
        await expect(unfit({ login: 'strong' })).rejects.toMatchObject({
          code: 'store.role_unfit',
          message: containing('The role "strong" can become the owner of the tables'),
        })
        await expect(unfit({ login: 'app', owner: 'dba' })).rejects.toMatchObject({
          code: 'store.role_unfit',
          message: containing('The role "dba" cannot own the tables'),
        })
        await expect(unfit({ login: 'same', owner: 'same' })).rejects.toMatchObject({ code: 'store.role_invalid' })
        expect(await owners('used')).toEqual([{ owner: 'used_owner' }])
      })
    })
  })
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import { unsecuredTables } from '../../harness/postgres/unsecured-tables.ts'
import { type Headers, openSecured, type Secured } from './world.ts'

const FORBIDDEN = '42501'

describe.skipIf(isPostgresSkipped())('on PostgreSQL', () => {
  let database: TestDatabase
  let world: Secured
  let owner: pg.Client
  let client: pg.Client
  let [ana, sam]: [Headers, Headers] = [{}, {}]
  beforeAll(async () => {
    database = await createDatabase()
    const url = await forPlainRole(database)
    world = await openSecured({ store: postgres(url, { maxConnections: 2 }) })
    ;[ana, sam] = [await world.bearer(), await world.bearer({ sub: 'sam', clienteId: 'globex' })]
    owner = new pg.Client({ connectionString: database.url })
    client = new pg.Client({ connectionString: url })
    await Promise.all([owner.connect(), client.connect()])
    for (const headers of [ana, sam]) await world.job(headers)
  })
  afterAll(async () => {
    await Promise.all([owner?.end(), client?.end()])
    await world?.[Symbol.asyncDispose]()
    await database?.drop()
  })

  /** The SQLSTATE of a statement of a role, or `none`. */
  async function stateOf(sql: string, role: 'pontual_api' | 'pontual_engine', tenant?: string): Promise<string> {
    await client.query('begin')
    try {
      await client.query(`set local role ${role}`)
      if (tenant !== undefined) await client.query(`select set_config('pontual.tenant', $1, true)`, [tenant])
      await client.query(sql)
      return 'none'
    } catch (error) {
      return (error as { code?: string }).code ?? 'none'
    } finally {
      await client.query('rollback')
    }
  }

  async function seen(sql: string, ...settings: readonly string[]): Promise<string[]> {
    await client.query('begin')
    try {
      await client.query('set local role pontual_api')
      for (const setting of settings) await client.query(setting)
      return (await client.query<{ tenant: string }>(sql)).rows.map(({ tenant }) => tenant)
    } finally {
      await client.query('rollback')
    }
  }

  describe('S16 the audit log takes nothing back', () => {
    it.each(['PUT', 'PATCH', 'DELETE', 'POST'])('%s', async (method) => {
      expect((await world.ask(ana, method, '/api/jobs/audit-log')).status).toBe(405)
    })

    const statements = [
      `update pontual.audit_entries set user_id = 'bia'`,
      'delete from pontual.audit_entries',
      'truncate pontual.audit_entries',
      'alter table pontual.audit_entries disable trigger all',
      'drop table pontual.audit_entries',
      `set session_replication_role = replica`,
    ]
    it.each(statements)('as the role of tenants: %s', async (sql) => {
      expect(await stateOf(sql, 'pontual_api', 'acme')).toBe(FORBIDDEN)
    })
    it.each(statements)('as the role of the engine: %s', async (sql) => {
      expect(await stateOf(sql, 'pontual_engine')).toBe(FORBIDDEN)
    })

    it('its owner is stopped by triggers, and is not whom the service runs as', async () => {
      for (const sql of statements.slice(0, 3)) await expect(owner.query(sql)).rejects.toThrow(/audit/i)
      const { rows } = await owner.query<{ owner: string }>(
        `select pg_get_userbyid(relowner) as owner from pg_class where oid = 'pontual.audit_entries'::regclass`,
      )
      expect(['pontual_api', 'pontual_engine', 'pontual_plain']).not.toContain(rows[0]?.owner)
    })
  })

  describe('S17 the chain', () => {
    it('is one, however many write to it at once', async () => {
      await Promise.all(Array.from({ length: 30 }, () => world.job(ana)))
      expect((await world.ask(ana, 'GET', '/api/jobs/audit-log/verify')).body).toMatchObject({ isIntact: true })
    })

    it('whose newest entry is gone is told from one that ended there', async () => {
      const before = (await world.ask(ana, 'GET', '/api/jobs/audit-log/verify')).body
      await owner.query('begin')
      await owner.query(`set local session_replication_role = replica`)
      const { rows } = await owner.query<{ sequence: number }>(
        `delete from pontual.audit_entries
        where tenant = 'acme'
          and sequence = (select max(sequence) from pontual.audit_entries where tenant = 'acme')
        returning sequence::int as sequence`,
      )
      await owner.query('commit')
      const { body } = await world.ask(ana, 'GET', '/api/jobs/audit-log/verify')
      expect(before['isIntact']).toBe(true)
      expect(body).toMatchObject({ isIntact: false, sequence: rows[0]?.sequence })
    })
  })

  describe('S18 row security', () => {
    it('is on and forced for every table but the list of migrations', async () => {
      expect(await unsecuredTables(owner)).toEqual(['schema_functions', 'schema_migrations'])
    })

    it('holds the role of tenants, which owns nothing and passes by no policy', async () => {
      const { rows } = await owner.query(
        `select rolcanlogin or rolsuper or rolbypassrls or rolcreaterole as "isStrong"
        from pg_roles
        where rolname in ('pontual_api', 'pontual_engine')`,
      )
      expect(rows).toEqual([{ isStrong: false }, { isStrong: false }])
    })

    const jobs = 'select distinct tenant from pontual.jobs'
    it.each<[string, readonly string[], readonly string[]]>([
      ['shows its own', [`select set_config('pontual.tenant', 'acme', true)`], ['acme']],
      ['shows nothing without a tenant', [], []],
      ['shows nothing for an empty one', [`select set_config('pontual.tenant', '', true)`], []],
      ['shows nothing for one that is no name', [`select set_config('pontual.tenant', '%', true)`], []],
    ])('%s', async (_what, settings, expected) => {
      expect(await seen(jobs, ...settings)).toEqual(expected)
    })

    it('shows nothing after the transaction that had a tenant', async () => {
      await client.query('begin')
      await client.query(`select set_config('pontual.tenant', 'acme', true)`)
      await client.query('commit')
      const { rows } = await client.query(`select current_setting('pontual.tenant', true) as tenant`)
      expect(rows).toEqual([{ tenant: '' }])
      expect(await seen(jobs)).toEqual([])
    })

    it('lets nothing be written for another tenant', async () => {
      const sql = `insert into pontual.calendars (tenant, name, definition) values ('globex', 'x', '{}')`
      expect(await stateOf(sql, 'pontual_api', 'acme')).toBe(FORBIDDEN)
      expect(await stateOf(`update pontual.jobs set tenant = 'globex'`, 'pontual_api', 'acme')).toBe(FORBIDDEN)
    })
  })

  describe('S19 connections that are used by turns', () => {
    it('give nobody what is another’s, also after requests that failed or were given up', async () => {
      const names = { acme: await nameOf(ana), globex: await nameOf(sam) }
      const turns = Array.from({ length: 150 }, async (_, turn) => {
        const [headers, other] = turn % 2 === 0 ? [ana, names.globex] : [sam, names.acme]
        if (turn % 5 === 0) await givenUp(headers)
        if (turn % 7 === 0)
          await world.ask(headers, 'POST', '/api/jobs', { body: { name: names.acme, jobType: 'none' } })
        const { status, text } = await world.ask(headers, 'GET', '/api/jobs?limit=200')
        expect(status, text).toBe(200)
        expect(text).not.toContain(`"${other}"`)
      })
      await Promise.all(turns)
    })

    async function nameOf(headers: Headers): Promise<string> {
      const id = await world.job(headers, { name: `only of ${crypto.randomUUID()}` })
      return String((await world.ask(headers, 'GET', `/api/jobs/${id}`)).body['name'])
    }

    async function givenUp(headers: Headers): Promise<void> {
      const controller = new AbortController()
      const asked = fetch(`${world.url}/api/jobs/audit-log?limit=200`, { headers, signal: controller.signal })
      setImmediate(() => controller.abort())
      await asked
        .then(
          (answer) => answer.text(),
          () => '',
        )
        .catch(() => '')
    }
  })
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runDoctor } from '../../../src/cli/commands/doctor.ts'
import type { Finding } from '../../../src/cli/doctor/judgement.ts'
import { systemEnv } from '../../../src/clock.ts'
import { silentLogger } from '../../../src/logger.ts'
import { postgres } from '../../../src/postgres.ts'
import type { ServerVersion } from '../../harness/postgres/binaries.ts'
import { isPostgresSkipped } from '../../harness/postgres/database.ts'
import { type Server, startServer } from '../../harness/postgres/server.ts'
import { Bench } from '../../suites/conformance/bench.ts'
import { fillTables } from '../../suites/plans/rows.ts'
import { testTerminal } from './test-terminal.ts'

const VERSIONS: readonly ServerVersion[] = ['stock', '18', '14']
const containing = (text: string): unknown => expect.stringContaining(text)

describe.each(VERSIONS)('pontual doctor on the plans of PostgreSQL %s', (version) => {
  describe.skipIf(isPostgresSkipped(version))('of the frequent statements', () => {
    // Its own server, because all databases of a server share roles and their settings.
    let server: Server
    let client: pg.Client
    const url = (role = 'app') => Object.assign(new URL(server.url), { username: role, pathname: '/jobs' }).href

    async function plans(databaseUrl = url()): Promise<Finding | undefined> {
      const terminal = testTerminal()
      await runDoctor({ json: true, databaseUrl }, {}, terminal).catch(() => {})
      const { checks } = JSON.parse(terminal.lines.join('')) as { readonly checks: readonly Finding[] }
      return checks.find(({ check }) => check === 'plans')
    }

    beforeAll(async () => {
      server = await startServer({ version })
      const admin = new pg.Client({ connectionString: server.url })
      await admin.connect()
      await admin.query('create role app login createrole')
      await admin.query('create database jobs owner app')
      await admin.end()
      const bench = new Bench(() => postgres(url()))
      await bench.open()
      await bench.store.audit.enable()
      client = new pg.Client({ connectionString: url('postgres') })
      await client.connect()
      await fillTables(client, bench)
      await bench.close()
      await client.query('vacuum analyze')
      const store = await postgres(url()).open({ env: systemEnv, logger: silentLogger })
      await store.close()
    })
    afterAll(async () => {
      await client?.end()
      await server?.stop()
    })

    const rows = async () =>
      (
        await client.query<{ ready: number; leases: number }>(
          'select (select count(*) from pontual.ready) as ready, (select count(*) from pontual.leases) as leases',
        )
      ).rows

    it('finds nothing in a database as it was made, and changes nothing', async () => {
      const before = await rows()
      expect(await plans()).toMatchObject({ verdict: 'ok', remedy: null })
      expect(await rows()).toEqual(before)
    })

    // From PostgreSQL 18 on a setting that forbids a plan adds nothing to the estimate.
    const expensive = version === '18' ? '' : 'claimExecutions (5.0e+10)'
    it.each<[string, string, string, string]>([
      ['a role', 'role app', 'for the role app', 'alter role "app" reset enable_sort;'],
      ['a database', 'database jobs', 'for the database jobs', 'alter database "jobs" reset enable_sort;'],
      [
        'a role in a database',
        'role app in database jobs',
        'for the role app in the database jobs',
        'alter role "app" in database "jobs" reset enable_sort;',
      ],
      ['all roles', 'role all', 'for all roles', 'alter role all reset enable_sort;'],
    ])('names the setting of %s, and the statements that it makes expensive', async (_what, scope, source, remedy) => {
      await client.query(`alter ${scope} set enable_sort = off`)
      try {
        const found = await plans()
        expect(found).toMatchObject({ verdict: 'warn', text: containing(`enable_sort is off (${source}).`) })
        expect(found?.text).toContain(expensive)
        expect(found?.remedy).toContain(remedy)
      } finally {
        await client.query(`alter ${scope} reset enable_sort`)
      }
      expect(await plans()).toMatchObject({ verdict: 'ok' })
    })

    it('names the setting of a function, of a connection string and of the server', async () => {
      await client.query('alter function pontual.full_lanes(bigint[]) set enable_seqscan = off')
      expect(await plans()).toMatchObject({
        text: containing('enable_seqscan is off (for the function pontual.full_lanes(bigint[])).'),
        remedy: containing('alter function pontual.full_lanes(bigint[]) reset enable_seqscan;'),
      })
      await client.query('alter function pontual.full_lanes(bigint[]) reset enable_seqscan')
      expect(await plans(`${url()}?options=-c%20enable_hashjoin%3Doff`)).toMatchObject({
        text: containing('enable_hashjoin is off (by the connection string).'),
      })
      await client.query('alter system set enable_material = off')
      await client.query('select pg_reload_conf()')
      expect(await plans()).toMatchObject({ text: containing('enable_material is off (configuration file).') })
      await client.query('alter system reset enable_material')
      await client.query('select pg_reload_conf()')
    })

    it('names statements whose estimates come from wrong statistics', async () => {
      await client.query(`update pg_class set reltuples = 1e12 where oid = 'pontual.leases'::regclass`)
      expect(await plans()).toMatchObject({
        verdict: 'warn',
        text: containing('globalFigures ('),
        remedy: containing('analyze;'),
      })
      await client.query('analyze pontual.leases')
      expect(await plans()).toMatchObject({ verdict: 'ok' })
    })
  })
})

import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPostgresSkipped } from '../../../../test/harness/postgres/database.ts'
import { type Server, startServer } from '../../../../test/harness/postgres/server.ts'
import { systemEnv } from '../../../clock.ts'
import { silentLogger } from '../../../logger.ts'
import type { EngineStore } from '../../store.ts'
import { postgres } from '../postgres.ts'

const DATABASES = ['one', 'two', 'three', 'four']

// A server of its own, since roles are those of the whole server.
describe.skipIf(isPostgresSkipped())('row security on a server without the roles', () => {
  let server: Server
  let admin: pg.Client
  const opened: EngineStore[] = []

  beforeAll(async () => {
    server = await startServer({ version: '18' })
    admin = new pg.Client({ connectionString: server.url })
    await admin.connect()
    await admin.query('create role bare login')
    await admin.query('create role maker login createrole')
    await admin.query('create role worker login')
    await admin.query('create database bare owner bare')
    for (const name of DATABASES) await admin.query(`create database ${name} owner maker`)
  })
  afterAll(async () => {
    await Promise.all(opened.map((store) => store.close()))
    await admin?.end()
    await server?.stop()
  })

  function urlOf(database: string, role: string): string {
    const url = new URL(server.url)
    url.username = role
    url.pathname = `/${database}`
    return url.href
  }

  async function open(database: string, role: string): Promise<EngineStore> {
    const store = await postgres(urlOf(database, role)).open({ env: systemEnv, logger: silentLogger })
    opened.push(store)
    return store
  }

  async function askIn(database: string, text: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: urlOf(database, 'postgres') })
    await client.connect()
    try {
      const { rows } = await client.query<Record<string, unknown>>(text)
      return rows
    } finally {
      await client.end()
    }
  }

  it('is left off where roles may not be created, and says what to do', async () => {
    const store = await open('bare', 'bare')
    expect(store.isolationRemedy).toBe(
      'create role pontual_engine nologin; create role pontual_api nologin; grant pontual_engine to bare; grant pontual_api to bare with inherit false;',
    )
    const calendar = { name: 'br', definition: { type: 'weekly', weekdays: [0], timeZone: 'UTC' } } as const
    await store.calendars.put([
      { ...calendar, tenant: 'acme' },
      { ...calendar, tenant: 'other' },
    ])
    const acme = store.forTenant('acme')
    expect(await acme.calendars.list('acme')).toHaveLength(1)
    expect(await acme.calendars.list('other')).toEqual([])
    await expect(acme.calendars.put([{ ...calendar, tenant: 'other' }])).rejects.toMatchObject({
      code: 'store.foreign_tenant',
    })
  })

  it('is switched on by who opens the store, once that was done', async () => {
    const before = await open('bare', 'bare')
    await askIn('bare', before.isolationRemedy ?? '')
    const store = await open('bare', 'bare')
    expect(store.isolationRemedy).toBeNull()
    expect(await askIn('bare', 'select is_on from pontual.row_security()')).toEqual([{ is_on: true }])
    // Who had opened it before goes on as he began.
    expect(await before.forTenant('acme').calendars.list('other')).toEqual([])
    expect(await store.forTenant('acme').calendars.list('acme')).toHaveLength(1)
    expect(await store.calendars.list('other')).toHaveLength(1)
    await admin.query('drop database bare with (force)')
    await admin.query('drop role pontual_api, pontual_engine')
  })

  it('several databases of a server may be migrated at once, by one who may create roles', async () => {
    const stores = await Promise.all(DATABASES.map((name) => open(name, 'maker')))
    expect(stores.map(({ isolationRemedy }) => isolationRemedy)).toEqual(DATABASES.map(() => null))
    const { rows } = await admin.query(`select rolname from pg_roles where rolname ~ '^pontual_' order by rolname`)
    expect(rows).toEqual([{ rolname: 'pontual_api' }, { rolname: 'pontual_engine' }])
  })

  it('refuses a role that it would show nothing, and takes it once it is a member', async () => {
    await open('one', 'maker')
    await askIn('one', 'grant usage on schema pontual to worker; grant all on all tables in schema pontual to worker')
    await expect(open('one', 'worker')).rejects.toMatchObject({
      code: 'store.role_unfit',
      message: expect.stringContaining('grant pontual_engine, pontual_api to "worker";') as string,
    })
    await admin.query('grant pontual_engine to worker')
    const engine = await open('one', 'worker')
    expect(engine.isolationRemedy).toBe('grant pontual_engine, pontual_api to "worker";')
    await admin.query('grant pontual_api to worker')
    expect((await open('one', 'worker')).isolationRemedy).toBeNull()
  })

  it('who may act for tenants in one database may not in another', async () => {
    await open('one', 'maker')
    await admin.query('create role stranger login')
    await admin.query('grant pontual_engine to stranger')
    await admin.query('grant pontual_api to stranger with inherit false')
    await askIn('one', `insert into pontual.tenants (name) values ('acme')`)
    const stranger = new pg.Client({ connectionString: urlOf('one', 'stranger') })
    await stranger.connect()
    await expect(stranger.query('select * from pontual.tenants')).rejects.toMatchObject({ code: '42501' })
    await stranger.query('begin')
    await stranger.query(`select set_config('role', 'pontual_api', true), set_config('pontual.tenant', 'acme', true)`)
    expect((await stranger.query('select * from pontual.tenants')).rows).toEqual([])
    await stranger.end()
  })
})

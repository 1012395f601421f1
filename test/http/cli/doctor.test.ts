import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type DoctorOptions, runDoctor } from '../../../src/cli/commands/doctor.ts'
import type { Finding } from '../../../src/cli/doctor/judgement.ts'
import { type Env, systemEnv } from '../../../src/clock.ts'
import { job } from '../../../src/job/type/job-type.ts'
import { silentLogger } from '../../../src/logger.ts'
import { pontual } from '../../../src/pontual.ts'
import { findPooling } from '../../../src/store/driver/pg-pooling.ts'
import { pglite } from '../../../src/store/postgres/pglite.ts'
import { postgres } from '../../../src/store/postgres/postgres.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { findPgBouncer, startPgBouncer } from '../../harness/postgres/pgbouncer.ts'
import { forPlainRole } from '../../harness/postgres/plain-role.ts'
import type { Server } from '../../harness/postgres/server.ts'
import { PONTUAL, RunningProgram } from './command.ts'
import { testTerminal } from './test-terminal.ts'

const matching = (text: RegExp): unknown => expect.stringMatching(text)
const containing = (text: string): unknown => expect.stringContaining(text)

interface Report {
  readonly isWell: boolean
  readonly checks: readonly Finding[]
}

/** What the command finds, and how it ends. A server for tests may be one that does not wait for its disk: its settings are looked at where they are meant. */
async function examine(options: Partial<DoctorOptions>, env: Env = systemEnv, environment = {}) {
  const terminal = testTerminal()
  const error = await runDoctor({ json: true, ...options }, environment, terminal, env).then(
    () => null,
    (thrown: unknown) => thrown,
  )
  const { isWell, checks } = JSON.parse(terminal.lines.join('')) as Report
  const failed = checks.filter(({ check, verdict }) => verdict === 'fail' && check !== 'settings')
  expect(isWell).toBe(error === null)
  return { failed, error, checks, of: (name: string) => checks.find(({ check }) => check === name) }
}

const HEALTHY = ['clock', 'encryption', 'indexes', 'migrations', 'orphaned slots', 'overdue', 'queue', 'stale work']

/** Executions that wait, and were made an hour ago. */
async function enqueueOld(source: ReturnType<typeof postgres>, run: (sql: string) => Promise<unknown>): Promise<void> {
  const app = pontual({ store: source, jobs: [job('import', { run: () => 'done' })], logger: 'silent' })
  await app.enqueueMany('import', [{ input: 1 }, { input: 2 }])
  await app.stop()
  await run("update pontual.executions set created_at = now() - interval '1 hour'")
}

/** As a claim does it, for a node that is to die. */
const CLAIM = `
insert into pontual.nodes (id, name, slots, queues, job_types, lease_ms, started_at, renewed_at, expires_at)
values ('00000000-0000-7000-8000-000000000001', 'worker', 5, '{default}', '{import}', 30000, now(), now(), now() + interval '30 s');
with taken as (delete from pontual.ready returning *)
insert into pontual.leases (execution_id, node_id, claimed_at, lane, attempt, epoch, priority, tenant_slot)
select execution_id, '00000000-0000-7000-8000-000000000001', now() - interval '10 min', lane, 1, 1, priority, row_number() over ()
from taken`
const DIE = "update pontual.nodes set expires_at = now() - interval '5 min'"

describe.skipIf(isPostgresSkipped())('pontual doctor on PostgreSQL', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeEach(async () => {
    database = await createDatabase()
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
  })
  afterEach(async () => {
    await client.end()
    await database.drop()
  })
  const sql = (text: string) => client.query(text)

  it('finds a new database well, but for nodes', async () => {
    const { failed, checks } = await examine({ databaseUrl: database.url })
    expect(failed).toEqual([])
    const well = checks.filter(({ verdict }) => verdict === 'ok').map(({ check }) => check)
    expect(well).toEqual(expect.arrayContaining([...HEALTHY, 'row security', 'pooler', 'zone data']))
    expect(checks.find(({ check }) => check === 'nodes')).toMatchObject({ verdict: 'warn' })
  })

  it('prints the longest name of a check apart from its text', async () => {
    const terminal = testTerminal()
    await runDoctor({ json: false, databaseUrl: database.url }, {}, terminal).catch(() => {})
    expect(terminal.lines.join('')).toMatch(/^ok +connections of nodes {2,}no node/m)
  })

  it('speaks to people, and says what to do', async () => {
    const terminal = testTerminal()
    await sql(`delete from pontual.schema_functions where name = 'wake'`)
    await expect(runDoctor({ json: false, databaseUrl: database.url }, {}, terminal)).rejects.toMatchObject({
      code: 'doctor.failed',
      message: matching(/^Not well: .*migrations\.$/),
    })
    const output = terminal.lines.join('')
    expect(output).toMatch(/^ok +Node +v\d+/m)
    expect(output).toContain('The database lacks the function wake.\n')
    expect(output).toMatch(/^FAIL +migrations .+\n +-> Run: npx pontual migrate$/m)
    expect(output).toMatch(/^- +tables and work/m)
  })

  it.each<[string, string[], [string, 'warn' | 'fail', RegExp][]]>([
    [
      'what a dead node holds, and what is wrong with the tables',
      [
        `insert into pontual.executions (id, lane, priority, origin, max_attempts, created_at)
         select 'ffffffff-0000-7000-8000-000000000000', lane, 2, 'enqueue', 1, now() from pontual.executions limit 1`,
        `insert into pontual.delayed (execution_id, due_at, lane, attempt, epoch, priority)
         select execution_id, now() - interval '1 h', lane, 0, 0, priority from pontual.ready limit 1`,
        CLAIM,
        DIE,
        "update pg_index set indisvalid = false where indexrelid = 'pontual.jobs_due'::regclass",
        'alter table pontual.jobs no force row level security',
        "insert into pontual.data_keys (tenant, version, key_id, wrapped, created_at) values ('a', 1, 'lost', 'x', now())",
      ],
      [
        ['stale work', 'fail', /2 executions .+ worker\./],
        ['indexes', 'fail', /jobs_due of jobs/],
        ['row security', 'fail', /not in force on jobs/],
        ['partitions', 'warn', /Rows of executions lie in the default partition/],
        ['overdue', 'warn', /1 delayed executions/],
        ['encryption', 'warn', /needs lost/],
      ],
    ],
    [
      'slots of a node that is gone',
      [CLAIM, 'delete from pontual.nodes'],
      [['orphaned slots', 'fail', /no longer on the list.+ occupy 2 slots/]],
    ],
    [
      'slots of what was removed, and a node that is dead',
      [CLAIM, DIE, 'delete from pontual.executions'],
      [['orphaned slots', 'fail', /2 executions are held although they were removed/]],
    ],
    [
      'a dead node, and work that nobody takes',
      [CLAIM.split(';')[0] ?? '', DIE],
      [
        ['nodes', 'warn', /dead: worker \(for 5 min/],
        ['queue', 'fail', /Work has waited for 1 h/],
      ],
    ],
    [
      'work of a type that no node has',
      [CLAIM.split(';')[0] ?? '', "update pontual.nodes set job_types = '{mail}'"],
      [['queue', 'fail', /No node takes import in queue default/]],
    ],
    [
      'work of a suspended tenant',
      ['update pontual.tenants set is_suspended = true'],
      [['queue', 'warn', /Tenant default is suspended/]],
    ],
    [
      'functions that differ',
      [`update pontual.schema_functions set checksum = '-' where name in ('hear', 'wake')`],
      [['migrations', 'fail', /lacks the function hear, the function wake/]],
    ],
    [
      'a database that is newer',
      ["insert into pontual.schema_migrations (version, name, checksum) values (9999, '9999_later', 'x')"],
      [['migrations', 'fail', /at version 9999/]],
    ],
  ])('finds %s', async (_name, sickness, findings) => {
    await enqueueOld(postgres(database.url), sql)
    for (const each of sickness) await sql(each)
    const { of, error } = await examine({ databaseUrl: database.url })
    for (const [check, verdict, text] of findings) {
      expect(of(check)).toMatchObject({ verdict, text: matching(text), remedy: matching(/./) })
    }
    if (findings.some(([, verdict]) => verdict === 'fail')) expect(error).toMatchObject({ code: 'doctor.failed' })
  })

  it.each([
    [-120_000, 'fail', /(2|1) min ahead of/],
    [-5_000, 'warn', /ahead of this machine/],
    [7_200_000, 'fail', /(2|1) h behind/],
  ])('finds that the clock of this machine is %d ms off', async (offMs, verdict, text) => {
    const env = { ...systemEnv, now: () => systemEnv.now() + offMs }
    const { of } = await examine({ databaseUrl: database.url }, env)
    expect(of('clock')).toMatchObject({ verdict, text: matching(text) })
  })

  it('finds settings that a role was given', async () => {
    const url = await forPlainRole(database)
    try {
      await sql("alter role pontual_plain set default_transaction_isolation = 'serializable'")
      expect((await examine({ databaseUrl: url })).of('settings')).toMatchObject({
        verdict: 'fail',
        text: containing('serializable'),
      })
    } finally {
      await sql('alter role pontual_plain reset default_transaction_isolation')
    }
    expect((await examine({ databaseUrl: url })).of('settings')?.text).not.toContain('serializable')
  })

  it('says so when a role would see nothing, and does not take that for health', async () => {
    await sql('create role pontual_blind login; grant usage on schema pontual to pontual_blind')
    await sql('grant select on all tables in schema pontual to pontual_blind')
    try {
      const blind = new URL(database.url)
      blind.username = 'pontual_blind'
      const { of } = await examine({ databaseUrl: blind.href })
      expect(of('row security')).toMatchObject({ verdict: 'fail', text: containing('nothing') })
      expect(of('work')).toMatchObject({ verdict: 'skipped' })
      expect(of('queue')).toBeUndefined()
    } finally {
      await sql('drop owned by pontual_blind; drop role pontual_blind')
    }
  })

  it('changes nothing', async () => {
    await sql('create table public.before as select relname from pg_class')
    await examine({ databaseUrl: database.url })
    const { rows } = await client.query(
      "select relname from pg_class where relnamespace = 'pontual'::regnamespace except select relname from public.before",
    )
    expect(rows).toEqual([])
    expect(await findPooling(database.url)).toBe('none')
  })
})

const program = isPostgresSkipped() ? null : findPgBouncer()
describe.skipIf(program === null)('pontual doctor behind PgBouncer', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await createDatabase()
  })
  afterAll(() => database?.drop())

  it.each(['transaction', 'session'] as const)('finds %s mode, and all else as it is', async (mode) => {
    const bouncer: Server = await startPgBouncer(program ?? '', database.url, mode)
    try {
      const { of, failed } = await examine({ databaseUrl: bouncer.url })
      expect(of('pooler')).toMatchObject({ verdict: 'ok', text: containing(`${mode} mode`) })
      expect(failed).toEqual([])
    } finally {
      await bouncer.stop()
    }
  })
})

describe('pontual doctor on PGlite', () => {
  let directory: string
  beforeAll(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'pontual-doctor-')), 'data')
    const store = await pglite(directory).open({ env: systemEnv, logger: silentLogger })
    await store.close()
  })
  afterAll(() => rm(join(directory, '..'), { recursive: true, force: true }))

  it('finds a new one well', async () => {
    const { error, checks } = await examine({ data: directory })
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(error).toBeNull()
    expect(checks.map(({ check }) => check)).toEqual(expect.arrayContaining(HEALTHY))
    expect(checks.find(({ check }) => check === 'database')?.text).toMatch(/^PGlite, PostgreSQL \d+/)
  })

  it('finds what is wrong with one', async () => {
    const source = pglite(directory)
    const store = await source.open({ env: systemEnv, logger: silentLogger })
    await store.nodes.register({ id: systemEnv.uuid(0), name: 'gone', slots: 1, queues: [], jobTypes: [], leaseMs: 0 })
    await store.close()
    expect((await examine({ data: directory })).of('nodes')).toMatchObject({
      verdict: 'warn',
      remedy: containing('Start a node: npx pontual dev'),
    })
  })

  it('names who has it open', async () => {
    const store = await pglite(directory).open({ env: systemEnv, logger: silentLogger })
    try {
      await using apart = new RunningProgram([PONTUAL, 'doctor', '--data', directory])
      expect(await apart.ended).toMatchObject({
        code: 0,
        output: matching(new RegExp(`warn +database .+process ${process.pid} on .+\\n +-> Stop what has it open`)),
      })
    } finally {
      await store.close()
    }
  })
})

describe('pontual doctor without a database', () => {
  it('looks at the machine, and asks which one', async () => {
    const data = join(tmpdir(), 'pontual-nowhere')
    const { of, error } = await examine({ data })
    expect(of('Node')).toMatchObject({ verdict: 'ok' })
    expect(of('database')).toMatchObject({ verdict: 'fail', remedy: containing('--database-url') })
    expect(error).toMatchObject({ code: 'doctor.failed', details: { checks: ['database'] } })
  })

  it('says which server is away, without the password', async () => {
    const { of } = await examine({ databaseUrl: 'postgres://user:hunter2@127.0.0.1:1/db' })
    expect(of('database')?.text).toContain('127.0.0.1:1/db cannot be reached')
    expect(JSON.stringify(of('database'))).not.toContain('hunter2')
  })

  it('finds a variable that is misspelt', async () => {
    const { of } = await examine({ data: '/nowhere' }, systemEnv, { PONTUAL_PROT: '1' })
    expect(of('environment')).toMatchObject({ verdict: 'fail', text: containing('PONTUAL_PORT') })
  })
})

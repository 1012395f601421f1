import { describe, expect, it } from 'vitest'
import { migrateDatabase } from '../../../src/cli/commands/migrate.ts'
import { testTerminal } from './test-terminal.ts'

/** What the command prints. */
async function run(options: Partial<Parameters<typeof migrateDatabase>[0]>): Promise<string> {
  const terminal = testTerminal()
  await migrateDatabase({ print: false, json: false, ...options }, terminal)
  return terminal.lines.join('')
}

describe('pontual migrate', () => {
  it('prints a script that does all or nothing and keeps the books', async () => {
    const script = await run({ print: true })
    expect(script).toMatch(
      /^-- .+\nbegin;\nselect pg_advisory_xact_lock\(\d+\);\ncreate schema if not exists pontual;\n/,
    )
    expect(script).toContain('create table pontual.schema_migrations (')
    expect(script).toContain('create table pontual.jobs (')
    expect(script).toContain('create or replace function pontual.wake(')
    expect(script).toMatch(/insert into pontual.schema_migrations .+ values \(1, '0001_tables', '[0-9a-f]{64}'\);\n/)
    expect(script).toMatch(
      /insert into pontual.schema_functions .+ values\n( {2}\('\w+', '[0-9a-f]{64}', '[^']+'\),?\n?)+;\n\ncommit;\n$/,
    )
  })

  it('prints the script for another schema, with roles of any name', async () => {
    const script = await run({ print: true, schema: 'jobs', login: 'pontual_app' })
    expect(script).toContain('\ncreate schema if not exists jobs;\n')
    expect(script).toContain('create table jobs.jobs (')
    expect(script).toContain("set_config('jobs.owner_role', 'jobs_owner', true)")
    expect(script).toContain("set_config('jobs.login_role', 'pontual_app', true)")
    expect(script.replace("'pontual_app'", '').match(/.*\bpontual(?![A-Za-z0-9]).*/g)).toBeNull()
    await expect(run({ print: true, schema: 'My Jobs' })).rejects.toMatchObject({ code: 'store.schema_invalid' })
  })

  it('prints JSON', async () => {
    const answer = JSON.parse(await run({ print: true, json: true })) as { sql: string }
    expect(answer.sql).toBe(await run({ print: true }))
  })

  it('asks which database', async () => {
    await expect(run({})).rejects.toThrow('Which database? Set DATABASE_URL, or give --database-url')
  })

  it('says which server is away, without the password', async () => {
    const databaseUrl = 'postgres://user:hunter2@127.0.0.1:1/db'
    await expect(run({ databaseUrl })).rejects.toThrow(
      /^PostgreSQL at 127\.0\.0\.1:1\/db cannot be reached: connect ECONNREFUSED/,
    )
  })
})

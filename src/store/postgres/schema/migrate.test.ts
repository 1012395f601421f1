import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../../logger.ts'
import type { Driver } from '../../driver/driver.ts'
import { openPgliteDriver } from '../../driver/pglite.ts'
import { PgliteDatabase } from '../../driver/pglite-database.ts'
import { migrate, printSchema, requireMigrated } from './migrate.ts'
import { readFunction, readMigration, readSchema, type Schema, type SqlFunction } from './sources.ts'

const BOOKKEEPING = readFileSync(new URL('../../../../sql/tables/schema.sql', import.meta.url), 'utf8')
const first = readMigration('0001_first', `${BOOKKEEPING} create table pontual.first (a integer);\n`)
const second = readMigration('0002_second', 'alter table pontual.first add column b integer;\n')

function schemaOf(version: string, migrations: Schema['migrations'], ...functions: SqlFunction[]): Schema {
  return { version, migrations, functions, epilogue: 'select 1' }
}

function answering(answer: string, signature = 'answer() returns text'): SqlFunction {
  const text = `create or replace function pontual.${signature} language sql\nas $$ select '${answer}'::text $$;\n`
  return readFunction('answer', text)
}

const database = new PgliteDatabase(null)
let driver: Driver

beforeAll(async () => {
  driver = await openPgliteDriver(database, silentLogger)
})
afterAll(() => database.dispose())
beforeEach(() => driver.script('drop schema if exists pontual cascade'))

describe('a migration', () => {
  it('is applied once', async () => {
    const before = schemaOf('1.0.0', [first])
    const after = schemaOf('1.1.0', [first, second])
    await expect(requireMigrated(driver, before)).rejects.toThrow('Run: npx pontual migrate')
    expect(await migrate(driver, before)).toMatchObject({ version: 1, applied: ['0001_first'], isNew: true })
    expect(await migrate(driver, after)).toMatchObject({ version: 2, applied: ['0002_second'], isNew: false })
    expect(await migrate(driver, after)).toMatchObject({ version: 2, applied: [] })
    await requireMigrated(driver, after)
  })

  it('is contained in the tables of a new database, and only recorded there', async () => {
    const tables = readMigration('0001_first', `${BOOKKEEPING} create table pontual.first (a integer, b integer);\n`)
    const schema = schemaOf('1.1.0', [tables, second])
    expect(await migrate(driver, schema)).toMatchObject({ version: 2, applied: ['0001_first', '0002_second'] })
    expect(await migrate(driver, schema)).toMatchObject({ version: 2, applied: [] })
  })

  it('that fails leaves nothing behind, not even the scripts before it', async () => {
    const broken = readMigration('0001_first', 'create table pontual.third (a integer); select 1 / 0;')
    await expect(migrate(driver, schemaOf('1.0.0', [broken]))).rejects.toThrow(
      'The script 0001_first.sql failed, and nothing was changed: division by zero.',
    )
    expect(await migrate(driver, schemaOf('1.0.0', [first]))).toMatchObject({ version: 1, applied: ['0001_first'] })
  })

  it('can be printed with the rest of the schema, and what was printed counts as applied', async () => {
    // The script has its own begin and commit; so has the driver.
    await driver.script(printSchema().replace(/^(begin|commit);$/gm, ''))
    expect(await migrate(driver)).toMatchObject({ applied: [], functions: 0 })
  })

  it('rejects the tables of an unreleased version, with the way out', async () => {
    await driver.script(
      `create schema pontual; ${BOOKKEEPING} drop table pontual.schema_functions;
      insert into pontual.schema_migrations (version, name, checksum) values (1, '0001_engine', 'x'), (26, '0026_active_periods', 'y')`,
    )
    for (const attempt of [migrate(driver), requireMigrated(driver)]) {
      await expect(attempt).rejects.toMatchObject({
        code: 'store.database_unreleased',
        message: expect.stringMatching(/"0001_engine".+drop schema pontual cascade/) as unknown,
      })
    }
  })
})

describe('a function', () => {
  const ask = async () => (await driver.query<{ answer: string }>({ name: 'ask', text: 'select pontual.answer()' }))[0]
  const at = (version: string, answer: string) => schemaOf(version, [first], answering(answer))

  it('is replaced by a newer version, whose text an older node keeps', async () => {
    expect(await migrate(driver, at('1.0.0', 'old'))).toMatchObject({ functions: 1 })
    await expect(requireMigrated(driver, at('1.1.0', 'new'))).rejects.toThrow('The database lacks the function answer.')
    expect(await migrate(driver, at('1.1.0', 'new'))).toMatchObject({ applied: [], functions: 1 })
    expect(await migrate(driver, at('1.0.0', 'old'))).toMatchObject({ functions: 0 })
    await requireMigrated(driver, at('1.0.0', 'old'))
    expect(await ask()).toEqual({ answer: 'new' })
  })

  it('keeps its rights and its owner', async () => {
    await migrate(driver, at('1.0.0', 'old'))
    await driver.script('revoke execute on function pontual.answer() from public')
    const rights = { name: 'rights', text: `select proacl::text, proowner from pg_proc where proname = 'answer'` }
    const before = await driver.query(rights)
    await migrate(driver, at('1.1.0', 'new'))
    expect(await driver.query(rights)).toEqual(before)
  })

  it.each([
    ['other arguments', 'answer(a integer) returns text', /^The function answer has other arguments/],
    ['another result', 'answer() returns integer', /^The script answer.sql failed.+cannot change return type/],
  ])('with %s needs a new name', async (_change, signature, message) => {
    await migrate(driver, at('1.0.0', 'old'))
    await expect(migrate(driver, schemaOf('1.1.0', [first], answering('1', signature)))).rejects.toMatchObject({
      code: 'store.migration_failed',
      message: expect.stringMatching(message) as unknown,
    })
    expect(await ask()).toEqual({ answer: 'old' })
  })

  it('may be called by a table, and may name one in its body and its signature', async () => {
    const tables = readMigration('0001_a', `${BOOKKEEPING} create table pontual.a (b text default pontual.answer());`)
    const early = readFunction(
      'answer',
      'create or replace function pontual.answer()\nreturns text\nlanguage sql\nas $$ select b from pontual.a $$;\n',
    )
    const late = readFunction(
      'all_of_a',
      'create or replace function pontual.all_of_a()\nreturns setof pontual.a\nlanguage sql\nas $$ select * from pontual.a $$;\n',
    )
    expect([early.followsTables, late.followsTables]).toEqual([false, true])
    expect(await migrate(driver, schemaOf('1.0.0', [tables], late, early))).toMatchObject({ functions: 2 })
  })

  it('has a body that PostgreSQL accepts once all tables and functions exist', async () => {
    await migrate(driver)
    for (const { name, sql } of readSchema().functions) {
      await expect(driver.script(sql), name).resolves.toBeUndefined()
    }
  })
})

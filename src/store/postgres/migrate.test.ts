import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../logger.ts'
import type { Driver } from '../driver/driver.ts'
import { openPgliteDriver } from '../driver/pglite.ts'
import { PgliteDatabase } from '../driver/pglite-database.ts'
import { type AppliedMigration, compareMigrations, migrate, printMigrations, requireMigrated } from './migrate.ts'
import { readMigration, readMigrations } from './migrations.ts'

const first = readMigration('0001_first', 'create table pontual.first (a integer);\n')
const second = readMigration('0002_second', 'create table pontual.second (a integer);\n')

const database = new PgliteDatabase(null)
let driver: Driver

beforeAll(async () => {
  driver = await openPgliteDriver(database, silentLogger)
})
afterAll(() => database.dispose())
beforeEach(() => driver.script('drop schema if exists pontual cascade'))

describe('what is pending', () => {
  it.each<[string, AppliedMigration[], string[]]>([
    ['is all in an empty database', [], ['0001_first', '0002_second']],
    ['is what was not applied', [first], ['0002_second']],
    ['is nothing at the same version', [first, second], []],
  ])('%s', (_what, applied, expected) => {
    expect(compareMigrations([first, second], applied).map(({ name }) => name)).toEqual(expected)
  })

  it('is refused where the database is newer, with both versions', () => {
    expect(() => compareMigrations([first], [first, second])).toThrow(
      'The database is at version 2, this code knows up to 1.',
    )
  })

  it('is refused where a file changed, with its name', () => {
    const changed = readMigration('0001_first', 'create table pontual.other (a integer);\n')
    expect(() => compareMigrations([changed, second], [first])).toThrow(/^Migration 0001_first\.sql is not the one/)
  })
})

describe('a migration', () => {
  it('has the same checksum whatever its line ends', () => {
    expect(readMigration('0001_a', 'a\r\nb\r\n')).toEqual(readMigration('0001_a', 'a\nb\n'))
  })

  it('has a number of its own, without gaps', () => {
    const versions = readMigrations().map(({ version }) => version)
    expect(versions).toEqual(versions.map((_, index) => index + 1))
  })

  it('is applied once', async () => {
    await expect(requireMigrated(driver, [first])).rejects.toThrow('Run: npx pontual migrate')
    expect(await migrate(driver, [first])).toEqual({ version: 1, applied: ['0001_first'] })
    expect(await migrate(driver, [first, second])).toEqual({ version: 2, applied: ['0002_second'] })
    expect(await migrate(driver, [first, second])).toEqual({ version: 2, applied: [] })
    await requireMigrated(driver, [first, second])
  })

  it('that fails leaves nothing behind, not even those before it', async () => {
    const broken = readMigration('0002_broken', 'create table pontual.third (a integer); select 1 / 0;')
    await expect(migrate(driver, [first, broken])).rejects.toThrow(
      'Migration 0002_broken.sql failed, and nothing was changed: division by zero.',
    )
    expect(await migrate(driver, [first, second])).toEqual({ version: 2, applied: ['0001_first', '0002_second'] })
  })

  it('can be printed, and what was printed counts as applied', async () => {
    // The script has its own begin and commit; so has the driver.
    await driver.script(printMigrations().replace(/^(begin|commit);$/gm, ''))
    expect(await migrate(driver)).toMatchObject({ applied: [] })
  })
})

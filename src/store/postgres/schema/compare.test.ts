import { describe, expect, it } from 'vitest'
import { type AppliedFunction, type AppliedMigration, comparePending, compareVersions, namesOf } from './compare.ts'
import { readFunction, readMigration, readSchema, type Schema } from './sources.ts'

const first = readMigration('0001_tables', 'create table pontual.first (a integer);\n')
const second = readMigration('0002_second', 'create table pontual.second (a integer);\n')
const wake = readFunction('wake', 'create or replace function pontual.wake()')
const schema: Schema = { version: '1.1.0', migrations: [first, second], functions: [wake], epilogue: '' }

function pendingOf(migrations: readonly AppliedMigration[], functions: readonly AppliedFunction[], of = schema) {
  return namesOf(comparePending(of, { migrations, functions }))
}

describe('pending changes', () => {
  const same = { ...wake, version: '1.1.0' }
  const other = { ...wake, checksum: 'other' }
  it.each<[string, AppliedMigration[], AppliedFunction[], string[]]>([
    ['everything in an empty database', [], [], ['0001_tables', '0002_second']],
    ['a missing migration', [first], [same], ['0002_second']],
    ['nothing at the same version', [first, second], [same], []],
    ['a function of the same text from another version', [first, second], [{ ...wake, version: '1.0.0' }], []],
    ['an unknown function', [first, second], [], ['the function wake']],
    [
      'a function that an older version applied',
      [first, second],
      [{ ...other, version: '1.0.9' }],
      ['the function wake'],
    ],
    [
      'a function of this version with another text',
      [first, second],
      [{ ...other, version: '1.1.0' }],
      ['the function wake'],
    ],
    ['no function that a newer version applied', [first, second], [{ ...other, version: '1.2.0' }], []],
    [
      'no function next to one of a newer version',
      [first, second],
      [
        { ...other, version: '1.0.0' },
        { name: 'later', checksum: '', version: '1.2.0' },
      ],
      [],
    ],
  ])('are %s', (_what, migrations, functions, expected) => {
    expect(pendingOf(migrations, functions)).toEqual(expected)
  })

  it('are rejected if the database is newer, with both versions', () => {
    expect(() => pendingOf([first, second], [], { ...schema, migrations: [first] })).toThrow(
      'The database is at version 2, this code knows up to 1.',
    )
  })

  it('are rejected if a file changed, with its name', () => {
    const changed = readMigration('0002_second', 'create table pontual.other (a integer);\n')
    expect(() => pendingOf([first, second], [same], { ...schema, migrations: [first, changed] })).toThrow(
      /^Migration 0002_second\.sql is not the one/,
    )
  })

  it('are rejected if the tables changed without a migration, and only then', () => {
    const changed = readMigration('0001_tables', 'create table pontual.first (a integer, b integer);\n')
    expect(() => pendingOf([first], [same], { ...schema, migrations: [changed] })).toThrow(
      /^Migration 0001_tables\.sql/,
    )
    expect(pendingOf([first], [same], { ...schema, migrations: [changed, second] })).toEqual(['0002_second'])
  })
})

describe('a version', () => {
  it.each([
    ['1.0.0', '1.0.0', 0],
    ['1.0.0', '1.0.1', -1],
    ['1.10.0', '1.9.0', 1],
    ['2.0.0', '1.99.99', 1],
    ['1.0.0-beta.2', '1.0.0', -1],
    ['1.0.0-beta.2', '1.0.0-beta.11', -1],
    ['1.0.0-alpha', '1.0.0-beta', -1],
    ['1.0.0-alpha', '1.0.0-alpha.1', -1],
    ['1.0.0-1', '1.0.0-alpha', -1],
    ['1.0.0+build', '1.0.0', 0],
  ])('%s against %s: %i', (one, other, expected) => {
    expect(compareVersions(one, other)).toBe(expected)
    expect(compareVersions(other, one)).toBe(expected === 0 ? 0 : -expected)
  })
})

describe('a file', () => {
  it('has the same checksum with other line ends and comments', () => {
    expect(readMigration('0001_a', 'a\r\nb\r\n')).toEqual(readMigration('0001_a', 'a\nb\n'))
    expect(readMigration('0001_a', '-- Why.\na\n').checksum).toBe(readMigration('0001_a', 'a\n').checksum)
  })

  it('of a migration has a number of its own, without gaps', () => {
    const versions = readSchema().migrations.map(({ version }) => version)
    expect(versions).toEqual(versions.map((_, index) => index + 1))
  })
})

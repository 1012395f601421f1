import { describe, expect, it } from 'vitest'
import { defaultSchema, readSchemaName } from './schema-name.ts'

describe('the name of a schema', () => {
  it.each([undefined, 'pontual', 'jobs', 'pontual_two', 'a', 'tenant_9', 'a'.repeat(50)])('may be %j', (name) => {
    expect(readSchemaName(name).name).toBe(name ?? 'pontual')
  })

  it.each([
    '',
    'Jobs',
    'my-jobs',
    '9jobs',
    '_jobs',
    'jobs"; drop schema public',
    'a.b',
    'caf\u00e9',
    'a'.repeat(51),
    'pg_jobs',
    'user',
    'table',
    'public',
    'information_schema',
    'plpgsql',
    null,
    7,
  ])('may not be %j', (name) => {
    expect(() => readSchemaName(name)).toThrow(/^schema must be 1 to 50 lowercase letters, digits and underscores/)
  })

  it('is named in the error', () => {
    expect(() => readSchemaName('My Jobs')).toThrow('got "My Jobs".')
  })
})

describe('a statement', () => {
  const two = readSchemaName('pontual_two')
  it.each([
    ['select * from pontual.jobs', 'select * from pontual_two.jobs'],
    [`select pg_notify('pontual', $1)`, `select pg_notify('pontual_two', $1)`],
    [`where nspname = 'pontual'`, `where nspname = 'pontual_two'`],
    [`current_setting('pontual.tenant', true)`, `current_setting('pontual_two.tenant', true)`],
    ['grant pontual_engine, pontual_api to %I', 'grant pontual_two_engine, pontual_two_api to %I'],
    ['select 18863524990, pontuality, my_pontual.jobs', 'select 18863524990, pontuality, my_pontual.jobs'],
  ])('%s is composed for the schema', (text, composed) => {
    expect(two.compose(text)).toBe(composed)
    expect(defaultSchema.compose(text)).toBe(text)
  })

  it('takes other advisory locks than every other schema, with adjacent keys', () => {
    const locks = 'pg_advisory_xact_lock(1886352499, 0), (1886352500, 1), (1886352501, 1), (482905846901)'
    const numbersOf = (text: string) => [...text.matchAll(/\d{8,}/g)].map(([number]) => Number(number))
    const [one = [], other = []] = ['jobs', 'other'].map((name) => numbersOf(readSchemaName(name).compose(locks)))
    expect([one[1]! - one[0]!, one[2]! - one[0]!]).toEqual([1, 2])
    expect(Math.max(...one.slice(0, 3), ...other.slice(0, 3))).toBeLessThan(2 ** 31)
    expect(new Set([...one, ...other, ...numbersOf(locks)]).size).toBe(12)
  })
})

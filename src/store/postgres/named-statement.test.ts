import { describe, expect, it } from 'vitest'
import { named, RowList } from './named-statement.ts'

interface Row {
  readonly id: string
  readonly count?: number | null
  readonly text?: string | null
}

const INPUT = new RowList<'input', Row>('input', {
  id: ['uuid', ({ id }) => id],
  count: ['int', ({ count }) => count],
  text: ['text', ({ text }) => text],
})

describe('a statement with named values', () => {
  const find = named<{ readonly tenant: string; readonly limit: number | null }>(
    'find',
    "select id::text from jobs where tenant = $tenant::text and name <> '$' and tenant <> $tenant limit $limit::int",
  )

  it('numbers each name once, in the order of the text', () => {
    expect(find.text).toBe(
      "select id::text from jobs where tenant = $1::text and name <> '$' and tenant <> $1 limit $2::int",
    )
  })

  it('takes the fields in any order', () => {
    expect(find.values({ limit: null, tenant: 'acme' })).toEqual(['acme', null])
  })

  it('rejects a field that is not given', () => {
    expect(() => find.values({ tenant: 'acme' } as never)).toThrow('Statement find was given no limit.')
  })
})

describe('a list of rows', () => {
  const store = named<ReturnType<typeof INPUT.of>>(
    'store',
    `select * from unnest(${INPUT.lists}) as input (${INPUT.columns})`,
  )

  it('declares each column with its type', () => {
    expect(store.text).toBe('select * from unnest($1::uuid[], $2::int[], $3::text[]) as input (id, count, text)')
  })

  it.each<[string, readonly Row[], unknown[]]>([
    ['no rows', [], ['{}', '{}', '{}']],
    ['columns without any value', [{ id: 'a' }, { id: 'b', count: null }], ['{a,b}', null, null]],
    [
      'some values',
      [
        { id: 'a', count: 1 },
        { id: 'b', text: '' },
      ],
      ['{a,b}', '{1,null}', '{null,""}'],
    ],
    [
      'quotes and backslashes',
      [{ id: 'a', text: 'say "a\\b", {null}' }],
      ['{a}', null, '{"say \\"a\\\\b\\", {null}"}'],
    ],
  ])('is one list per column: %s', (_what, rows, values) => {
    expect(store.values(INPUT.of(rows))).toEqual(values)
  })
})

import { expect, it } from 'vitest'
import { StatementNames } from './statement-names.ts'

const names = new StatementNames()

it('a statement is prepared under the name of its verb', () => {
  expect(names.nameOf({ name: 'claimExecutions', text: 'select 1' })).toBe('pontual_claimExecutions')
})

it('the same text keeps its name, another text of the same verb gets another', () => {
  const other = names.nameOf({ name: 'claimExecutions', text: 'select 2' })
  expect(names.nameOf({ name: 'claimExecutions', text: 'select 1' })).toBe('pontual_claimExecutions')
  expect(other).toMatch(/^pontual_claimExecutions_[0-9a-f]{8}$/)
})

it('long names differ within what PostgreSQL keeps of them', () => {
  const long = (text: string) => names.nameOf({ name: 'x'.repeat(100), text })
  expect(long('a')).toHaveLength(63)
  expect(long('a')).not.toBe(long('b'))
})

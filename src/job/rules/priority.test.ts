import { describe, expect, it } from 'vitest'
import { refusal } from '../../../test/harness/instants.ts'
import { PRIORITIES, priorityOfRank, priorityRank, requirePriority } from './priority.ts'

describe('a priority', () => {
  it.each([
    ['HIGH', 1],
    ['MEDIUM', 2],
    ['LOW', 3],
  ] as const)('%s is stored as %i', (priority, rank) => {
    expect(priorityRank(priority)).toBe(rank)
    expect(priorityOfRank(rank)).toBe(priority)
    expect(requirePriority(priority)).toBe(priority)
  })

  it('has three values', () => {
    expect(PRIORITIES).toEqual(['HIGH', 'MEDIUM', 'LOW'])
  })

  it.each(['high', 'URGENT', '', 1, null, undefined])('is not %j', (value) => {
    expect(refusal(() => requirePriority(value)).message).toContain('priority must be one of HIGH, MEDIUM, LOW, got')
  })
})

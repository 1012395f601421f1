import { describe, expect, it } from 'vitest'
import { withRecord } from '../../proofs/record/figures-page.ts'
import type { DatedRecord } from '../../proofs/record/record.ts'

const RECORD: DatedRecord = {
  name: 'crashes',
  command: 'npm run prove -- crashes',
  date: '2026-11-16',
  machine: '2 cores',
  seconds: 12,
  violations: 0,
  figures: [
    { section: 'faults', invariants: ['I8'], what: 'crashes', value: 20, atLeast: 1_000 },
    { section: 'lost', invariants: ['I8'], what: 'acknowledged | kept', value: 250_000, atLeast: 200_000 },
  ],
  gaps: ['A day is not an hour.'],
}

describe('the page of figures', () => {
  it.each([
    ['a figure that falls short', '- crashes: 20, asked for at least 1,000.'],
    ['a gap that the run reports', '- A day is not an hour.'],
    ['an invariant without a figure', '| no figure: a gap |'],
  ])('lists %s as a gap', (_what, text) => {
    expect(withRecord('', RECORD)).toContain(text)
  })

  it('lists violations as a gap', () => {
    expect(withRecord('', { ...RECORD, violations: 2 })).toContain('- 2 violations.')
  })

  it('shows the figures of an invariant', () => {
    expect(withRecord('', RECORD)).toContain('| crashes: 20 (a gap); acknowledged \\| kept: 250,000 |')
  })

  it('replaces the figures of the same run and keeps those of others', () => {
    const page = withRecord(withRecord('', RECORD), { ...RECORD, name: 'keys', date: '2026-11-17' })
    const again = withRecord(page, { ...RECORD, seconds: 13, gaps: [] })
    expect(again).toContain('2026-11-16, 2 cores, 13 s, 0 violations.')
    expect(again.match(/^- A day is not an hour\.$/gm)).toHaveLength(1)
    expect(again.match(/^### .+$/gm)).toEqual(['### crashes', '### keys'])
    expect(withRecord(again, RECORD)).toBe(page)
  })
})

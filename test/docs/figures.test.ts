import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { figuresPage } from '../record/figures-page.ts'
import { type KeptRecord, readRecords } from '../record/record.ts'
import { ROOT } from './pages.ts'

const RECORD: KeptRecord = {
  name: 'crashes',
  command: 'npm run prove -- crashes',
  date: '2026-11-16',
  machine: '2 cores',
  seconds: 12,
  violations: 0,
  figures: [
    { section: 'faults', invariants: ['I8'], what: 'crashes', value: 20, atLeast: 1_000 },
    { section: 'lost', invariants: ['I8'], what: 'acknowledged', value: 250_000, atLeast: 200_000 },
  ],
  gaps: ['A day is not an hour.'],
}

describe('the page of figures', () => {
  it('is what npm run figures would write', () => {
    expect(readFileSync(join(ROOT, 'docs/proof/figures.md'), 'utf8'), 'Run npm run figures').toBe(
      figuresPage(readRecords()),
    )
  })

  it.each([
    ['a figure that falls short', '- crashes: crashes: 20, asked for at least 1,000.'],
    ['what a run says it did not show', '- crashes: A day is not an hour.'],
    ['an invariant without any', '- No run has kept a figure for I1,'],
  ])('tells %s as a gap', (_what, line) => {
    expect(figuresPage([RECORD])).toContain(line)
  })

  it('tells what broke', () => {
    expect(figuresPage([{ ...RECORD, violations: 2 }])).toContain('- crashes: 2 violations.')
  })

  it('tells nothing that is met as a gap', () => {
    expect(figuresPage([RECORD])).not.toContain('- crashes: acknowledged')
  })
})

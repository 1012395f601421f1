import type { Figure, ProofRecord } from '../record/record.ts'
import type { Outcome } from './run-check.ts'

/** What is kept of a run over all checks. */
export function recordOf(outcomes: readonly Outcome[], command: string, seconds: number): ProofRecord {
  return {
    name: 'fuzz',
    command,
    seconds: Math.round(seconds),
    violations: outcomes.filter(({ violation }) => violation !== null).length,
    figures: outcomes.flatMap(figuresOf),
    gaps: [],
  }
}

function figuresOf({ check, inputs, figures }: Outcome): Figure[] {
  const { invariants = [], atLeast } = check
  return [
    { section: 'inputs', invariants, what: check.inputs, value: inputs, atLeast },
    ...Object.entries(figures).map(([what, value]): Figure => ({ section: 'inputs', invariants, what, value })),
  ]
}

import type { Figure } from '../../record/record.ts'
import type { Violation } from './rule.ts'

/** What a checker has found. */
export interface Report {
  readonly violations: readonly Violation[]
  /** Each rule, and how much it had to look at. */
  readonly rules: readonly { readonly invariant: string; readonly what: string; readonly cases: number }[]
  readonly figures: readonly Figure[]
  /** Rules that had nothing to look at, a sentence each: they have shown nothing. */
  readonly notExercised: readonly string[]
}

/** A report as it is read on a terminal. */
export function describeReport({ violations, rules, figures, notExercised }: Report): string {
  const looked = rules.map(
    ({ invariant, what, cases }) => `${String(cases).padStart(9)}  ${invariant.padEnd(8)} ${what}`,
  )
  const measured = figures
    .filter(({ unit }) => unit !== undefined)
    .map(({ what, value, unit }) => `${String(value).padStart(9)}  ${unit} ${what}`)
  const broken = violations.flatMap(({ invariant, text, evidence }) => [
    '',
    `${invariant} does not hold: ${text}`,
    ...evidence.map((line) => `    ${line}`),
  ])
  const verdict =
    violations.length === 0 ? 'Nothing is wrong.' : `${violations.length} counter-examples, as they stand above.`
  return [...looked, ...measured, ...notExercised, ...broken, verdict].join('\n')
}

import type { Evidence } from './evidence.ts'

/** Something that must not be, and what shows it. */
export interface Violation {
  /** As docs/proof/invariants.md numbers them, or `liveness`: once all is well, everything ends. */
  readonly invariant: string
  readonly text: string
  /** The lines and rows, at most so many that a reader bears them. */
  readonly evidence: readonly string[]
}

/** What a rule has to look at what it is about. */
export interface Findings {
  /** One more thing was looked at; a rule without any has shown nothing. */
  readonly saw: (count?: number) => void
  /** Says what must not be, unless it holds. `shown` is asked only then. */
  readonly require: (holds: boolean, text: () => string, shown: () => readonly unknown[]) => void
  /** Something that was measured, the worst of which is told. */
  readonly measured: (ms: number) => void
}

/** Looks at what is left of a run for one thing that has to hold. */
export interface Rule {
  readonly invariant: string
  /** What its cases are, as a row of a table reads: "acknowledged enqueues, each found with one end". */
  readonly what: string
  /** What was measured, where it measures; and how much it may be. */
  readonly measures?: { readonly what: string; readonly atMost?: (evidence: Evidence) => number }
  check(evidence: Evidence, findings: Findings): void
}

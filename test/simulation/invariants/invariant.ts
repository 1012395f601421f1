import type { Tables } from '../../../src/store/memory/tables.ts'
import type { Promised } from '../client.ts'
import type { Commit } from '../commits.ts'
import type { Effect, Ledger } from '../ledger.ts'
import type { Configuration } from '../swarm.ts'

/** All there is to look at: the tables, what user code did, and what was promised. */
export interface Evidence {
  readonly tables: Tables
  readonly ledger: Ledger
  readonly promised: Promised
  readonly configuration: Configuration
  /** True time. */
  readonly now: () => number
  /** Counts something that has to happen now and then, or the simulation shows nothing. */
  readonly sometimes: (what: string) => void
}

/** Something that must never be. */
export class Violation extends Error {
  readonly invariant: string

  constructor(invariant: string, message: string) {
    super(`${invariant}: ${message}`)
    this.invariant = invariant
  }
}

/** Looks on, and throws a Violation. */
export interface Invariant {
  /** After every commit. */
  afterCommit?(commit: Commit, evidence: Evidence): void
  /** When user code does something. */
  onEffect?(effect: Effect, evidence: Evidence): void
  /** Once all has healed and nothing is under way. */
  atEnd?(evidence: Evidence): void | Promise<void>
}

export function require(holds: boolean, invariant: string, message: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, message())
}

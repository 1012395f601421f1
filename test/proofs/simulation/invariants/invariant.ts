import type { Tables } from '../../../../src/store/memory/schema/tables.ts'
import type { Commit } from '../commits.ts'
import type { Effect, Ledger } from '../ledger.ts'
import type { Machine } from '../machine.ts'
import type { Promised } from '../requests/asking.ts'
import type { StoreClock } from '../store-clock.ts'
import type { Configuration } from '../swarm.ts'

/** All there is to look at: the tables, what user code did, and what was promised. */
export interface Evidence {
  readonly tables: Tables
  readonly ledger: Ledger
  readonly promised: Promised
  readonly configuration: Configuration
  /** The clock that rules. */
  readonly clock: StoreClock
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
  /** When a node says that it has stopped. */
  onStopped?(machine: Machine, evidence: Evidence): void
  /** Once all has healed and nothing is under way. */
  atEnd?(evidence: Evidence): void
}

export function require(holds: boolean, invariant: string, message: () => string): asserts holds {
  if (!holds) throw new Violation(invariant, message())
}

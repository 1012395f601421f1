import type { Edit } from './plant.ts'

/** One bug, small enough to be written by accident, and the proofs that must find it. */
export interface PlantedBug extends Edit {
  /** The invariant that it breaks, as docs/proof/invariants.md numbers it, or the name that the simulation reports. */
  readonly invariant: `${'I' | 'S'}${number}` | 'liveness' | 'chain' | 'rate limit'
  /** Unique. */
  readonly name: string
  /** A second change, where one alone would have no effect. */
  readonly also?: Edit
  /** Tests that must fail, as `file › name`: the unique end of the path without `.test.ts`, and a part of the full test name. */
  readonly tests?: readonly string[]
  /** The simulation must find it. */
  readonly simulation?: true
  /** The fault injection must find it. */
  readonly torture?: {
    /** The processes that have it; nodes unless given. */
    readonly within?: 'client'
    /** Names of the faults meanwhile. */
    readonly faults: readonly string[]
    /** Duration of a run, where the default is too short. */
    readonly seconds?: number
  }
}

/** The changes that make the bug. */
export function editsOf(bug: PlantedBug): readonly Edit[] {
  return bug.also ? [bug, bug.also] : [bug]
}

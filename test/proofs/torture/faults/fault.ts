import type { Chance } from '../../../harness/chance.ts'
import type { Stage } from '../stage.ts'

/** Something that goes wrong for a while. */
export interface Fault {
  /** As the history and the table of figures name it: "the server is killed". */
  readonly name: string
  /** How often it is struck in comparison with others; 1 where nothing is said. */
  readonly weight?: number | undefined
  /** Whether others may go wrong meanwhile; without it it is alone. */
  readonly canOverlap?: boolean | undefined
  /** Why it cannot be done on this machine, in a sentence; null where it can. It is then a gap in the figures. */
  obstacle?(stage: Stage): Promise<string | null>
  /** Does it, waits, and undoes it whatever happens. Tells what can be counted, such as `{ 'nodes killed': 3 }`. `signal` says that the time is over. */
  strike(stage: Stage, chance: Chance, signal: AbortSignal): Promise<Readonly<Record<string, number>>>
}

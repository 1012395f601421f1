import type { AnyJobType } from '../../job/type/job-type.ts'
import type { AttemptDeps } from '../running/attempt.ts'
import type { RunWrites } from './run-writes.ts'

/** What every run on a node shares. */
export interface DurableSurroundings extends AttemptDeps {
  readonly types: ReadonlyMap<string, AnyJobType>
  readonly writes: RunWrites
  /** So long after the store has said that a run is held here nobody else can have it. */
  readonly sureForMs: number
  /** Something is due at an instant; with null: now. */
  readonly onMade: (dueAt: number | null) => void
  /** Something that runs was ended, or has news. */
  readonly onChanged: () => void
}

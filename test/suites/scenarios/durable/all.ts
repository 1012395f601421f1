import { durableCancellation } from './cancellation.ts'
import { durableChangedCode } from './changed-code.ts'
import { durableCheckpoints } from './checkpoints.ts'
import { durableChildren } from './children.ts'
import { durableLimits } from './limits.ts'
import { durableRecovery } from './recovery.ts'
import { durableRuns } from './runs.ts'
import { durableSignals } from './signals.ts'
import { durableTimers } from './timers.ts'
import type { SourceOf } from './world.ts'

/** What holds for durable jobs on every store. */
export function describeDurable(sourceOf: SourceOf, store: 'memory' | 'pglite'): void {
  durableRuns(sourceOf)
  durableRecovery(sourceOf, store)
  durableTimers(sourceOf)
  durableSignals(sourceOf)
  durableChildren(sourceOf)
  durableCancellation(sourceOf)
  durableChangedCode(sourceOf)
  durableCheckpoints(sourceOf)
  durableLimits(sourceOf)
}

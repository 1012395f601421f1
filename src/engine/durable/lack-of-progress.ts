import type { Divergence } from '../../job/activity/history.ts'
import type { ExecutionBody } from '../../job/execution/execution.ts'
import type { LoadedRun } from '../../store/histories.ts'

/** So many nodes may be lost with a run before that counts as its own doing, however few retries jobs have here. */
const LEAST_LOSSES = 4

/** Why a run is not taken up again: it seems to be what its nodes die of. null where it is. */
export function lackOfProgress(
  { lostSinceProgress }: Pick<LoadedRun, 'lostSinceProgress'>,
  { maxAttempts }: Pick<ExecutionBody, 'maxAttempts'>,
): Divergence | null {
  if (lostSinceProgress < Math.max(maxAttempts, LEAST_LOSSES)) return null
  const message = `The nodes that ran it were lost ${lostSinceProgress} times in a row, and nothing was recorded meanwhile. Resume it once the cause is removed.`
  return { reason: 'noProgress', message, attempts: lostSinceProgress }
}

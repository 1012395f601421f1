import { PontualError } from '../../errors.ts'
import type { AbortReason } from '../attempt.ts'

/** What a run is told that is taken away from under its code. */
export function abortError(reason: AbortReason): PontualError {
  return reason === 'gone'
    ? new PontualError('execution.gone', 'The execution was cancelled or taken by another node.')
    : new PontualError('node.stopping', 'The node is shutting down.')
}

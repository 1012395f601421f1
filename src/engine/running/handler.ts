import type { AnyJobType } from '../../job/type/job-type.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import type { Isolates } from '../sandbox/isolates.ts'
import type { AttemptContext } from './attempt-context.ts'

/** Does the work of one attempt. */
export type Handler = (input: unknown, context: AttemptContext, claimed: ClaimedExecution) => unknown

/** The handler of a job type: resolved once, and kept. */
export function handlerOf(type: AnyJobType, isolates: Isolates): Handler {
  if (type.isolation) return isolates.runnerOf(type, type.isolation)
  return (input, context) => type.run(input, context)
}

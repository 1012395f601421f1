import type { AnyJobType } from '../job/job-type.ts'
import type { AttemptContext } from './attempt-context.ts'

/** Does the work of one attempt. */
export type Handler = (input: unknown, context: AttemptContext) => unknown

/** The handler of a job type: resolved once, and kept. */
export function handlerOf(type: AnyJobType): Handler {
  return (input, context) => type.run(input, context)
}

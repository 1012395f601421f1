import { currentExecution } from 'pontual'

/** A handler in a module of its own, which is bundled by itself. */
export function run(input, context) {
  return [input, context.jobType, currentExecution()?.jobType]
}

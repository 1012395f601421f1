import type { ExecutionOptions } from '../../../job/execution/execution.ts'
import type { MisfireInfo } from '../../../time/misfire/resolution.ts'

/** The options of a body, which is never changed, with the misfire that its occurrence has come to stand for. */
export function optionsFrom(text: string | null, misfire: MisfireInfo | null): ExecutionOptions | null {
  const options = text === null ? null : (JSON.parse(text) as ExecutionOptions)
  return misfire === null ? options : { ...options, misfire }
}

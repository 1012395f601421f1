import type { Execution } from '../job/execution.ts'
import { decodePayload } from '../job/payload.ts'

/** An execution with its input and output as data. */
export interface ExecutionView extends Omit<Execution, 'payload' | 'output'> {
  readonly input: unknown
  readonly output: unknown
}

export function viewOf({ payload, output, ...execution }: Execution): ExecutionView {
  return { ...execution, input: decodePayload(payload), output: decodePayload(output) }
}

import { decodeValue } from '../durable/codec.ts'
import type { Execution } from '../job/execution.ts'

/** An execution with its input and output as data. */
export interface ExecutionView extends Omit<Execution, 'payload' | 'output'> {
  readonly input: unknown
  readonly output: unknown
}

export function viewOf({ payload, output, ...execution }: Execution): ExecutionView {
  return { ...execution, input: decodeValue(payload), output: decodeValue(output) }
}

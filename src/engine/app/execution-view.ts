import { decodeValue } from '../../durable/codec.ts'
import type { Execution } from '../../job/execution/execution.ts'
import { type UnreadableCode, unreadableCode } from '../../job/execution/unreadable.ts'

/** An execution with its input and output as data. */
export interface ExecutionView<Output = unknown> extends Omit<Execution, 'payload' | 'output'> {
  readonly input: unknown
  /** undefined unless it has succeeded. */
  readonly output: Output | undefined
  /** Why there is no input to be seen, where there was one; absent for most. */
  readonly inputError?: UnreadableCode
  /** And why no output. */
  readonly outputError?: UnreadableCode
}

export function viewOf({ payload, output, ...execution }: Execution): ExecutionView {
  const [inputError, outputError] = [unreadableCode(payload), unreadableCode(output)]
  return {
    ...execution,
    input: inputError ? undefined : decodeValue(payload),
    output: outputError ? undefined : decodeValue(output),
    ...(inputError && { inputError }),
    ...(outputError && { outputError }),
  }
}

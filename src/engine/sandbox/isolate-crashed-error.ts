import { PontualError, quote } from '../../errors.ts'
import type { IsolateKind } from '../../job/type/isolation.ts'
import type { IsolateEnd } from './channel.ts'

/** The thread or process of an isolated handler ended before the handler did. Only that attempt has failed, and it is tried again. */
export class IsolateCrashedError extends PontualError {
  /** @internal */
  constructor(jobType: string, kind: IsolateKind, end: IsolateEnd, memoryMb: number | null) {
    const { exitCode, signal, isOutOfMemory, cause } = end
    super(
      'isolate.crashed',
      `The ${kind} of job type ${quote(jobType)} ${describeEnd(end, memoryMb)}.`,
      { kind, exitCode, signal, isOutOfMemory },
      cause === null ? undefined : { cause },
    )
  }
}

/** One whose channel is closed ends itself and all it has started, which looks the same from here. */
const KILLED =
  'was killed by SIGKILL: it has closed its channel to the node, or was killed from outside, as a system that is short of memory does'

function describeEnd({ exitCode, signal, isOutOfMemory, cause }: IsolateEnd, memoryMb: number | null): string {
  if (isOutOfMemory) return `ran out of memory${memoryMb === null ? '' : `, of which it had ${memoryMb} MiB`}`
  if (cause !== null) return `failed: ${cause instanceof Error ? cause.message : quote(cause)}`
  if (signal === 'SIGKILL') return KILLED
  if (signal !== null) return `was ended by ${signal}`
  return `ended with exit code ${exitCode} before its handler did`
}

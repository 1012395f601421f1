import type { ExecutionDetailView } from '../../service/execution-view.ts'
import { shownZone } from '../asking.ts'
import type { Connection } from '../client/connection.ts'
import { formatProgress } from '../print/execution-table.ts'
import { formatLogLine } from '../print/log-line.ts'
import { shownJson, shownLine, shownSentence } from '../print/shown-text.ts'
import type { Terminal } from '../terminal.ts'
import { followExecution } from './follow-execution.ts'
import { interruptible } from './interrupt.ts'
import { outcomeOf, requireSuccess } from './tell-outcome.ts'

export interface AwaitOptions {
  readonly json: boolean
  readonly zone?: string
  /** Waits until it has ended, and shows what it logs meanwhile. */
  readonly wait: boolean
  /** The same; in JSON, each line of its log is told as it comes. */
  readonly follow: boolean
}

/** Waits for an execution that was asked for, and tells what comes of it; throws where that is no success. */
export async function awaitExecution(
  connection: Connection,
  id: string,
  options: AwaitOptions,
  terminal: Terminal,
): Promise<void> {
  const { json, follow } = options
  const zone = shownZone(options)
  const sentence = `It goes on without you: pontual logs ${id} --follow; to end it: pontual cancel ${id}`
  const execution = await interruptible(
    (signal) =>
      followExecution(connection, id, {
        signal,
        onLine: (line) => {
          if (!json) terminal.write(formatLogLine(terminal, line, zone))
          else if (follow) terminal.write(`${shownJson({ executionId: id, line })}\n`)
        },
        onLook: json ? undefined : tellChanges(terminal),
        onCut: (reason) => json || terminal.note(`Cut off (${shownLine(reason)}); looking for it again …\n`),
      }),
    sentence,
  )
  if (json) terminal.write(`${shownJson(follow ? { executionId: id, execution } : execution)}\n`)
  else terminal.write(`${outcomeOf(terminal, execution)}\n`)
  requireSuccess(execution)
}

/** Says what changes about an execution that is waited for. */
export function tellChanges(terminal: Terminal): (execution: ExecutionDetailView) => void {
  let told = ''
  return (execution) => {
    const text = stateOf(execution)
    if (text !== '' && text !== told) terminal.note(`${terminal.tone(text, 'dim')}\n`)
    told = text
  }
}

function stateOf({ status, retryCount, progress, progressNote, attempts, nextRetryAt }: ExecutionDetailView): string {
  if (status === 'QUEUED' && nextRetryAt !== null) {
    // Until it has ended only its attempts have errors.
    const { attempt = retryCount + 1, errorMessage = null } = attempts.at(-1) ?? {}
    return `Attempt ${attempt} failed: ${shownSentence(errorMessage ?? 'no message')} It is tried again.`
  }
  if (status === 'QUEUED') return 'It waits in the queue.'
  if (status === 'WAITING') return 'It waits: for a time, a signal, or what stands before it.'
  return status === 'RUNNING' && progress !== null ? formatProgress(progress, progressNote) : ''
}

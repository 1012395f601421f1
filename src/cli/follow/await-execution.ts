import { PontualError } from '../../errors.ts'
import type { ExecuteAnswer } from '../../service/answers.ts'
import type { ExecutionDetailView, ExecutionView } from '../../service/execution-view.ts'
import { shownZone } from '../asking.ts'
import type { Connection } from '../client/connection.ts'
import { formatLogLine, formatProgress, statusTone } from '../print/executions.ts'
import { formatTook } from '../print/instants.ts'
import { shownJson, shownLine, shownSentence } from '../print/text.ts'
import { interruptible } from '../signals.ts'
import type { Terminal } from '../terminal.ts'
import { followExecution } from './follow-execution.ts'

/** How an execution has ended, in a line. */
export function outcomeOf(terminal: Pick<Terminal, 'tone'>, execution: ExecutionView): string {
  const { status, retryCount } = execution
  const tone = statusTone(status)
  const attempts = retryCount > 0 ? `, ${retryCount + 1} attempts` : ''
  return `${tone === null ? status : terminal.tone(status, tone)}${tookOf(execution)}${attempts}`
}

/** What is shorter is no wait. */
const SHORTEST_WAIT_MS = 1_000

/** From its first beginning to its end; where it slept or was tried again in between, that is longer than what it took in the end. */
function tookOf({ durationMs, completedAt, createdAt, scheduledAt, attempts }: ExecutionView): string {
  if (durationMs === null || completedAt === null) return ''
  // One without recorded attempts is durable: it could begin as soon as it was there and due.
  const first = attempts[0]?.startedAt
  const began = first === undefined ? dueOf(createdAt, scheduledAt) : Date.parse(first)
  const totalMs = Date.parse(completedAt) - began
  if (totalMs - durationMs < SHORTEST_WAIT_MS) return ` after ${formatTook(durationMs)}`
  return ` after ${formatTook(totalMs)} (${formatTook(durationMs)} since it last began)`
}

function dueOf(createdAt: string, scheduledAt: string | null): number {
  return Math.max(Date.parse(createdAt), scheduledAt === null ? 0 : Date.parse(scheduledAt))
}

/** What went wrong, and where more is told; null for what has ended well, or not at all. */
export function failureOf({ id, status, errorMessage }: ExecutionView): string | null {
  if (errorMessage === null || status === 'SUCCESS') return null
  return `${shownSentence(errorMessage)} More about it: pontual executions show ${id}`
}

/** Throws where an execution has ended in any other way than well: what a command ends with is what came of it. */
export function requireSuccess({ id, status, jobName, jobType, errorMessage }: ExecutionView): void {
  if (status === 'SUCCESS') return
  const why = errorMessage === null ? '.' : `: ${shownSentence(errorMessage)}`
  const next = status === 'DIVERGED' ? 'See to it with' : 'More about it:'
  const message = `${shownLine(jobName ?? jobType)} is ${status}${why} ${next} pontual executions show ${id}`
  throw new PontualError('execution.not_succeeded', message, { executionId: id, status, errorMessage })
}

export interface AwaitOptions {
  readonly json: boolean
  readonly zone?: string
  /** Waits until it has ended, and shows what it logs meanwhile. */
  readonly wait: boolean
  /** The same; in JSON, each line of its log is told as it comes. */
  readonly follow: boolean
}

/** Waits for an execution that was asked for, and tells what comes of it; throws where that is no success. */
async function awaitExecution(
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

/** What a service says about an execution that was asked for. */
export type Asked = ExecuteAnswer & { readonly message: string | null }

/** Tells which execution was asked for, and waits for it where that is wanted. */
export async function tellAsked(
  connection: Connection,
  asked: Asked,
  options: AwaitOptions & { readonly told: string },
  terminal: Terminal,
): Promise<void> {
  const { executionId, isNew, message } = asked
  const { json, wait, follow, told } = options
  const isAwaited = wait || follow
  if (message !== null && !json) terminal.note(`${shownLine(message)}\n`)
  if (!isNew && !json) terminal.note('It had been asked for before, with the same key.\n')
  if (isAwaited) {
    if (!json) terminal.note(`${told}: execution ${executionId}\n`)
    await awaitExecution(connection, executionId, options, terminal)
    return
  }
  terminal.write(json ? `${shownJson(asked)}\n` : `${executionId}\n`)
  if (!json) terminal.note(`${told}. See what comes of it: pontual logs ${executionId} --follow\n`)
}

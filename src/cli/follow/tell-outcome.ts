import { PontualError } from '../../errors.ts'
import type { ExecutionView } from '../../service/execution-view.ts'
import { formatTook } from '../print/age.ts'
import { shownLine, shownSentence } from '../print/shown-text.ts'
import { statusTone } from '../print/status-tone.ts'
import type { Terminal } from '../terminal.ts'

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

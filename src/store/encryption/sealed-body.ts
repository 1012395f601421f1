import type { AttemptRecord, Execution, ExecutionBody, Failure } from '../../job/execution/execution.ts'
import { canonicalText } from '../../job/execution/payload.ts'
import { ERASED, isUnreadable, undecryptable } from '../../job/execution/unreadable.ts'
import type { NewExecution } from '../executions.ts'
import { HIDDEN_MESSAGE, isSealed } from '../sealed-text.ts'
import type { Box, Place } from './box.ts'

export const payloadOf = (id: string): Place => ({ table: 'executions', id, column: 'payload' })
export const outputOf = (id: string): Place => ({ table: 'results', id, column: 'output' })
export const noteOf = (id: string): Place => ({ table: 'results', id, column: 'progress_note' })
/** Of an attempt and of the whole: the last attempt that failed is told by both. */
const errorOf = (id: string): Place => ({ table: 'results', id, column: 'error' })

/** A text, or nothing. Without a box it is lost: what cannot be sealed is not stored. */
export function sealText(box: Box | null, place: Place, text: string): string
export function sealText(box: Box | null, place: Place, text: string | null): string | null
export function sealText(box: Box | null, place: Place, text: string | null): string | null {
  if (text === null) return null
  return box ? box.seal(place, text) : undecryptable('key_unknown', '')
}

export function sealWords(box: Box | null, place: Place, text: string): string {
  return box ? box.sealWords(place, text) : undecryptable('key_unknown', '')
}

export function openText(box: Box | null, place: Place, text: string): string
export function openText(box: Box | null, place: Place, text: string | null): string | null
export function openText(box: Box | null, place: Place, text: string | null): string | null {
  if (text === null || (!box && isUnreadable(text))) return text
  return box ? box.open(place, text) : undecryptable('key_unknown', text)
}

/** One with an idempotency key can be compared with another that has the same key, and with nothing else. */
export function sealBody(box: Box, body: ExecutionBody): ExecutionBody {
  const { id, payload, jobType, idempotencyKey } = body
  if (payload === null) return body
  const digest =
    idempotencyKey === null
      ? ''
      : box.hash('payload', JSON.stringify([jobType, idempotencyKey, canonicalText(payload)]))
  return { ...body, payload: box.seal(payloadOf(id), payload, digest) }
}

export function sealNew(box: Box, execution: NewExecution): NewExecution {
  return { ...execution, body: sealBody(box, execution.body) }
}

export function openBody<Body extends ExecutionBody>(box: Box | null, body: Body): Body {
  return body.payload === null ? body : { ...body, payload: openText(box, payloadOf(body.id), body.payload) }
}

export function openExecution(box: Box | null, execution: Execution): Execution {
  const { id, output, error, progressNote, attempts } = execution
  return {
    ...openBody(box, execution),
    output: openText(box, outputOf(id), output),
    error: openFailure(box, id, error),
    progressNote: openWords(box, noteOf(id), progressNote),
    attempts: attempts.map(
      (attempt): AttemptRecord =>
        attempt.error === null ? attempt : { ...attempt, error: openFailure(box, id, attempt.error) },
    ),
  }
}

const UNREADABLE_MESSAGE = 'The words of this error cannot be decrypted.'

/** Errors of the engine itself, whose words hold nothing of what handlers were given; and why somebody cancelled it. */
const PLAIN: ReadonlySet<string | undefined> = new Set([
  'execution.cancelled',
  'execution.timeout',
  'payload_undecryptable',
  'payload_erased',
])

/** Name and code stay as they are: they are of the program, and others ask for them. */
export function sealFailure(box: Box | null, id: string, failure: Failure): Failure {
  if (PLAIN.has(failure.code)) return { ...failure, stack: undefined }
  const { stack, message, ...rest } = failure
  const words = JSON.stringify(stack === undefined ? [message] : [message, stack])
  return { ...rest, message: HIDDEN_MESSAGE, ...(box && { stack: box.seal(errorOf(id), words) }) }
}

/** An error that the store has written itself, of an execution that was lost or cancelled, was never sealed. */
export function openFailure(box: Box | null, id: string, failure: Failure): Failure
export function openFailure(box: Box | null, id: string, failure: Failure | null): Failure | null
export function openFailure(box: Box | null, id: string, failure: Failure | null): Failure | null {
  if (failure?.stack === undefined || !isSealed(failure.stack)) return failure
  const { stack, ...rest } = failure
  const words = box ? box.open(errorOf(id), stack) : null
  if (words === null || isUnreadable(words)) return { ...rest, message: UNREADABLE_MESSAGE }
  const [message = '', trace] = JSON.parse(words) as string[]
  return { ...rest, message, ...(trace !== undefined && { stack: trace }) }
}

/** Words that people read: they are told where there are none to read. */
export function openWords(box: Box | null, place: Place, text: string): string
export function openWords(box: Box | null, place: Place, text: string | null): string | null
export function openWords(box: Box | null, place: Place, text: string | null): string | null {
  if (text === null || text === ERASED) return text
  return box?.openWords(place, text) ?? '(This cannot be decrypted.)'
}

import { InvalidInputError, PontualError } from '../errors.ts'
import type { Failure, FinalStatus } from '../job/execution/execution.ts'
import { failureOf } from '../job/execution/failure.ts'

/** An activity failed and is not retried. `cause` is the recorded error of its last attempt. */
export class ActivityFailedError extends PontualError {
  readonly activityId: string
  readonly sequence: number
  readonly attempts: number

  constructor(activityId: string, sequence: number, attempts: number, cause: Error) {
    super(
      'activity.failed',
      `Activity "${activityId}" (call ${sequence}) failed after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${cause.message}`,
      { activityId, sequence, attempts },
      { cause },
    )
    this.activityId = activityId
    this.sequence = sequence
    this.attempts = attempts
  }
}

/** The time limit that an activity has exceeded: of one attempt, of the wait for its start, in total, or between two heartbeats. */
export type ActivityTimeout = 'attempt' | 'start' | 'total' | 'heartbeat'

/** An activity, or one of its attempts, exceeded a time limit. */
export class ActivityTimeoutError extends PontualError {
  readonly timeout: ActivityTimeout

  constructor(activityId: string, timeout: ActivityTimeout, timeoutMs: number) {
    super('activity.timeout', `Activity "${activityId}" ${OVERRUN[timeout]} ${timeoutMs} ms.`, {
      activityId,
      timeout,
      timeoutMs,
    })
    this.timeout = timeout
  }
}

const OVERRUN: Record<ActivityTimeout, string> = {
  attempt: 'did not end within',
  start: 'was not started within',
  total: 'did not end, with all its attempts, within',
  heartbeat: 'gave no heartbeat for',
}

/** A child execution did not succeed. */
export class ChildFailedError extends PontualError {
  readonly executionId: string
  readonly status: FinalStatus

  constructor(jobType: string, executionId: string, status: FinalStatus, failure: Failure | null) {
    super(
      'child.failed',
      `Child "${jobType}" (execution ${executionId}) ended as ${status}${failure ? `: ${failure.message}` : '.'}`,
      { jobType, executionId, status },
    )
    this.executionId = executionId
    this.status = status
  }
}

/** The run is being cancelled: pending calls are given up, and only clean-up may make calls. */
export class CancelledError extends PontualError {
  constructor(reason: string | null) {
    super('execution.cancelled', reason ?? 'Cancelled.')
  }
}

/** The run did not end within its timeout, waits included. */
export class RunTimeoutError extends PontualError {
  constructor(timeoutMs: number) {
    super('execution.timeout', `The run did not end within ${timeoutMs} ms.`, { timeoutMs })
  }
}

/** The job ended without awaiting a call that it had made. */
export class ForgottenAwaitError extends PontualError {
  constructor(calls: readonly { readonly kind: string; readonly name: string; readonly sequence: number }[]) {
    const list = calls.map(({ kind, name, sequence }) => `${kind} "${name}" (call ${sequence})`).join(', ')
    super('durable.forgotten_await', `The job ended without waiting for ${list}: is an await missing?`, { calls })
  }
}

/** The durable context was used inside an activity. */
export class MisplacedCallError extends PontualError {
  constructor(called: string, where: string) {
    super('durable.misplaced_call', `${called} was called ${where}.`, { called })
  }
}

/** A compensation failed as well, so not everything is undone. */
export class CompensationFailedError extends PontualError {
  constructor(cause: Error, failures: readonly string[]) {
    super(
      'durable.compensation_failed',
      `${cause.message} Not everything could be undone: ${failures.join('; ')}`,
      { failures },
      { cause },
    )
  }
}

/** Aborts work of a run that has ended, or that another node continues. */
export class RunOverError extends PontualError {
  constructor(isEnded: boolean) {
    super('execution.over', isEnded ? 'Its run has ended.' : 'Its run goes on somewhere else.')
  }
}

/** A thrown value as an error. */
export function errorOf(thrown: unknown): Error {
  try {
    if (thrown instanceof Error) return thrown
  } catch {
    // A revoked proxy throws even here.
  }
  return new Error(failureOf(thrown).message)
}

const STORABLE =
  'plain data can be stored, and Date, BigInt, Map, Set, RegExp, URL, Error, bytes, and instances of classes that have a toJSON.'

/** A value cannot be stored. The message names the value and the path in it; a retry would fail in the same way. */
export class UnstorableValueError extends InvalidInputError {}

/** A part of a value is of a type that cannot be stored. */
export function unstorable(thing: string, path: string, fault: string, options?: ErrorOptions): UnstorableValueError {
  const place = path === '' ? `${thing} ${fault}` : `${thing}: ${path} ${fault}`
  return new UnstorableValueError('payload.unstorable', `${place}; ${STORABLE}`, { thing, path }, options)
}

export function tooLarge(thing: string, maxBytes: number, bytes?: number): UnstorableValueError {
  return new UnstorableValueError(
    'payload.too_large',
    `${thing} must be at most ${maxBytes} bytes when it is stored, got ${bytes ?? 'more'}. Store it elsewhere and pass a reference.`,
    { thing, maxBytes, ...(bytes === undefined ? {} : { bytes }) },
  )
}

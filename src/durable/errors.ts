import { InvalidInputError, PontualError } from '../errors.ts'
import type { Failure, FinalStatus } from '../job/execution/execution.ts'
import { failureOf } from '../job/execution/failure.ts'

/** All attempts of an activity were used up, or another would make no sense. `cause` is the error of the last one, as it is recorded. */
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

/** Which of its times an activity has overrun: that of one attempt, of the wait for a start, of all of it, or between two heartbeats. */
export type ActivityTimeout = 'attempt' | 'start' | 'total' | 'heartbeat'

/** An activity, or one of its attempts, took longer than it may. */
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

/** The run is being cancelled: what waits is given up, and no call is taken but from clean-up. */
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

/** The job ended, and nobody had ever waited for a call it made. */
export class ForgottenAwaitError extends PontualError {
  constructor(calls: readonly { readonly kind: string; readonly name: string; readonly sequence: number }[]) {
    const list = calls.map(({ kind, name, sequence }) => `${kind} "${name}" (call ${sequence})`).join(', ')
    super('durable.forgotten_await', `The job ended without waiting for ${list}: is an await missing?`, { calls })
  }
}

/** The durable context was used where it must not be. */
export class MisplacedCallError extends PontualError {
  constructor(called: string, where: string) {
    super('durable.misplaced_call', `${called} was called ${where}.`, { called })
  }
}

/** The work of compensation failed as well: what had been done is not all undone. */
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

/** What goes on for a run that has ended, or that somebody else goes on with, is told to end with this. */
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

/** A value cannot be stored: what it is, and where in it. To try again would give the same. */
export class UnstorableValueError extends InvalidInputError {}

/** Something in a value is of a kind that is not kept. */
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

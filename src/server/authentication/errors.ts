import { UnauthenticatedError } from '../../access/errors.ts'
import { RequestError } from '../request-error.ts'

/** Who signs tokens cannot be reached, so nobody can say whether one holds. */
export class IdentityUnavailableError extends RequestError {
  constructor(cause?: unknown) {
    const message = 'The keys that tokens are checked against cannot be read right now. Try again shortly.'
    super(503, 'unavailable', message, { headers: { 'retry-after': '5' } })
    this.cause = cause
  }
}

/** Credentials that do not hold. Says no more than that: a reason helps who guesses. */
export function notAccepted(message = 'The credentials are not valid.'): UnauthenticatedError {
  return new UnauthenticatedError('unauthenticated', message)
}

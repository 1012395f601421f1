import { UnauthenticatedError } from '../../access/errors.ts'
import { RequestError } from '../request/request-error.ts'

/** Who signs tokens cannot be reached, so nobody can say whether one holds. */
export class IdentityUnavailableError extends RequestError {
  constructor(cause?: unknown) {
    const message = 'The keys that tokens are checked against cannot be read right now. Try again shortly.'
    super(503, 'unavailable', message, { headers: { 'retry-after': '5' }, details: { case: 'keys' } })
    this.cause = cause
  }
}

const REASONS = {
  invalid: 'The credentials are not valid.',
  two: 'Send either Authorization or X-Api-Key.',
  form: 'Authorization must be: Bearer, a space, and a token or an API key.',
  expired: 'The token has expired.',
  ended: 'The session has ended.',
} as const

/** Credentials that do not hold. Says no more than that: a reason helps who guesses. */
export function notAccepted(why: keyof typeof REASONS = 'invalid'): UnauthenticatedError {
  return new UnauthenticatedError('unauthenticated', REASONS[why], { case: why })
}

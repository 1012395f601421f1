import { ForbiddenError, UnauthenticatedError } from '../../access/errors.ts'
import { UnknownExecutionError } from '../../engine/app/executions.ts'
import { UnknownJobError } from '../../engine/lifecycle/change-job.ts'
import { InvalidInputError, PontualError } from '../../errors.ts'
import { JobConflictError } from '../../job/job-status.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import {
  ConflictError,
  type FieldProblem,
  InvalidFieldsError,
  NotFoundError,
  QuotaError,
  StaleVersionError,
} from '../../service/errors.ts'
import { UnknownPredecessorError } from '../../store/executions.ts'
import { IdempotencyError } from '../../store/idempotency.ts'
import { isTransient, StoreUnavailableError } from '../../store/unavailable.ts'
import { RequestError } from '../request/request-error.ts'
import type { ProblemParts } from './problem.ts'

export interface ErrorAnswer extends ProblemParts {
  readonly headers: Readonly<Record<string, string>>
  /** Whether it is to be logged: nobody meant it to happen. */
  readonly isUnexpected: boolean
}

type ErrorClass = abstract new (...args: never[]) => Error

/** What each class of error is answered with; the first that fits decides. Without a code of the answer's own, the error's own is given. */
const ANSWERS: readonly (readonly [ErrorClass, status: number, code?: string])[] = [
  [UnauthenticatedError, 401, 'unauthenticated'],
  [ForbiddenError, 403],
  [NotFoundError, 404, 'not_found'],
  [UnknownJobError, 404, 'not_found'],
  [UnknownExecutionError, 404, 'not_found'],
  [UnknownPredecessorError, 404, 'not_found'],
  [StaleVersionError, 412, 'stale_version'],
  [JobConflictError, 409],
  [ConflictError, 409],
  [QuotaError, 409, 'quota_exceeded'],
  [IdempotencyError, 422, 'idempotency_mismatch'],
  [InvalidFieldsError, 400],
  [InvalidInputError, 400],
  [StoreUnavailableError, 503, 'unavailable'],
]

/** Errors without a class of their own. */
const ANSWERS_BY_CODE: Readonly<Record<string, number>> = {
  'job.contended': 409,
  payload_undecryptable: 409,
  payload_erased: 410,
  'execution.status_conflict': 409,
  'execution.not_durable': 409,
  'trigger.search_too_long': 409,
  'pontual.stopped': 503,
  'encryption.data_key_unavailable': 503,
  'store.closed': 503,
  'store.cancel_contended': 503,
  'store.job_contended': 503,
}

/** Problems of a field that say more than that something is invalid, with the code of the whole answer where every problem is of that kind. */
const TELLING: Readonly<Record<string, string>> = {
  unknown_field: 'unknown_field',
  read_only_field: 'read_only_field',
  cron_invalid: 'job.cron_invalid',
  'job.cron_invalid': 'job.cron_invalid',
  target_forbidden: 'target_forbidden',
  invalid_cursor: 'invalid_cursor',
}

const RETRY_AFTER_SECONDS = '2'

/** How an error is answered. What nobody meant to happen says nothing about itself. */
export function answerOf(error: unknown): ErrorAnswer {
  if (error instanceof RequestError) return { ...told(error.status, error.code, error), headers: error.headers }
  const [, status, code] = ANSWERS.find(([each]) => error instanceof each) ?? []
  if (status !== undefined && error instanceof PontualError) return ofClass(status, code, error)
  if (isTransient(error)) return unavailable()
  const other = error instanceof PontualError ? ANSWERS_BY_CODE[error.code] : undefined
  if (other === 503) return unavailable()
  if (other !== undefined && error instanceof PontualError) return told(other, error.code, error)
  return {
    status: 500,
    code: 'internal',
    detail: 'Something went wrong here. The trace_id finds it in the logs.',
    headers: {},
    isUnexpected: true,
  }
}

function ofClass(status: number, code: string | undefined, error: PontualError): ErrorAnswer {
  if (error instanceof InvalidFieldsError) return ofFields(error.problems, error)
  if (error instanceof InvalidPayloadError) return { ...ofFields(payloadProblems(error), error), code: error.code }
  if (error instanceof UnauthenticatedError) {
    return { ...told(status, 'unauthenticated', error), headers: { 'www-authenticate': 'Bearer realm="pontual"' } }
  }
  if (error instanceof StoreUnavailableError) return unavailable()
  if (error instanceof ForbiddenError && error.code.startsWith('access.')) return told(status, 'forbidden', error)
  return told(status, code ?? error.code, error)
}

/** What a store says about itself is not for the one who asks. */
function unavailable(): ErrorAnswer {
  return {
    status: 503,
    code: 'unavailable',
    detail: 'Storage cannot be reached right now. Try again shortly.',
    headers: { 'retry-after': RETRY_AFTER_SECONDS },
    isUnexpected: true,
  }
}

function told(status: number, code: string, error: PontualError): ErrorAnswer {
  const { message: detail, details } = error
  return { status, code, detail, says: { code: error.code, details }, headers: {}, isUnexpected: false }
}

function ofFields(problems: readonly FieldProblem[], error: PontualError): ErrorAnswer {
  const codes = new Set(problems.map(({ code }) => TELLING[code] ?? 'validation_failed'))
  const [only] = codes
  const code = codes.size === 1 && only !== undefined ? only : 'validation_failed'
  return { ...told(400, code, error), errors: problems }
}

function payloadProblems(error: InvalidPayloadError): FieldProblem[] {
  const issues = error.details['issues'] as readonly { path: string; message: string }[] | undefined
  return (issues ?? []).map(({ path, message }) => ({
    pointer: path === '' ? '/payload' : `/payload/${path.replaceAll('.', '/')}`,
    code: 'payload_invalid',
    message,
  }))
}

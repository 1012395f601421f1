import type { ExecutionStatus, Failure } from '../../job/execution/execution.ts'

/** What kind of thing went wrong, as far as it decides what people should do about it. */
export type ErrorClass =
  | 'timeout'
  | 'network'
  | 'permission'
  | 'validation'
  | 'crash'
  | 'lost'
  | 'undecryptable'
  | 'unknown'

type Failed = Pick<Failure, 'name' | 'message' | 'code'>

const LOST = /^The node that ran it stopped renewing its lease\.$/

/** The first row that fits decides: codes before words. */
const RULES: readonly (readonly [ErrorClass, (error: Failed) => boolean])[] = [
  ['undecryptable', ({ code }) => code === 'payload_undecryptable' || code === 'payload_erased'],
  ['lost', ({ message }) => LOST.test(message)],
  ['timeout', ({ code, name }) => isOneOf(code, ['execution.timeout', 'activity.timeout']) || name === 'TimeoutError'],
  ['crash', ({ code }) => code === 'isolate.crashed' || code === 'ENOMEM'],
  ['network', ({ code }) => NETWORK_CODE.test(code ?? '')],
  ['permission', ({ code }) => isOneOf(code, ['EACCES', 'EPERM', '42501', '28000', '28P01', '401', '403'])],
  ['validation', ({ code, name }) => VALIDATION_CODE.test(code ?? '') || VALIDATION_NAME.test(name)],
  ['crash', ({ message }) => /\b(out of memory|heap limit|ENOMEM|SIGKILL|SIGSEGV)\b/i.test(message)],
  ['network', ({ message }) => NETWORK_WORDS.test(message)],
  ['permission', ({ message }) => PERMISSION_WORDS.test(message)],
  ['timeout', ({ message }) => /\b(timed out|timeout|deadline exceeded)\b/i.test(message)],
  ['validation', ({ message }) => /\b(validation failed|invalid (input|payload|value)|schema)\b/i.test(message)],
]

const NETWORK_CODE =
  /^(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_(AGAIN|FAIL|NODATA|NONAME)|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EPIPE|UND_ERR_.*|target_unreachable|store\.unavailable|08\d{3}|57P0[123])$/
const NETWORK_WORDS =
  /\b(ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|getaddrinfo|socket hang up|fetch failed|network error|(answered|status|HTTP)( with)?( code)? 50[234])\b/i
const PERMISSION_WORDS =
  /\b(unauthorized|forbidden|permission denied|access denied|not allowed|insufficient privilege|(answered|status|HTTP)( with)?( code)? 40[13]|acesso negado|permissão negada)\b/i
const VALIDATION_CODE = /^(payload\.(invalid|unstorable|too_large)|target_forbidden|option\.invalid|22\d{3}|23\d{3})$/
const VALIDATION_NAME = /^(ZodError|\$ZodError|ValidationError|InvalidPayloadError|InvalidInputError|SyntaxError)$/

function isOneOf(code: string | undefined, codes: readonly string[]): boolean {
  return code !== undefined && codes.includes(code)
}

/** What kind of thing made an execution fail. */
export function errorClassOf(status: ExecutionStatus | null, error: Failed | null): ErrorClass {
  if (status === 'TIMEOUT') return 'timeout'
  if (error === null) return 'unknown'
  return RULES.find(([, fits]) => fits(error))?.[0] ?? 'unknown'
}

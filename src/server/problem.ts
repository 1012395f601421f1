import { cutText, type FieldProblem } from '../service/errors.ts'

/** What went wrong, as RFC 9457 has it. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  /** The path that was asked for. */
  readonly instance: string
  /** Stable; a program decides by this. */
  readonly code: string
  /** Finds the request in logs and traces. */
  readonly trace_id: string
  readonly errors?: readonly FieldProblem[]
}

/** What a status means here: the last part of a problem's type, and its title. */
const MEANINGS: Readonly<Record<number, readonly [kind: string, title: string]>> = {
  400: ['validation', 'Validation failed'],
  401: ['unauthenticated', 'Authentication required'],
  403: ['forbidden', 'Forbidden'],
  404: ['not-found', 'Not found'],
  405: ['method-not-allowed', 'Method not allowed'],
  406: ['not-acceptable', 'Not acceptable'],
  408: ['timeout', 'Request timeout'],
  409: ['conflict', 'Conflict'],
  412: ['stale-version', 'Stale version'],
  413: ['payload-too-large', 'Payload too large'],
  414: ['uri-too-long', 'URI too long'],
  415: ['unsupported-media-type', 'Unsupported media type'],
  417: ['expectation-failed', 'Expectation failed'],
  422: ['idempotency', 'Idempotency key reused'],
  429: ['rate-limited', 'Too many requests'],
  431: ['headers-too-large', 'Request header fields too large'],
  500: ['internal', 'Internal error'],
  503: ['unavailable', 'Temporarily unavailable'],
}

/** Statuses that a problem may have. */
export const PROBLEM_STATUSES: readonly number[] = Object.keys(MEANINGS).map(Number)

export function titleOf(status: number): string {
  return (MEANINGS[status] ?? INTERNAL)[1]
}

const INTERNAL = ['internal', 'Internal error'] as const
const LONGEST_DETAIL = 1_000
const LONGEST_INSTANCE = 200

export interface ProblemParts {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly errors?: readonly FieldProblem[] | undefined
}

export function problemOf(
  { status, code, detail: whole, errors }: ProblemParts,
  { instance: path, traceId }: { instance: string; traceId: string },
): Problem {
  const [kind, title] = MEANINGS[status] ?? INTERNAL
  const [detail, instance] = [cutText(whole, LONGEST_DETAIL), cutText(path, LONGEST_INSTANCE)]
  const problem = { type: `urn:pontual:problem:${kind}`, title, status, detail, instance, code, trace_id: traceId }
  return errors === undefined ? problem : { ...problem, errors }
}

/** What every answer carries: nothing is to be guessed at, and nothing to be kept. */
export const ALWAYS_HEADERS: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export function problemResponse(problem: Problem, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { ...ALWAYS_HEADERS, ...headers, 'content-type': 'application/problem+json' },
  })
}

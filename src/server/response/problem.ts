import { cutText, type FieldProblem, type Said } from '../../service/errors.ts'
import type { Catalogue } from '../../service/i18n/pt-br/texts.ts'
import { say, sayField, textsIn } from '../../service/i18n/say.ts'
import type { Locale } from '../../time/locale.ts'

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

type ProblemStatus = keyof Catalogue['problems']['titles']

/** The last part of the type of a problem, by its status. */
const KINDS: Readonly<Record<ProblemStatus, string>> = {
  400: 'validation',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  405: 'method-not-allowed',
  406: 'not-acceptable',
  408: 'timeout',
  409: 'conflict',
  410: 'gone',
  412: 'stale-version',
  413: 'payload-too-large',
  414: 'uri-too-long',
  415: 'unsupported-media-type',
  417: 'expectation-failed',
  422: 'idempotency',
  429: 'rate-limited',
  431: 'headers-too-large',
  500: 'internal',
  503: 'unavailable',
}

/** Statuses that a problem may have. */
export const PROBLEM_STATUSES: readonly number[] = Object.keys(KINDS).map(Number)

export function titleOf(status: number, language: Locale = 'en'): string {
  return textsIn(language).problems.titles[known(status)]
}

function known(status: number): ProblemStatus {
  return Object.hasOwn(KINDS, status) ? (status as ProblemStatus) : 500
}

const LONGEST_DETAIL = 1_000
const LONGEST_INSTANCE = 200

export interface ProblemParts {
  readonly status: number
  readonly code: string
  /** In English. */
  readonly detail: string
  /** What the detail says, for other languages. Default: the code alone. */
  readonly says?: Said | undefined
  readonly errors?: readonly FieldProblem[] | undefined
}

export interface ProblemSurroundings {
  readonly instance: string
  readonly traceId: string
  /** Default: English. */
  readonly language?: Locale | undefined
}

export function problemOf(
  { status, code, detail: message, says, errors }: ProblemParts,
  { instance: path, traceId, language = 'en' }: ProblemSurroundings,
): Problem {
  const whole = say(language, { ...(says ?? { code, details: {} }), message })
  const [detail, instance] = [cutText(whole, LONGEST_DETAIL), cutText(path, LONGEST_INSTANCE)]
  const type = `urn:pontual:problem:${KINDS[known(status)]}`
  const problem = { type, title: titleOf(status, language), status, detail, instance, code, trace_id: traceId }
  return errors === undefined ? problem : { ...problem, errors: errors.map((each) => sayField(language, each)) }
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

import { STATUS_CODES } from 'node:http'
import type { Env } from '../../clock.ts'
import { languageOf } from '../../service/i18n/accept-language.ts'
import type { ApiCode } from '../../service/i18n/codes.ts'
import { ALWAYS_HEADERS, problemOf } from '../response/problem.ts'

/** Requests that are turned away before the API sees them, with what they are told. */
const REASONS = {
  400: ['bad_request', 'The request is not HTTP as it should be.'],
  404: ['not_found', 'There is nothing here.'],
  408: ['request_timeout', 'The request took too long to arrive.'],
  414: ['uri_too_long', 'The URL is too long.'],
  417: ['expectation_failed', 'What the header Expect asks for is not done here.'],
  431: ['headers_too_large', 'The header fields are too many or too long.'],
  500: ['internal', 'Something went wrong here.'],
} as const satisfies Readonly<Record<number, readonly [ApiCode, string]>>

export type RefusalStatus = keyof typeof REASONS

interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A problem as every other one. The connection ends: what follows on it may be anything. */
export function refusal(status: RefusalStatus, env: Env, acceptLanguage?: string | null): Refusal {
  const [code, detail] = REASONS[status]
  const language = languageOf(acceptLanguage ?? null)
  const traceId = env.uuid(env.now()).replaceAll('-', '')
  // Nothing of what was sent is said again: it has not been read.
  const body = JSON.stringify(problemOf({ status, code, detail }, { instance: '/', traceId, language }))
  const headers = {
    ...ALWAYS_HEADERS,
    'content-type': 'application/problem+json',
    'content-language': language,
    vary: 'Accept-Language',
    connection: 'close',
  }
  return { status, body, headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) } }
}

export function refusalResponse(status: RefusalStatus, env: Env, acceptLanguage?: string | null): Response {
  const { body, headers } = refusal(status, env, acceptLanguage)
  return new Response(body, { status, headers })
}

/** As bytes, for a socket on which there is no request. */
export function refusalText(status: RefusalStatus, env: Env): string {
  const { body, headers } = refusal(status, env)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`
}

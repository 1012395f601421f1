import { z } from 'zod'
import { ForbiddenError, UnauthenticatedError } from '../../access/errors.ts'
import type { Principal } from '../../access/principal.ts'
import type { Env } from '../../clock.ts'
import { type FieldProblem, InvalidFieldsError } from '../../service/errors.ts'
import { languageOf } from '../../service/i18n/accept-language.ts'
import type { RequestStore } from '../../store/requests.ts'
import type { Locale } from '../../time/locale.ts'
import type { Authenticate, Connection } from '../authentication/authenticate.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'
import { expectedVersion } from './entity-tag.ts'
import { requireShape } from './field-problems.ts'
import { idempotencyKey, performOnce } from './idempotent.ts'
import { pointerOf } from './json-text.ts'
import { type RateLimiter, requireRate } from './rate.ts'
import { type JsonBody, readJson } from './read-body.ts'
import { RequestError } from './request-error.ts'
import { type Answer, type Around, type Call, type Route, requireAccess } from './route.ts'

export interface ServeSurroundings extends Around {
  readonly env: Env
  readonly authenticate: Authenticate
  readonly requests: RequestStore | null
  readonly limiter: RateLimiter | null
}

export interface Arrived {
  readonly request: Request
  readonly connection: Connection
  /** As they stand in the path. */
  readonly params: Readonly<Record<string, string>>
}

const nothing = z.strictObject({})
const JSON_TYPES = ['application/json'] as const
const CONTROL = /\p{Cc}/u

/** Serves a request by its route: who asks, whether he may, what he sends, and only then what he wants. */
export async function serveRoute(around: ServeSurroundings, route: Route, arrived: Arrived): Promise<Response> {
  const { request, connection } = arrived
  const principal = await around.authenticate(request, connection)
  const rateHeaders = principal === null ? {} : requireRate(await around.limiter?.admit(principal))
  requireAccess(route.access, principal)
  requireAcceptable(route, request.headers)
  const response = await perform(around, route, arrived, principal)
  for (const [name, value] of Object.entries(rateHeaders)) response.headers.set(name, value)
  return response
}

async function perform(
  around: ServeSurroundings,
  route: Route,
  arrived: Arrived,
  principal: Principal,
): Promise<Response> {
  const { request } = arrived
  const language = languageOf(request.headers.get('accept-language'))
  const params = route.params === null ? undefined : requireShape(route.params, arrived.params, 'parameter')
  const query = requireShape(route.query ?? nothing, readQuery(request.url), 'parameter')
  const sent = route.method === 'POST' || route.method === 'PUT' ? await readJson(request) : null
  const body = bodyOf(route, sent)
  const version = route.isVersioned === true ? expectedVersion(request.headers) : undefined
  const handle = async (resourceId?: string): Promise<Response> => {
    const call: Call = {
      service: around.service,
      sessions: around.sessions,
      streams: around.streams,
      feeds: around.feeds,
      prefix: around.prefix,
      description: around.description,
      request,
      principal,
      language,
      params,
      query,
      body,
      expectedVersion: version,
      resourceId,
      isStillAllowed: () => isStillAllowed(around, route, arrived, principal),
    }
    const answer = await route.handle(call)
    return answer instanceof Response ? answer : responseOf(answer, language)
  }
  const key = keyOf(route, request.headers)
  if (key === null) return handle()
  const { env, requests } = around
  if (requests === null) throw unsupportedKey('none', 'This server keeps no answers')
  return performOnce({ env, requests }, { request, principal, text: sent?.text ?? '' }, key, handle)
}

function bodyOf(route: Route, sent: JsonBody | null): unknown {
  if (sent !== null) return requireShape(route.body ?? nothing, sent.value)
  if (route.body === null) return undefined
  if (route.isBodyOptional) return requireShape(route.body, {})
  throw new RequestError(400, 'body_required', 'A body in JSON is needed.')
}

function keyOf(route: Route, headers: Headers): string | null {
  if (route.idempotency === undefined) return null
  const key = idempotencyKey(headers)
  if (key !== null && route.idempotency === 'refused') throw unsupportedKey('secret', 'This answer holds a secret')
  return key
}

function unsupportedKey(why: 'none' | 'secret', reason: string): RequestError {
  const message = `${reason}: send the request without Idempotency-Key.`
  return new RequestError(400, 'idempotency_key_unsupported', message, { details: { case: why } })
}

function responseOf({ status, body, headers = {} }: Answer, language: Locale): Response {
  if (body === undefined) return new Response(null, { status, headers: { ...ALWAYS_HEADERS, ...headers } })
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...ALWAYS_HEADERS, 'content-type': 'application/json', 'content-language': language, ...headers },
  })
}

/** A store that cannot be reached says nothing about who asks. */
async function isStillAllowed(
  { authenticate }: ServeSurroundings,
  route: Route,
  { request, connection }: Arrived,
  before: Principal,
): Promise<boolean> {
  try {
    const principal = await authenticate(request, connection)
    requireAccess(route.access, principal)
    return principal?.tenant === before.tenant && principal.userId === before.userId
  } catch (error) {
    // Somebody who is refused too often is told to wait, and is refused nevertheless.
    const isRefused = error instanceof RequestError && error.status < 500
    return !(isRefused || error instanceof UnauthenticatedError || error instanceof ForbiddenError)
  }
}

/** Throws where whoever asks takes nothing of what a route can answer with. Problems come as they are, whatever is taken. */
export function requireAcceptable({ answers }: Route, headers: Headers): void {
  const accept = headers.get('accept')
  if (accept === null || accept.trim() === '' || accept === '*/*') return
  const offered = Object.values(answers).flatMap(({ mediaTypes = JSON_TYPES }) => mediaTypes)
  const ranges = accept.split(',').map(readRange)
  if (offered.some((type) => isTaken(type, ranges))) return
  const types = [...new Set(offered)]
  throw new RequestError(406, 'not_acceptable', `This is answered as ${types.join(' or ')}.`, { details: { types } })
}

interface Range {
  readonly type: string
  readonly isRefused: boolean
}

function readRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { type, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) }
}

/** The range that names a type most exactly decides about it. */
function isTaken(type: string, ranges: readonly Range[]): boolean {
  const family = `${type.slice(0, type.indexOf('/'))}/*`
  for (const candidate of [type, family, '*/*']) {
    const range = ranges.find((each) => each.type === candidate)
    if (range) return !range.isRefused
  }
  return false
}

/** The parameters of a request, each at most once: which of two counts would be anybody's guess. */
export function readQuery(url: string): Readonly<Record<string, string>> {
  const start = url.indexOf('?')
  if (start === -1) return {}
  const parameters = new Map<string, string>()
  const problems: FieldProblem[] = []
  for (const [name, value] of new URLSearchParams(url.slice(start).replace(/#.*$/s, ''))) {
    const pointer = pointerOf([name])
    if (parameters.has(name)) {
      problems.push({ pointer, code: 'duplicate_parameter', message: 'The parameter occurs twice.' })
    } else if (CONTROL.test(value)) {
      problems.push({
        pointer,
        code: 'format_invalid',
        message: 'Control characters are not accepted.',
        says: { code: 'format_invalid', details: { case: 'control' } },
      })
    }
    parameters.set(name, value)
  }
  if (problems.length > 0) throw new InvalidFieldsError(problems)
  return Object.fromEntries(parameters)
}

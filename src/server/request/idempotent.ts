import { createHash } from 'node:crypto'
import type { Principal } from '../../access/principal.ts'
import type { Env } from '../../clock.ts'
import type { KeptAnswer, RequestKey, RequestStore } from '../../store/requests.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'
import { answerOf } from '../response/problem-of-error.ts'
import { RequestError } from './request-error.ts'

/** After this long without an answer whoever performed a request is taken to be gone; nothing is made twice even if he is not. */
const TAKEOVER_MS = 15_000

const KEY = /^[\x21-\x7e]{1,255}$/

/** Headers that are kept with an answer. */
const KEPT_HEADERS: readonly string[] = ['content-language', 'content-type', 'etag', 'location']

export interface KeyedRequest {
  readonly request: Request
  readonly principal: Principal
  /** The body as it came; empty for none. */
  readonly text: string
}

/** The idempotency key of a request; null where it has none. */
export function idempotencyKey(headers: Headers): string | null {
  const key = headers.get('idempotency-key')
  if (key === null || KEY.test(key)) return key
  throw new RequestError(
    400,
    'idempotency_key_invalid',
    'Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
  )
}

/** Performs a request once for its key: who sends it again is given the answer that was given. */
export async function performOnce(
  { env, requests }: { env: Env; requests: RequestStore },
  { request, principal, text }: KeyedRequest,
  key: string,
  perform: (resourceId: string) => Promise<Response>,
): Promise<Response> {
  const asked: RequestKey = { tenant: principal.tenant, userId: principal.userId, key }
  const begun = await requests.begin({
    ...asked,
    fingerprint: fingerprint(request, text),
    resourceId: env.uuid(env.now()),
    takeoverMs: TAKEOVER_MS,
  })
  switch (begun.state) {
    case 'done':
      return replay(begun.answer)
    case 'mismatch':
      throw new RequestError(422, 'idempotency_mismatch', 'This Idempotency-Key was used before for another request.')
    case 'running':
      throw new RequestError(409, 'in_progress', 'A request with this Idempotency-Key is under way.', {
        headers: { 'retry-after': '1' },
      })
    case 'new':
    case 'resumed':
      return keep(requests, asked, () => perform(begun.resourceId))
  }
}

async function keep(requests: RequestStore, asked: RequestKey, perform: () => Promise<Response>): Promise<Response> {
  let response: Response
  try {
    response = await perform()
  } catch (error) {
    // What was refused has changed nothing. Of anything else nobody knows: whoever sends it again goes on with the same resource.
    if (!answerOf(error).isUnexpected) await requests.forget(asked)
    throw error
  }
  const body = await response.text()
  const headers = Object.fromEntries([...response.headers].filter(([name]) => KEPT_HEADERS.includes(name)))
  await requests.finish(asked, { status: response.status, headers, body })
  return new Response(body === '' ? null : body, response)
}

function replay({ status, headers, body }: KeptAnswer): Response {
  return new Response(body === '' ? null : body, {
    status,
    headers: { ...ALWAYS_HEADERS, ...headers, 'idempotency-replayed': 'true' },
  })
}

function fingerprint(request: Request, text: string): string {
  const { pathname, search } = new URL(request.url)
  return createHash('sha256').update(`${request.method}\n${pathname}${search}\n${text}`).digest('hex')
}

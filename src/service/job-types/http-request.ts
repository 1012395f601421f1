import { z } from 'zod'
import { type Env, systemEnv } from '../../clock.ts'
import { type ErrorDetails, PontualError } from '../../errors.ts'
import { NonRetryableError } from '../../job/execution/failure.ts'
import { type JobContext, type JobType, job } from '../../job/type/job-type.ts'
import { headerProblem, inLowerCase } from '../outbound/headers.ts'
import { type OutboundAnswer, type OutboundRequest, type Resolve, send } from '../outbound/send.ts'
import {
  checkTarget,
  type OutboundOptions,
  type OutboundRules,
  outboundRules,
  TargetForbiddenError,
} from '../outbound/target.ts'

/** Where `http.request` may go. */
export interface HttpRequestOptions extends OutboundOptions {
  /** All addresses of a name. Default: what the system says. */
  readonly resolve?: Resolve | undefined
  readonly env?: Env | undefined
}

/** What an execution of `http.request` leaves behind. */
export interface HttpRequestOutput {
  readonly url: string
  readonly status: number
  readonly contentType: string | null
  /** The beginning of a text; null for anything else. */
  readonly body: string | null
  /** Of the whole answer. */
  readonly bytes: number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const MAX_HEADERS = 50
const DEFAULT_TIMEOUT_SECONDS = 60
const MAX_TIMEOUT_SECONDS = 14_400
const MAX_BODY_KEPT = 65_536
/** What another try may change: too early, too many, or the server's own trouble. */
const WORTH_A_RETRY = (status: number) => status === 408 || status === 425 || status === 429 || status >= 500

/** `http.request`: asks a URL. Addresses that are not public are refused, also behind a name or a redirect, unless they are allowed. */
export function httpRequest(options: HttpRequestOptions = {}): JobType<HttpRequestInput, HttpRequestOutput, unknown> {
  const { resolve, env = systemEnv, ...outbound } = options
  const rules = outboundRules(outbound)
  return job<HttpRequestInput, HttpRequestOutput, unknown>('http.request', {
    input: inputSchema(rules),
    run: async (input, context) => {
      const deadline = deadlineOf(context.signal, input.timeoutSeconds, env)
      try {
        const answer = await send(requestOf(input, context), { rules, resolve, signal: deadline.signal })
        context.logger.info('Answered', { url: withoutQuery(answer.url), status: answer.status })
        requireExpected(answer, input)
        return outputOf(answer)
      } catch (error) {
        deadline.signal.throwIfAborted()
        // Another try would find it as forbidden.
        if (error instanceof TargetForbiddenError) throw new NonRetryableError(error.message, { cause: error })
        throw error
      } finally {
        deadline.cancel()
      }
    },
  })
}

type HttpRequestInput = z.output<ReturnType<typeof inputSchema>>

function inputSchema(rules: OutboundRules) {
  return z
    .strictObject({
      url: z.string(),
      method: z.enum(METHODS).default('GET'),
      headers: z.record(z.string(), z.string()).default({}),
      /** Text is sent as it is, anything else as JSON. */
      body: z.unknown().optional(),
      /** Default: any of 200 to 299. */
      expectedStatus: z.array(z.int().min(200).max(599)).min(1).max(20).optional(),
      timeoutSeconds: z.int().min(1).max(MAX_TIMEOUT_SECONDS).default(DEFAULT_TIMEOUT_SECONDS),
    })
    .superRefine(({ url, method, headers, body }, context) => {
      const refuse = (path: string[], code: string, message: string, details: ErrorDetails) =>
        context.addIssue({ code: 'custom', path, message, params: { ...details, code } })
      const forbidden = problemOf(url, rules)
      if (forbidden !== null) refuse(['url'], 'target_forbidden', forbidden.message, forbidden.details)
      if (Object.keys(headers).length > MAX_HEADERS) {
        refuse(['headers'], 'too_many', `There may be at most ${MAX_HEADERS} headers.`, { max: MAX_HEADERS })
      }
      for (const [name, value] of Object.entries(headers)) {
        const problem = headerProblem(name, value)
        if (problem === null) continue
        const { message, ...details } = problem
        refuse(['headers', name], 'header_forbidden', message, { ...details, header: name })
      }
      if (body !== undefined && (method === 'GET' || method === 'HEAD')) {
        refuse(['body'], 'body_forbidden', `A ${method} request has no body.`, { method })
      }
    })
}

function problemOf(url: string, rules: OutboundRules): PontualError | null {
  try {
    checkTarget(url, rules)
    return null
  } catch (error) {
    if (error instanceof PontualError) return error
    throw error
  }
}

function requestOf({ url, method, headers, body }: HttpRequestInput, { idempotencyKey }: JobContext): OutboundRequest {
  const isSafe = method === 'GET' || method === 'HEAD'
  return {
    url,
    method,
    headers: {
      'user-agent': 'pontual',
      // The same in every attempt, so that whoever is asked can tell a retry.
      ...(!isSafe && { 'idempotency-key': idempotencyKey }),
      ...(body !== undefined && { 'content-type': typeof body === 'string' ? 'text/plain' : 'application/json' }),
      ...inLowerCase(headers),
    },
    body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
  }
}

/** Aborted with the execution, or when the request takes too long. */
function deadlineOf(signal: AbortSignal, seconds: number, env: Env): { signal: AbortSignal; cancel: () => void } {
  const controller = new AbortController()
  const cancel = env.after(seconds * 1_000, () =>
    controller.abort(new PontualError('http.timeout', `There was no whole answer within ${seconds} s.`, { seconds })),
  )
  return { signal: AbortSignal.any([signal, controller.signal]), cancel }
}

function requireExpected({ status }: OutboundAnswer, { expectedStatus }: HttpRequestInput): void {
  const isExpected = expectedStatus ? expectedStatus.includes(status) : status >= 200 && status <= 299
  if (isExpected) return
  const message = `It was answered with status ${status}.`
  if (!WORTH_A_RETRY(status)) throw new NonRetryableError(message)
  throw new PontualError('http.status', message, { status })
}

function outputOf({ url, status, headers, body }: OutboundAnswer): HttpRequestOutput {
  const contentType = headers['content-type'] ?? null
  const isText = contentType !== null && /^(text\/|application\/([\w.-]+\+)?(json|xml))/i.test(contentType)
  const text = isText ? body.toString('utf8', 0, MAX_BODY_KEPT).replaceAll('\0', '\u2400') : null
  return { url: withoutQuery(url), status, contentType, body: text, bytes: body.length }
}

/** What stands behind the question mark may be a secret. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}

import { type Principal, requirePermission } from '../../access/principal.ts'
import { PROMETHEUS_TYPE, prometheusText } from '../../service/metrics/prometheus-text.ts'
import type { Operations } from '../../service/operations.ts'
import type { Authenticate, Connection } from '../authentication/authenticate.ts'
import type { RateLimiter } from '../request/rate.ts'
import { requireRate } from '../request/rate.ts'
import { RequestError } from '../request/request-error.ts'
import { requireAccess } from '../request/route.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'
import type { MetricsRules } from './metrics-options.ts'

/** What whoever operates a service asks. */
type OperationsQuestion = 'live' | 'ready' | 'metrics'

/** Where it is asked: at the root of a server of its own, and below `/api` wherever the API is mounted. */
const PATHS: Readonly<Record<string, OperationsQuestion>> = {
  '/health/live': 'live',
  '/livez': 'live',
  '/api/health/live': 'live',
  '/health/ready': 'ready',
  '/readyz': 'ready',
  '/api/health/ready': 'ready',
  '/metrics': 'metrics',
  '/api/metrics': 'metrics',
}

/** What a request asks for; null where it is for the API. */
function questionOf({ url }: Request): OperationsQuestion | null {
  const { pathname } = new URL(url)
  return Object.hasOwn(PATHS, pathname) ? (PATHS[pathname] ?? null) : null
}

/** Whether a request is about health or metrics, as far as they are served here. */
export function operationsQuestion(request: Request, part?: 'api' | 'operations'): 'health' | 'metrics' | null {
  const question = questionOf(request)
  if (question !== 'metrics') return question === null ? null : 'health'
  return part === 'api' ? null : 'metrics'
}

export interface OperationsSurroundings {
  readonly operations: Operations
  readonly authenticate: Authenticate
  readonly metrics: MetricsRules
  readonly limiter: RateLimiter | null
}

const ALLOW = 'GET, HEAD, OPTIONS'

/** Answers health and metrics. */
export async function answerOperations(
  around: OperationsSurroundings,
  request: Request,
  connection: Connection,
): Promise<Response> {
  const { method } = request
  if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { ...ALWAYS_HEADERS, allow: ALLOW } })
  if (method !== 'GET' && method !== 'HEAD') {
    const options = { headers: { allow: ALLOW }, details: { allow: ALLOW } }
    throw new RequestError(405, 'method_not_allowed', `This takes ${ALLOW}.`, options)
  }
  const question = questionOf(request)
  if (question === 'metrics') return await metrics(around, request, connection)
  if (question === 'ready') return await readiness(around, request, connection)
  // That it answers is all there is to say: a process that is restarted because its store is away helps nobody.
  return json(200, { status: 'healthy' }, method)
}

/** Whether work may be sent here; more than that is for who may read jobs. */
async function readiness(around: OperationsSurroundings, request: Request, connection: Connection): Promise<Response> {
  const [health, isTold] = await Promise.all([around.operations.health(), mayKnow(around, request, connection)])
  const { status } = health
  return json(status === 'unhealthy' ? 503 : 200, isTold ? health : { status }, request.method)
}

async function mayKnow(
  { authenticate, limiter }: OperationsSurroundings,
  request: Request,
  connection: Connection,
): Promise<boolean> {
  try {
    // Whether all is well is told to whoever asks however often; who he is, is not looked up as often as that.
    requireRate(await limiter?.arrive(connection))
    const principal = await authenticate(request, connection)
    return principal?.permissions.has('jobs:read') ?? false
  } catch {
    // Who cannot be known, also because the store is away, is told what everybody is.
    return false
  }
}

async function metrics(around: OperationsSurroundings, request: Request, connection: Connection): Promise<Response> {
  const { operations, metrics: rules } = around
  const isOperator = rules.isPublic || rules.isToken(request.headers.get('authorization'))
  const principal = isOperator ? null : await reader(around, request, connection)
  const text = prometheusText(await operations.metrics(principal?.tenant ?? null))
  const headers = { ...ALWAYS_HEADERS, 'content-type': PROMETHEUS_TYPE }
  return new Response(request.method === 'HEAD' ? null : text, { status: 200, headers })
}

async function reader(
  { authenticate, limiter }: OperationsSurroundings,
  request: Request,
  connection: Connection,
): Promise<Principal> {
  const principal = await authenticate(request, connection)
  requireAccess('identified', principal)
  requireRate(await limiter?.admit(principal))
  requirePermission(principal, 'jobs:read')
  return principal
}

function json(status: number, body: object, method: string): Response {
  const headers = { ...ALWAYS_HEADERS, 'content-type': 'application/json' }
  return new Response(method === 'HEAD' ? null : JSON.stringify(body), { status, headers })
}

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
export function questionOf({ url }: Request): OperationsQuestion | null {
  const { pathname } = new URL(url)
  return Object.hasOwn(PATHS, pathname) ? (PATHS[pathname] ?? null) : null
}

/** Whether a request is about health or metrics, as far as they are served here. */
export function operationsQuestion(request: Request, part?: 'api' | 'operations'): 'health' | 'metrics' | null {
  const question = questionOf(request)
  if (question !== 'metrics') return question === null ? null : 'health'
  return part === 'api' ? null : 'metrics'
}

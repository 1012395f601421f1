import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { ServiceApi } from '../service/api.ts'
import type { Operations } from '../service/operations.ts'
import type { RequestStore } from '../store/requests.ts'
import type { Authenticate, Connection, Sessions } from './authentication/authenticate.ts'
import type { MetricsRules } from './operations/metrics-options.ts'
import type { Dashboard } from './pages/answer-page.ts'
import type { RateLimiter } from './request/rate.ts'

export interface AppOptions {
  readonly service: ServiceApi
  readonly authenticate: Authenticate
  /** Remembers requests with an Idempotency-Key; without it the header is refused. */
  readonly requests?: RequestStore | undefined
  /** Without them `/api/session` answers 404. */
  readonly sessions?: Sessions | undefined
  readonly limiter?: RateLimiter | undefined
  /** Health and metrics; without them their paths answer 404. */
  readonly operations?: OperationsOptions | undefined
  /** What is served at `/jobs`; without it nothing is. */
  readonly dashboard?: Dashboard | undefined
  /** Where the API is mounted, such as `/internal`: it stands before paths in answers. Default: nowhere else. */
  readonly prefix?: string | undefined
  readonly env?: Env | undefined
  readonly logger?: Logger | undefined
  /** How many streams a tenant may have open at once. Default: 50. */
  readonly streamsPerTenant?: number | undefined
}

interface OperationsOptions {
  readonly operations: Operations
  readonly metrics: MetricsRules
  /** `api`: metrics are served elsewhere. `operations`: nothing but health and metrics is served here. Default: everything. */
  readonly part?: 'api' | 'operations' | undefined
}

/** The API as a function from request to answer. */
export interface App {
  /** Never rejects: whatever goes wrong is an answer. Paths begin with `/api`, or with `/jobs` for the dashboard; a mount under a prefix takes the prefix off. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** Whether `/jobs` is answered too. Default: no, it is somebody else's. */
  readonly hasDashboard?: boolean | undefined
  /** Ends every stream that is open, so that connections can close. */
  close(): void
}

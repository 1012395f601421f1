import type { Env } from '../clock.ts'
import type { Logger } from '../logger.ts'
import type { ServiceApi } from '../service/api.ts'
import type { RequestStore } from '../store/requests.ts'
import type { Authenticate, Connection, Sessions } from './authenticate.ts'
import type { RateLimiter } from './rate-limiter.ts'

export interface AppOptions {
  readonly service: ServiceApi
  readonly authenticate: Authenticate
  /** Remembers requests with an Idempotency-Key; without it the header is refused. */
  readonly requests?: RequestStore | undefined
  /** Without them `/api/session` answers 404. */
  readonly sessions?: Sessions | undefined
  readonly limiter?: RateLimiter | undefined
  /** Where the API is mounted, such as `/internal`: it stands before paths in answers. Default: nowhere else. */
  readonly prefix?: string | undefined
  readonly env?: Env | undefined
  readonly logger?: Logger | undefined
  /** How many streams a tenant may have open at once. Default: 50. */
  readonly streamsPerTenant?: number | undefined
}

/** The API as a function from request to answer. */
export interface App {
  /** Never rejects: whatever goes wrong is an answer. Paths begin with `/api`; a mount under a prefix takes the prefix off. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** Ends every stream that is open, so that connections can close. */
  close(): void
}

import type { problems as source } from '../pt-br/problems.ts'

export const problems: typeof source = {
  titles: {
    400: 'Validation failed',
    401: 'Authentication required',
    403: 'Forbidden',
    404: 'Not found',
    405: 'Method not allowed',
    406: 'Not acceptable',
    408: 'Request timeout',
    409: 'Conflict',
    410: 'Gone',
    412: 'Stale version',
    413: 'Payload too large',
    414: 'URI too long',
    415: 'Unsupported media type',
    417: 'Expectation failed',
    422: 'Idempotency key reused',
    429: 'Too many requests',
    431: 'Request header fields too large',
    500: 'Internal error',
    503: 'Temporarily unavailable',
  },
}

import { createHash, timingSafeEqual } from 'node:crypto'
import { InvalidInputError } from '../../errors.ts'
import { requireBoolean, requireOptions } from '../../time/require.ts'

/** Who is told metrics, and where. */
export interface MetricsOptions {
  /** Who sends this as a bearer token is given the metrics of all tenants, and of the process; at least 16 characters. Default: none. */
  readonly token?: string | undefined
  /** Whether whoever asks is given them, without a token. Default false. */
  readonly isPublic?: boolean | undefined
  /** Whether they are served on a port of their own, and not beside the API: see `operations` of the API. Default false. */
  readonly isApart?: boolean | undefined
}

export interface MetricsRules {
  readonly isPublic: boolean
  readonly isApart: boolean
  /** Whether a request shows the token. */
  readonly isToken: (authorization: string | null) => boolean
}

const SHORTEST = 16

/** In letters of either size, as HTTP has it. */
const BEARER = /^bearer +(.+)$/i

/** The options of metrics, checked and complete. */
export function metricsRules(options: MetricsOptions = {}): MetricsRules {
  const {
    token,
    isPublic = false,
    isApart = false,
  } = requireOptions(options, 'metrics', ['token', 'isPublic', 'isApart'])
  if (token !== undefined && (typeof token !== 'string' || token.length < SHORTEST)) {
    const message = `metrics.token must be at least ${SHORTEST} characters: make one with openssl rand -base64 32.`
    throw new InvalidInputError('metrics.token_short', message, { least: SHORTEST })
  }
  const expected = token === undefined ? null : digest(token)
  return {
    isPublic: requireBoolean(isPublic, 'metrics.isPublic'),
    isApart: requireBoolean(isApart, 'metrics.isApart'),
    // Of digests, so that how long it takes says nothing about the token.
    isToken: (authorization) => {
      const shown = BEARER.exec(authorization ?? '')?.[1]
      return expected !== null && shown !== undefined && timingSafeEqual(digest(shown), expected)
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

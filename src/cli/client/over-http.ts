import { type Env, systemEnv } from '../../clock.ts'
import { InvalidInputError, quote } from '../../errors.ts'
import { pause } from '../signals.ts'
import { type Connection, UnreachableError } from './connection.ts'
import { connectionOver } from './connection-over.ts'

export interface HttpOptions {
  readonly url: string
  /** Headers that show who asks. */
  readonly credentials: Readonly<Record<string, string>>
  readonly env?: Env | undefined
  /** Whether it is about to listen although nobody does: then it is waited for. Default: it is not. */
  readonly isStarting?: (() => boolean) | undefined
}

/** Longer than a `pontual dev` takes to start anew. */
const START_MS = 15_000
const LOOK_MS = 200

/** A service behind an address. */
export function overHttp({ url, credentials, env = systemEnv, isStarting = () => false }: HttpOptions): Connection {
  const place = baseOf(url)
  return connectionOver({
    place,
    isDirect: false,
    env,
    async send(path, request) {
      const headers = { ...(request.headers as Readonly<Record<string, string>>), ...credentials }
      const began = env.monotonic()
      for (;;) {
        try {
          // Where it sends elsewhere it is not followed: credentials are for the address that was named.
          return await fetch(`${place}/api/jobs${path}`, { ...request, headers, redirect: 'manual' })
        } catch (error) {
          // What was refused has reached nobody: it may be sent again.
          if (!isRefused(error) || !isStarting()) throw unreachable(place, error)
          if (env.monotonic() - began > START_MS) throw stillStarting(place)
        }
        await pause(env, LOOK_MS, request.signal ?? new AbortController().signal)
      }
    },
    close: async () => {},
  })
}

/** What stands before `/api/jobs`. Also of an address that was copied out of a browser, or of the API. */
function baseOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw invalidUrl(
      `The address of a service is one such as http://127.0.0.1:3000, got ${quote(withoutPassword(text))}.`,
    )
  }
  if (url.username !== '' || url.password !== '') {
    throw invalidUrl('The address of a service must not hold a password: set PONTUAL_TOKEN or PONTUAL_API_KEY.')
  }
  return `${url.origin}${url.pathname.replace(/(\/api)?\/jobs\/?$/, '').replace(/\/+$/, '')}`
}

/** Also of one that cannot be read: what stands before an @ is nobody's business. */
function withoutPassword(text: string): string {
  return text.replace(/^.*@/s, '…@')
}

function invalidUrl(message: string): InvalidInputError {
  return new InvalidInputError('option.invalid', message, { name: 'url' })
}

function isRefused(error: unknown): boolean {
  return (causeOf(error) as NodeJS.ErrnoException | null)?.code === 'ECONNREFUSED'
}

function causeOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error
}

function stillStarting(place: string): UnreachableError {
  const message = `The \`pontual dev\` of this directory runs, but has not answered at ${place} for ${START_MS / 1_000} s: it is starting anew, or waits for a file to be repaired. Its terminal says which.`
  return new UnreachableError('client.starting', message, { place })
}

function unreachable(place: string, error: unknown): UnreachableError {
  const cause = causeOf(error)
  const { code, message: told } = (cause ?? {}) as NodeJS.ErrnoException
  const reason = code ?? told ?? String(cause)
  const message = `No service answers at ${place} (${reason}): start one with \`npx pontual dev\`, or name another with --url or PONTUAL_URL.`
  return new UnreachableError('client.unreachable', message, { place, reason }, { cause: error })
}

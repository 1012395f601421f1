import { validateHeaderName, validateHeaderValue } from 'node:http'
import { quote } from '../../errors.ts'

/** Headers by their names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** They belong to the connection, or say where a message ends and whom it is for: who sends decides them, or two servers could read one message differently. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** They would carry somebody's session, or be told to be another sender. */
const OF_SOMEBODY = new Set(['cookie', 'cookie2', 'set-cookie', 'forwarded', 'x-real-ip', 'accept-encoding'])
const OF_SOMEBODY_PREFIXES = ['x-forwarded-', 'proxy-', 'sec-']

/** Only these go to another origin when it is redirected there: any other may be a secret meant for the first one. */
const FOR_ANYBODY = new Set(['accept', 'accept-language', 'content-type', 'idempotency-key', 'user-agent'])

/** Our own API keys: whoever gets one can act for its tenant. */
const OUR_KEY = /\bpk_[0-9a-z-]{8,}_/i

const MAX_VALUE_LENGTH = 4_096

/** Why a header may not be sent: in words, and for other languages. */
interface HeaderProblem {
  readonly message: string
  readonly case: 'form' | 'length' | 'connection' | 'somebody' | 'key'
  readonly max?: number
}

/** Why a header may not be sent; null where it may. */
export function headerProblem(name: string, value: string): HeaderProblem | null {
  const lower = name.toLowerCase()
  const header = quote(name)
  if (!isSendable(name, value)) {
    const message = `Header ${header} must have a name of letters, digits and dashes, and a value on one line.`
    return { case: 'form', message }
  }
  if (value.length > MAX_VALUE_LENGTH) {
    const message = `Header ${header} must have at most ${MAX_VALUE_LENGTH} characters.`
    return { case: 'length', max: MAX_VALUE_LENGTH, message }
  }
  if (OF_THE_CONNECTION.has(lower)) return { case: 'connection', message: `Header ${header} is set by the connection.` }
  if (OF_SOMEBODY.has(lower) || OF_SOMEBODY_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return { case: 'somebody', message: `Header ${header} may not be set.` }
  }
  if (!OUR_KEY.test(value)) return null
  return { case: 'key', message: `Header ${header} holds an API key of this service, which may not leave it.` }
}

function isSendable(name: string, value: string): boolean {
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    // Node allows what older servers read as the end of a line.
    return !/[^\t\x20-\x7e\x80-\xff]/.test(value)
  } catch {
    return false
  }
}

export function inLowerCase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}

/** What is left of headers when a request goes to another origin than it was meant for. */
export function forAnybody(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => FOR_ANYBODY.has(name)))
}

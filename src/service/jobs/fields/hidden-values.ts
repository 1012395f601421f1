import { FieldRefusal } from '../../field-problems.ts'

/** What stands in the place of a value that is not shown. */
const HIDDEN = '***'

const HTTP_REQUEST = 'http.request'

/** Headers that hold no secret. Any other may: nobody can tell by its name. */
const HARMLESS: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-language',
  'content-type',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-unmodified-since',
  'range',
  'user-agent',
])

/** An address of which only scheme and host are shown. */
export function shownAddress(url: string): string {
  const origin = originOf(url)
  return origin === null ? HIDDEN : `${origin}/${HIDDEN}`
}

export function isShownAddress(url: string): boolean {
  return url.endsWith(`/${HIDDEN}`)
}

type Fields = Readonly<Record<string, unknown>>

/** A payload as people see it: of `http.request` without the values of headers, and without what stands behind the question mark of its URL. */
export function shownPayload(jobType: string, payload: unknown): unknown {
  if (jobType !== HTTP_REQUEST || !isFields(payload)) return payload
  return {
    ...payload,
    ...(typeof payload['url'] === 'string' && { url: shownUrl(payload['url']) }),
    ...(isFields(payload['headers']) && { headers: shownHeaders(payload['headers']) }),
  }
}

/** A payload as it was sent, with what was hidden from the sender put back. What was meant for one server is not sent to another because somebody has changed the URL. */
export function withHidden(jobType: string, sent: unknown, read: () => unknown): unknown {
  const stored = jobType === HTTP_REQUEST && isFields(sent) ? read() : null
  if (!isFields(sent) || !isFields(stored)) return sent
  const url = typeof stored['url'] === 'string' && sent['url'] === shownUrl(stored['url']) ? stored['url'] : sent['url']
  if (!isFields(sent['headers'])) return { ...sent, url }
  const kept = isFields(stored['headers']) ? stored['headers'] : {}
  const isSameServer = originOf(url) !== null && originOf(url) === originOf(stored['url'])
  return { ...sent, url, headers: headersWith(sent['headers'], kept, isSameServer) }
}

function headersWith(sent: Fields, kept: Fields, isSameServer: boolean): Fields {
  return Object.fromEntries(
    Object.entries(sent).map(([name, value]) => {
      if (value !== HIDDEN || isHarmless(name)) return [name, value]
      if (isSameServer && Object.hasOwn(kept, name)) return [name, kept[name]]
      throw new FieldRefusal('hidden_value', `The value of header "${name}" is hidden: send it anew.`, { header: name })
    }),
  )
}

function shownHeaders(headers: Fields): Fields {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, isHarmless(name) ? value : HIDDEN]))
}

function shownUrl(url: string): string {
  const at = url.indexOf('?')
  return at < 0 ? url : `${url.slice(0, at)}?${HIDDEN}`
}

function isHarmless(name: string): boolean {
  return HARMLESS.has(name.toLowerCase())
}

function originOf(url: unknown): string | null {
  return typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : null
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

import { isIPv4, isIPv6 } from 'node:net'
import fc from 'fast-check'
import { sessionCookie } from '../../../../src/server/authentication/credentials.ts'
import { addressGroup } from '../../../../src/server/limits/request-limits.ts'
import { pagePathOf, signInLocation } from '../../../../src/server/pages/page-path.ts'
import { chosenEncoding } from '../../../../src/server/pages/static-file.ts'
import { expectedVersion } from '../../../../src/server/request/entity-tag.ts'
import { idempotencyKey } from '../../../../src/server/request/idempotent.ts'
import { inspectJson } from '../../../../src/server/request/json-text.ts'
import { readQuery, requireAcceptable } from '../../../../src/server/request/serve-route.ts'
import { routes } from '../../../../src/server/routes/routes.ts'
import { askedLanguage, languageOf } from '../../../../src/service/i18n/accept-language.ts'
import { checkTarget, isPublicAddress, outboundRules } from '../../../../src/service/outbound/target.ts'
import { type Check, check } from '../check.ts'
import { reading, requireEqual, requireThat, requireUnpolluted, within } from '../expectations.ts'
import { anyTextOrLong, damaged, headerText } from '../texts.ts'

const READ_MS = 250
/** No server takes a longer address. */
const MOST_CHARACTERS = 16_000

const MEDIA = [
  'application/json',
  'text/*',
  '*/*',
  'text/csv',
  'text/event-stream',
  ';q=0',
  ';q=0.5',
  ',',
  ' ',
  'q=1',
  'en',
  'pt-BR',
  'gzip',
  'br',
  '*',
]
const list = fc.oneof(
  headerText,
  damaged(fc.constantFrom('application/json, text/csv;q=0.5', 'pt-BR,pt;q=0.9,en;q=0.8', 'gzip, br;q=0'), MEDIA).map(
    asHeader,
  ),
)

/** What a header cannot carry is not sent. */
function asHeader(text: string): string {
  return text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '')
}

const wishes = check(
  {
    target: 'readers',
    name: 'what is wished for in headers is read, or refused',
    inputs: 'Accept, Accept-Language and Accept-Encoding headers',
  },
  () =>
    fc.property(list, fc.constantFrom(...routes), (text, route) => {
      const headers = new Headers({ accept: text })
      within(READ_MS, 'Accept', () => reading(() => requireAcceptable(route, headers), ['not_acceptable']))
      const language = within(READ_MS, 'Accept-Language', () => languageOf(text))
      requireThat(['en', 'pt-BR'].includes(language), () => `answers in ${language}`)
      const asked = askedLanguage(text)
      requireThat(asked === null || asked === language, () => `asks for ${asked} and is answered in ${language}`)
      const encoding = within(READ_MS, 'Accept-Encoding', () => chosenEncoding(text))
      requireThat(
        encoding === null || text.toLowerCase().includes(encoding) || text.includes('*'),
        () => `packs with ${encoding}`,
      )
    }),
)

const tags = damaged(
  fc.constantFrom('"5"', 'W/"5"', '*', '"0"', '"9007199254740993"', '__Host-pontual=abc', 'a=b; __Host-pontual=c'),
).map(asHeader)

const conditions = check(
  {
    target: 'readers',
    name: 'If-Match, Idempotency-Key and cookies are read, or refused',
    inputs: 'If-Match, Idempotency-Key and Cookie headers',
  },
  () =>
    fc.property(fc.oneof(headerText, tags), (text) => {
      const codes = ['if_match_invalid', 'stale_version', 'idempotency_key_invalid']
      const version = within(READ_MS, 'If-Match', () =>
        reading(() => expectedVersion(new Headers({ 'if-match': text })), codes),
      )
      if ('value' in version)
        requireThat(version.value === undefined || Number.isInteger(version.value), () => `version ${version.value}`)
      const key = reading(() => idempotencyKey(new Headers({ 'idempotency-key': text })), codes)
      if ('value' in key)
        requireThat(key.value === null || /^[\x21-\x7e]{1,255}$/.test(key.value), () => `key ${key.value}`)
      const cookie = within(READ_MS, 'Cookie', () => sessionCookie(new Headers({ cookie: text })))
      requireThat(cookie === null || !/;/.test(cookie), () => `session ${cookie}`)
    }),
)

const queries = check(
  {
    target: 'readers',
    name: 'addresses of requests are read, or refused, and lead nowhere else',
    inputs: 'paths and queries of requests',
  },
  () =>
    fc.property(
      fc.oneof(
        anyTextOrLong,
        fc.webQueryParameters(),
        damaged(fc.webQueryParameters(), ['&', '=', '%00', '%', '+', '#', '__proto__=']),
      ),
      fc.webPath(),
      (query, path) => {
        const url = `http://localhost/api/jobs?${query}`.slice(0, MOST_CHARACTERS)
        const read = within(READ_MS, 'a query', () => reading(() => readQuery(url), ['validation_failed']))
        if ('value' in read)
          requireThat(
            Object.getPrototypeOf(read.value) === Object.prototype,
            () => 'a query with a prototype of its own',
          )
        requireUnpolluted()
        const page = within(READ_MS, 'a path', () => pagePathOf(`/jobs${path}`))
        if (page === null) return
        const { search } = new URL(`http://localhost/?${query}`)
        const target = new URL(signInLocation(page, search), `http://localhost/jobs${path}`)
        requireEqual(target.origin, 'http://localhost', 'where somebody is sent to sign in')
      },
    ),
)

const jsonBodies = check(
  {
    target: 'readers',
    name: 'a body is looked through in a time that grows with its length',
    inputs: 'texts of JSON bodies',
  },
  () =>
    fc.property(
      fc.oneof(
        anyTextOrLong,
        fc.json(),
        damaged(fc.json(), ['{', '[', '"', '\\', '\\u0000', '\\ud800', ',', ':', '1e999', '"__proto__":']),
        longJson,
      ),
      (text) => {
        const problem = within(READ_MS * 2, 'a body', () => inspectJson(text))
        if (problem !== null) return
        const parsed = reading(() => parseOrNull(text), [])
        if ('value' in parsed)
          requireThat(
            JSON.stringify(parsed.value)?.includes('"__proto__":') !== true || !isKeyed(parsed.value),
            () => 'a name that reaches a prototype',
          )
      },
    ),
)

const longJson = fc
  .tuple(
    fc.constantFrom('[', '{"a":', '"\\', '\\"', '"', '-', '1', '"a":1,', '{"a":1},'),
    fc.integer({ min: 1, max: 50_000 }),
  )
  .map(([piece, times]) => piece.repeat(times))

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isKeyed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(isKeyed)
}

const ipV6 = fc.oneof(
  fc.ipV6(),
  fc
    .tuple(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 1, maxLength: 5 }), fc.nat(4), fc.ipV4())
    .map(
      ([groups, at, tail]) =>
        `${[...groups.slice(0, at).map(hex), '', ...groups.slice(at).map(hex)].join(':')}:${tail}`,
    ),
)

function hex(value: number): string {
  return value.toString(16)
}

const addresses = check(
  {
    target: 'readers',
    name: 'addresses are known for what they are, however they are written',
    inputs: 'network addresses and targets',
  },
  () =>
    fc.property(fc.oneof(ipV6, fc.ipV4(), fc.ipV4Extended(), fc.webUrl(), anyTextOrLong), (text) => {
      if (isIPv6(text) && !/^::ffff:\d/i.test(text)) {
        requireEqual(
          addressGroup(text),
          `${groupsOf(text).slice(0, 4).map(hex).join(':')}::/64`,
          'the network of an address',
        )
      }
      for (const url of [text, `http://${text}/`, `http://[${text}]/`]) {
        const target = within(READ_MS, 'a target', () => reading(() => checkTarget(url, RULES), ['target_forbidden']))
        if (!('value' in target)) continue
        const host = target.value.hostname.replace(/^\[(.*)\]$/, '$1')
        requireThat(!isIPv6(host) || isPublicAddress(host), () => `${host} may be asked`)
        requireThat(!isIPv4(host) || !/^(10|127|0|169\.254|192\.168)\./.test(host), () => `${host} may be asked`)
      }
    }),
)

const RULES = outboundRules()

/** The eight groups of an address of version 6, as the parser of URLs has them. */
function groupsOf(address: string): number[] {
  const { hostname } = new URL(`http://[${address}]/`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const read = (part: string | undefined) =>
    part === undefined || part === '' ? [] : part.split(':').map((each) => Number.parseInt(each, 16))
  const [start, end] = [read(head), read(tail)]
  return [...start, ...Array.from({ length: 8 - start.length - end.length }, () => 0), ...end]
}

export const headerValueChecks: readonly Check[] = [wishes, conditions, queries, jsonBodies, addresses]

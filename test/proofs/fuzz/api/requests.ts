import fc from 'fast-check'
import { ADMIN, APPROVER, type Asker, DEVELOPER, MANAGER, STRANGER } from '../../../http/api/world.ts'
import { damagedJson } from '../json-damage.ts'
import { anyText, damaged, HOSTILE_TEXTS, headerText } from '../texts.ts'
import { describedBy } from './described-values.ts'
import type { ApiDescription, Operation } from './document.ts'

/** A request as it was made up, before what it names is known. */
export interface MadeUpRequest {
  readonly operation: Operation
  /** By the description; or with something that is not. */
  readonly kind: 'described' | 'damaged'
  readonly asker: Asker | null
  readonly params: Readonly<Record<string, unknown>>
  readonly query: Readonly<Record<string, unknown>>
  readonly headers: Readonly<Record<string, string>>
  /** undefined: none is sent. */
  readonly body: unknown
  /** The body as it is sent, where that is not the JSON of it. */
  readonly raw?: string | undefined
}

const READER: Asker = { tenant: 'acme', userId: 'rui', profile: 'Manager', permissions: ['jobs:read'] }
const asker = fc.constantFrom<(Asker | null)[]>(
  ADMIN,
  ADMIN,
  ADMIN,
  APPROVER,
  APPROVER,
  DEVELOPER,
  MANAGER,
  READER,
  STRANGER,
  null,
)

const HEADERS: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'If-Match': fc.constantFrom('*', '"1"', '"2"', '"99"', 'W/"1"'),
  'Idempotency-Key': fc.constantFrom('key-1', 'key-2', 'key-3', 'key-4', 'key-5'),
  'Last-Event-ID': fc.constantFrom('0', '1', '5'),
}

/** Requests for every operation that a description has, by it and against it. */
export function madeUpRequests({ operations, components }: ApiDescription): fc.Arbitrary<MadeUpRequest> {
  const each = operations.map((operation) => described(operation, components))
  return fc.oneof(
    { weight: 3, arbitrary: fc.oneof(...each) },
    { weight: 2, arbitrary: fc.oneof(...each.map(withDamage)) },
  )
}

function described(operation: Operation, components: ApiDescription['components']): fc.Arbitrary<MadeUpRequest> {
  const of = (place: string) => operation.parameters.filter((parameter) => parameter.in === place)
  const record = (place: 'path' | 'query', isWhole: boolean) =>
    fc.record(
      Object.fromEntries(
        of(place).map(({ name, schema }) => [
          name,
          parameterValue(operation, name, describedBy(schema, components, name)),
        ]),
      ),
      isWhole ? {} : { requiredKeys: [] },
    )
  const headers = fc.record(
    Object.fromEntries(of('header').map(({ name }) => [name, HEADERS[name] ?? fc.constant('1')])),
    { requiredKeys: [] },
  )
  const { body } = operation
  const content = body === null ? fc.constant(undefined) : describedBy(body.schema, components)
  return fc.record({
    operation: fc.constant(operation),
    kind: fc.constant('described' as const),
    asker,
    params: record('path', true),
    query: fc.oneof({ weight: 1, arbitrary: fc.constant({}) }, { weight: 2, arbitrary: record('query', false) }),
    headers: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: headers }) as fc.Arbitrary<
      Record<string, string>
    >,
    body: body?.isRequired === false ? fc.option(content, { nil: undefined }) : content,
  })
}

/** What a path names is of the kind that its place says, more often than not. */
function parameterValue({ path }: Operation, name: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const kind = /\/executions\/\{id\}/.test(path) ? 'execution' : /\/api-keys\/\{id\}/.test(path) ? 'key' : 'job'
  if (name === 'name') return fc.oneof(fc.constantFrom('@calendar:0', '@calendar:1'), value)
  if (name !== 'id') return value
  return fc.oneof(
    { weight: 6, arbitrary: fc.nat(9).map((index) => `@${kind}:${index}`) },
    { weight: 1, arbitrary: value },
  )
}

/** One part of it is not as it is described. */
function withDamage(requests: fc.Arbitrary<MadeUpRequest>): fc.Arbitrary<MadeUpRequest> {
  return requests.chain((request) => {
    const choices = [
      damagedQuery(request),
      damagedHeaders(request),
      ...(Object.keys(request.params).length > 0 ? [damagedParams(request)] : []),
      ...(request.operation.method === 'GET' || request.operation.method === 'DELETE'
        ? []
        : [damagedBody(request), damagedBody(request), damagedText(request)]),
    ]
    return fc.oneof(...choices).map((change): MadeUpRequest => ({ ...request, ...change, kind: 'damaged' }))
  })
}

type Change = fc.Arbitrary<Partial<MadeUpRequest>>

function damagedBody({ body }: MadeUpRequest): Change {
  return damagedJson(fc.constant(body ?? {})).map((value) => ({ body: value }))
}

const PIECES = [
  '\\u0000',
  '\\ud800',
  '"__proto__":{},',
  '1e400',
  '-0',
  '9007199254740993',
  '"a":1,"a":2,',
  '[',
  '{',
  ',',
  '\ufeff',
  '//',
  "'",
  'undefined',
  'NaN',
]

function damagedText({ body }: MadeUpRequest): Change {
  return damaged(fc.constant(JSON.stringify(body ?? {})), PIECES).map((raw) => ({ raw }))
}

function damagedQuery({ query, operation }: MadeUpRequest): Change {
  const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
  const name = fc.oneof(fc.constantFrom(...names, 'limit', '__proto__', 'constructor'), fc.string({ maxLength: 6 }))
  return fc
    .dictionary(name, anyText, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
    .map((more) => ({ query: { ...query, ...more } }))
}

function damagedHeaders({ headers }: MadeUpRequest): Change {
  const name = fc.constantFrom(
    'accept',
    'content-type',
    'if-match',
    'idempotency-key',
    'accept-language',
    'last-event-id',
    'content-encoding',
    'traceparent',
    'range',
    'cookie',
    'authorization',
    'x-api-key',
    'origin',
  )
  const value = fc.oneof(
    headerText,
    fc.constantFrom(
      'application/json',
      'text/plain',
      'application/json; charset=latin1',
      'bytes=0-5',
      'gzip',
      'pt-BR',
      '"0"',
      '*/*;q=0',
      '__Host-pontual=x',
      'Bearer x',
    ),
  )
  return fc
    .dictionary(name, value, { minKeys: 1, maxKeys: 2, noNullPrototype: true })
    .map((more) => ({ headers: { ...headers, ...more } }))
}

function damagedParams({ params }: MadeUpRequest): Change {
  const hostile = fc
    .oneof(anyText, fc.constantFrom(...HOSTILE_TEXTS, '@foreign:0', '@foreign:1', 'new', '%2e%2e'))
    .filter(isSegment)
  return fc
    .record(Object.fromEntries(Object.keys(params).map((name) => [name, hostile])))
    .map((changed) => ({ params: changed }))
}

/** A URL takes these for steps, so that another path would be asked for; and half of a character cannot stand in one. */
function isSegment(text: string): boolean {
  return !/\p{Surrogate}/u.test(text) && !['', '.', '..', '%2e', '%2e%2e', '.%2e', '%2e.'].includes(text.toLowerCase())
}

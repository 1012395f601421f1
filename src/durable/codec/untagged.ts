import { PontualError, quote } from '../../errors.ts'
import { errorPrototype } from './error-record.ts'
import { type BytesTag, type ErrorRecord, TAG, type Tag, TYPED_ARRAYS } from './tags.ts'

/** What a tagged value stands for. Takes its place: nobody else may have it. */
export function fromTagged(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) value[index] = fromTagged(value[index])
    return value
  }
  if (!Object.hasOwn(value, TAG)) return withFields(value)
  const { [TAG]: tag, v: content } = value as { [TAG]: Tag; v?: unknown }
  const reader = READERS.get(tag)
  return reader ? reader(content as never) : readBytes(tag, content)
}

const READERS: ReadonlyMap<string, (content: never) => unknown> = new Map(
  Object.entries({
    Object: withFields,
    undefined: () => undefined,
    Number: (content: string) => Number(content),
    BigInt: (content: string) => BigInt(content),
    Date: (content: string | null) => new Date(content ?? Number.NaN),
    RegExp: ([source, flags]: [string, string]) => new RegExp(source, flags),
    URL: (content: string) => new URL(content),
    Map: (content: [unknown, unknown][]) => new Map(content.map(([key, each]) => [fromTagged(key), fromTagged(each)])),
    Set: (content: unknown[]) => new Set(content.map(fromTagged)),
    Error: readError,
  } satisfies { readonly [Each in Exclude<Tag, BytesTag>]: (content: never) => unknown }),
)

function withFields(fields: object): object {
  for (const [key, content] of Object.entries(fields)) {
    if (typeof content === 'object' && content !== null) define(fields, key, fromTagged(content), true)
  }
  return fields
}

function readBytes(tag: string, content: unknown): unknown {
  const bytes = Buffer.from(String(content), 'base64')
  if (tag === 'Buffer') return bytes
  const buffer = new ArrayBuffer(bytes.length)
  bytes.copy(new Uint8Array(buffer))
  if (tag === 'ArrayBuffer') return buffer
  if (tag === 'DataView') return new DataView(buffer)
  if (Object.hasOwn(TYPED_ARRAYS, tag)) return new TYPED_ARRAYS[tag as keyof typeof TYPED_ARRAYS](buffer)
  throw new PontualError(
    'payload.unreadable',
    `A stored value is of the kind ${quote(tag)}, which this version of Pontual does not know.`,
    { tag },
  )
}

function readError({ type, name, message, stack, code, fields, ...record }: ErrorRecord): Error {
  const error = new Error(message)
  Object.setPrototypeOf(error, errorPrototype(type))
  if (error.name !== name) define(error, 'name', name, false)
  define(error, 'stack', stack ?? `${name}: ${message}`, false)
  if ('cause' in record) define(error, 'cause', fromTagged(record.cause), false)
  if ('errors' in record) define(error, 'errors', fromTagged(record.errors), false)
  if (code !== undefined) define(error, 'code', code, true)
  for (const [key, content] of Object.entries(fields ?? {})) define(error, key, fromTagged(content), true)
  return error
}

function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, configurable: true, writable: true })
}

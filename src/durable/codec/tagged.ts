import { types } from 'node:util'
import { quote } from '../../errors.ts'
import { tooLarge, UnstorableValueError, unstorable } from '../errors.ts'
import { recordOf } from './error-record.ts'
import { isPlainNumber, MAX_DEPTH } from './plain.ts'
import { type BytesTag, TAG, type Tag, TYPED_ARRAYS } from './tags.ts'

export interface TaggedOptions {
  /** What the value is, for whoever reads the error. */
  readonly thing: string
  /** The least that is more than fits. */
  readonly maxLength: number
  /** Errors are written without what hangs on them. */
  readonly hasBareErrors?: boolean | undefined
  /**
   * Data of a job that is not durable: fields that are undefined are omitted, and -0 becomes 0. An output also omits functions and symbols, and an
   * instance of a class is written with its fields. Default: a value of a durable run, which is kept exactly.
   */
  readonly ordinary?: 'input' | 'output' | undefined
}

/** A value as JSON can hold it, and whether it contains tags. */
export interface Tagged {
  readonly content: unknown
  readonly hasTags: boolean
}

/** A value as JSON can hold it, with tags where JSON has no word. Throws an {@link UnstorableValueError} with the path to what cannot be stored. */
export function toTagged(value: unknown, options: TaggedOptions): Tagged {
  const tagging = new Tagging(options)
  try {
    return { content: tagging.of(value), hasTags: tagging.hasTags }
  } catch (error) {
    if (error instanceof UnstorableValueError) throw error
    // A getter, a toJSON or a proxy threw.
    throw tagging.refuse(`cannot be read (${messageOf(error)})`, { cause: error })
  }
}

class Tagging {
  readonly #options: TaggedOptions
  readonly #path: string[] = []
  /** What the value that is looked at is in. */
  readonly #around: object[] = []
  #left: number
  #errors = 0
  #hasTags = false

  constructor(options: TaggedOptions) {
    this.#options = options
    this.#left = options.maxLength
  }

  get hasTags(): boolean {
    return this.#hasTags
  }

  of(value: unknown): unknown {
    switch (typeof value) {
      case 'string':
        this.#spend(value.length)
        return value
      case 'number':
        this.#spend(1)
        if (isPlainNumber(value, this.#options.ordinary !== undefined)) return value
        return this.#tagged('Number', Object.is(value, -0) ? '-0' : String(value))
      case 'boolean':
        this.#spend(4)
        return value
      case 'undefined':
        this.#spend(4)
        return this.#tagged('undefined')
      case 'bigint':
        return this.#tagged('BigInt', this.#text(String(value)))
      case 'object':
        return value === null ? null : this.#object(value)
      case 'function':
      case 'symbol':
        if (this.#isOutput && this.#around.length > 0) return null
        throw this.refuse(`is a ${typeof value}`)
    }
  }

  refuse(fault: string, options?: ErrorOptions): UnstorableValueError {
    return unstorable(this.#options.thing, this.#path.join('').replace(/^\./, ''), fault, options)
  }

  /** What hangs on an error is kept where it can be: an error that cannot be stored would hide itself. */
  attempt(place: string, value: unknown, maxLength: number): { readonly content: unknown } | null {
    const depth = this.#path.length
    const around = this.#around.length
    const left = this.#left
    this.#left = Math.min(left, maxLength)
    const allowed = this.#left
    try {
      const content = this.#at(place, value)
      this.#left = left - (allowed - this.#left)
      return { content }
    } catch {
      this.#path.length = depth
      this.#around.length = around
      this.#left = left
      return null
    }
  }

  #object(value: object): unknown {
    if (this.#around.includes(value)) throw this.refuse('leads back to what it is in')
    if (this.#around.length >= MAX_DEPTH) throw this.#tooDeep()
    this.#spend(2)
    this.#around.push(value)
    const content = this.#contentOf(value)
    this.#around.pop()
    return content
  }

  #contentOf(value: object): unknown {
    if (Array.isArray(value)) return this.#list(value)
    const prototype: unknown = this.#isOutput ? prototypeOrNull(value) : Object.getPrototypeOf(value)
    if (prototype === Object.prototype || prototype === null) return this.#fields(value)
    if (value instanceof Error || types.isNativeError(value)) return this.#error(value)
    if (types.isDate(value)) return this.#tagged('Date', Number.isNaN(value.getTime()) ? null : value.toISOString())
    if (types.isMap(value)) return this.#tagged('Map', this.#entries(value))
    if (types.isSet(value)) return this.#tagged('Set', this.#items(value))
    if (types.isRegExp(value)) return this.#tagged('RegExp', [this.#text(value.source), value.flags])
    if (value instanceof URL) return this.#tagged('URL', this.#text(value.href))
    if (ArrayBuffer.isView(value)) return this.#bytes(viewTag(value), value)
    if (types.isArrayBuffer(value)) return this.#bytes('ArrayBuffer', new Uint8Array(value))
    return this.#instance(value, prototype as object)
  }

  #list(list: readonly unknown[]): unknown[] {
    this.#spend(list.length)
    const content: unknown[] = []
    for (let index = 0; index < list.length; index += 1) content.push(this.#at(`[${index}]`, list[index]))
    return content
  }

  #fields(fields: object): unknown {
    if (typeof Reflect.get(fields, 'toJSON') === 'function') return this.#instance(fields, null)
    const content: Record<string, unknown> = {}
    for (const key of Object.keys(fields)) {
      this.#spend(key.length + 3)
      this.#path.push(placeOf(key))
      const value: unknown = Reflect.get(fields, key)
      if (!this.#isLeftOut(value)) put(content, key, this.of(value))
      this.#path.pop()
    }
    return Object.hasOwn(content, TAG) ? this.#tagged('Object', content) : content
  }

  #isLeftOut(value: unknown): boolean {
    if (value === undefined) return this.#options.ordinary !== undefined
    return this.#isOutput && (typeof value === 'function' || typeof value === 'symbol')
  }

  #entries(map: ReadonlyMap<unknown, unknown>): unknown[] {
    const content: unknown[] = []
    for (const [key, value] of map) {
      const place = typeof key === 'object' ? '.get(…)' : `.get(${quote(key)})`
      content.push([this.#at(`.keys()[${content.length}]`, key), this.#at(place, value)])
    }
    return content
  }

  #items(set: ReadonlySet<unknown>): unknown[] {
    const content: unknown[] = []
    for (const item of set) content.push(this.#at(`.values()[${content.length}]`, item))
    return content
  }

  #bytes(tag: BytesTag, { buffer, byteOffset, byteLength }: ArrayBufferView): unknown {
    this.#spend(Math.ceil(byteLength / 3) * 4)
    return this.#tagged(tag, Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength).toString('base64'))
  }

  #error(error: Error): unknown {
    this.#errors += 1
    try {
      const isBare = this.#options.hasBareErrors === true
      const record = recordOf(error, isBare ? null : this, this.#errors)
      this.#spend(record.message.length + (record.stack?.length ?? 0))
      return this.#tagged('Error', record)
    } finally {
      this.#errors -= 1
    }
  }

  #instance(value: object, prototype: object | null): unknown {
    const toJson: unknown = Reflect.get(value, 'toJSON')
    if (typeof toJson === 'function') {
      const key = this.#path.at(-1) ?? ''
      return this.of(toJson.call(value, key))
    }
    if (prototype && (this.#isOutput || isPlainElsewhere(prototype))) return this.#fields(value)
    if (types.isPromise(value)) throw this.refuse('is a promise, is an await missing')
    const name: unknown = Reflect.get(Reflect.get(value, 'constructor') ?? {}, 'name')
    throw this.refuse(typeof name === 'string' && name ? `is an instance of ${name}` : 'is an object with a prototype')
  }

  #at(place: string, value: unknown): unknown {
    this.#path.push(place)
    const content = this.of(value)
    this.#path.pop()
    return content
  }

  get #isOutput(): boolean {
    return this.#options.ordinary === 'output'
  }

  #tagged(tag: Tag, content?: unknown): object {
    this.#hasTags = true
    return content === undefined ? { [TAG]: tag } : { [TAG]: tag, v: content }
  }

  #text(text: string): string {
    this.#spend(text.length)
    return text
  }

  #spend(length: number): void {
    this.#left -= length
    if (this.#left < 0) throw tooLarge(this.#options.thing, this.#options.maxLength)
  }

  #tooDeep(): UnstorableValueError {
    this.#path.splice(SHOWN, this.#path.length, '…')
    return this.refuse(`is nested more than ${MAX_DEPTH} deep`)
  }
}

/** How much of a long path is shown. */
const SHOWN = 8

/** Also where the name is `__proto__`. */
function put(fields: object, key: string, value: unknown): void {
  if (key in fields) Object.defineProperty(fields, key, { value, enumerable: true, configurable: true, writable: true })
  else (fields as Record<string, unknown>)[key] = value
}

function placeOf(key: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${quote(key)}]`
}

/** null also for a proxy whose trap throws. */
function prototypeOrNull(value: object): unknown {
  try {
    return Object.getPrototypeOf(value)
  } catch {
    return null
  }
}

function viewTag(view: ArrayBufferView): BytesTag {
  if (Buffer.isBuffer(view)) return 'Buffer'
  const name = Object.prototype.toString.call(view).slice(8, -1)
  return name in TYPED_ARRAYS ? (name as keyof typeof TYPED_ARRAYS) : 'DataView'
}

/** An object literal of another realm, such as that of a test runner. */
function isPlainElsewhere(prototype: object): boolean {
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf')
}

function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'it throws'
  }
}

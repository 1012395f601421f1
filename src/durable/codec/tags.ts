/**
 * In a tagged text `{ "$": tag, "v": content }` stands for what JSON has no word for; an object with a field `$` of its own is the content of the tag
 * `Object`. Tags are stored: none is ever renamed, or given another meaning.
 */
export const TAG = '$'

export type Tag =
  | 'Object'
  | 'undefined'
  /** NaN, the infinities and -0. */
  | 'Number'
  | 'BigInt'
  /** ISO text; null for an invalid one. */
  | 'Date'
  | 'RegExp'
  | 'URL'
  | 'Map'
  | 'Set'
  | 'Error'
  | BytesTag

/** As base64, in the byte order of the machine, which is the same on all that Node runs on but one. */
export type BytesTag = 'Buffer' | 'ArrayBuffer' | 'DataView' | keyof typeof TYPED_ARRAYS

export const TYPED_ARRAYS = {
  Uint8Array,
  Uint8ClampedArray,
  Uint16Array,
  Uint32Array,
  Int8Array,
  Int16Array,
  Int32Array,
  Float32Array,
  Float64Array,
  BigInt64Array,
  BigUint64Array,
} as const

/** An error as it stands in a tagged text; what is absent could not be read, or is not there. */
export interface ErrorRecord {
  /** The nearest class that is known to everyone: `Error`, `TypeError` … */
  readonly type: string
  readonly name: string
  readonly message: string
  readonly stack?: string | undefined
  readonly code?: string | number | undefined
  /** Encoded, as the rest. */
  readonly cause?: unknown
  readonly errors?: readonly unknown[] | undefined
  readonly fields?: Readonly<Record<string, unknown>> | undefined
}

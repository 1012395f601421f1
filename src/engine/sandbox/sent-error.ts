import { InvalidInputError, PontualError } from '../../errors.ts'
import type { Failure } from '../../job/execution/execution.ts'
import { failureOf, NonRetryableError, TimeoutError } from '../../job/execution/failure.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import { toJsonLine } from '../../logger.ts'

/** Whatever was thrown, as it travels: an error with the names of its classes, or the JSON of anything else. */
export type SentError =
  | {
      readonly kind: 'error'
      readonly failure: Failure
      /** Its own class first. */
      readonly classes: readonly string[]
      /** JSON text. */
      readonly details: string | null
    }
  | { readonly kind: 'value'; readonly json: string }

type ErrorClass = { readonly name: string; readonly prototype: object }

/** Classes that are the same on both sides, so that `instanceof` goes on to work. */
const KNOWN = new Map<string, ErrorClass>(
  [
    NonRetryableError,
    TimeoutError,
    InvalidPayloadError,
    InvalidInputError,
    PontualError,
    TypeError,
    RangeError,
    ReferenceError,
    SyntaxError,
    Error,
  ].map((each) => [each.name, each]),
)
const MAX_CLASSES = 20

/** Never throws, though what was thrown may do so when it is looked at. */
export function describeError(thrown: unknown): SentError {
  const failure = failureOf(thrown)
  const classes = classesOf(thrown)
  if (classes.length > 0) return { kind: 'error', failure, classes, details: detailsOf(thrown) }
  try {
    const json: string | undefined = JSON.stringify(thrown)
    if (json !== undefined) return { kind: 'value', json }
  } catch {
    // In words, then.
  }
  return { kind: 'value', json: JSON.stringify(failure.message) }
}

/** An error of an output that cannot be kept: the work is done, to do it again would give the same. */
export function describeHopeless(thrown: unknown): SentError {
  const sent = describeError(thrown)
  if (sent.kind === 'value') return sent
  return { ...sent, classes: [NonRetryableError.name] }
}

/** What was thrown on the other side, so that rules by class, name or code decide as if it had been thrown here. */
export function rebuildError(sent: SentError): unknown {
  if (sent.kind === 'value') return JSON.parse(sent.json) as unknown
  const { name, message, code, stack } = sent.failure
  const error = new Error(message)
  Object.setPrototypeOf(error, prototypeOf(sent.classes))
  const fields = {
    name,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(sent.details === null ? {} : { details: JSON.parse(sent.details) as unknown }),
  }
  for (const [field, value] of Object.entries(fields)) {
    Object.defineProperty(error, field, { value, writable: true, configurable: true, enumerable: false })
  }
  return error
}

function classesOf(thrown: unknown): string[] {
  const names: string[] = []
  try {
    for (let each: unknown = thrown; each instanceof Error && names.length < MAX_CLASSES; ) {
      each = Object.getPrototypeOf(each) as unknown
      const name: unknown = (each as { constructor?: { name?: unknown } } | null)?.constructor?.name
      if (typeof name === 'string' && name !== 'Object') names.push(name)
    }
  } catch {
    // What cannot be looked at has no class.
  }
  return names
}

function detailsOf(thrown: unknown): string | null {
  try {
    const details: unknown = Reflect.get(thrown as object, 'details')
    return typeof details === 'object' && details !== null ? toJsonLine(details) : null
  } catch {
    return null
  }
}

/** Classes that are not known here get stand-ins of the same name. */
function prototypeOf(classes: readonly string[]): object {
  const [name, ...above] = classes
  if (name === undefined) return Error.prototype
  const known = KNOWN.get(name)
  if (known) return known.prototype
  const standIn = Object.defineProperty(() => {}, 'name', { value: name })
  return Object.create(prototypeOf(above), { constructor: { value: standIn, enumerable: false } }) as object
}

import { InvalidInputError, PontualError } from '../../errors.ts'
import { NonRetryableError, TimeoutError } from '../../job/execution/failure.ts'
import { InvalidPayloadError } from '../../job/type/standard-schema.ts'
import {
  ActivityFailedError,
  ActivityTimeoutError,
  CancelledError,
  ChildFailedError,
  CompensationFailedError,
  ForgottenAwaitError,
  MisplacedCallError,
  RunTimeoutError,
  UnstorableValueError,
} from '../errors.ts'

/** Errors that are of their class again when they are read. Any other is of the nearest of these, and has its name. */
const CLASSES: readonly { readonly name: string; readonly prototype: Error }[] = [
  Error,
  AggregateError,
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
  PontualError,
  InvalidInputError,
  InvalidPayloadError,
  NonRetryableError,
  TimeoutError,
  ActivityFailedError,
  ActivityTimeoutError,
  CancelledError,
  ChildFailedError,
  CompensationFailedError,
  ForgottenAwaitError,
  MisplacedCallError,
  RunTimeoutError,
  UnstorableValueError,
]

const nameOf = new Map<unknown, string>(CLASSES.map(({ name, prototype }) => [prototype, name]))
const prototypeOf = new Map<unknown, Error>(CLASSES.map(({ name, prototype }) => [name, prototype]))

/** The name of the nearest class that is known. */
export function classNameOf(error: Error): string {
  for (let prototype: unknown = Object.getPrototypeOf(error); prototype; prototype = Object.getPrototypeOf(prototype)) {
    const name = nameOf.get(prototype)
    if (name !== undefined) return name
  }
  return 'Error'
}

/** What an error of that class inherits from. */
export function errorPrototype(type: unknown): Error {
  return prototypeOf.get(type) ?? Error.prototype
}

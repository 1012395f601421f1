import { type ErrorDetails, PontualError } from '../errors.ts'
import { SearchTooLongError } from '../time/search.ts'
import { type FieldProblem, InvalidFieldsError, type Said, ToldError } from './errors.ts'
import type { ApiCode } from './i18n/codes.ts'
import { TargetForbiddenError } from './outbound/target.ts'

/** What is wrong with a value, thrown where it is read. */
export class FieldRefusal extends ToldError {}

/** Collects what is wrong with the fields of one request, so that all of it is told at once. */
export class FieldProblems {
  readonly #problems: FieldProblem[] = []

  get isEmpty(): boolean {
    return this.#problems.length === 0
  }

  /** `details`: what the message is about, for other languages. */
  add(pointer: string, code: ApiCode, message: string, details: ErrorDetails = {}): void {
    this.note(pointer, code, message, { code, details })
  }

  /** The same, where the message says more than the code of the field. */
  note(pointer: string, code: string, message: string, says: Said): void {
    this.#problems.push({ pointer, code, message, says })
  }

  /** Reads a value; where it is refused, notes why, and gives undefined. */
  read<Value>(pointer: string, code: string, read: () => Value): Value | undefined {
    try {
      return read()
    } catch (error) {
      if (!(error instanceof PontualError)) throw error
      const isTelling = error instanceof FieldRefusal || error instanceof TargetForbiddenError
      const telling = error instanceof SearchTooLongError ? 'search_too_long' : code
      const { code: own, message, details } = error
      this.note(pointer, isTelling ? own : telling, message, { code: own, details })
      return undefined
    }
  }

  throwIfAny(): void {
    if (!this.isEmpty) throw new InvalidFieldsError(this.#problems)
  }
}

/** Refuses one field. */
export function invalidField(
  pointer: string,
  code: ApiCode,
  message: string,
  details: ErrorDetails = {},
): InvalidFieldsError {
  return new InvalidFieldsError([{ pointer, code, message, says: { code, details } }])
}

/** A name as a part of a JSON pointer. */
export function pointerTo(...path: readonly (string | number)[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

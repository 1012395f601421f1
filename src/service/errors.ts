import { PontualError } from '../errors.ts'

/** There is no such thing, of any tenant. */
export class NotFoundError extends PontualError {}

/** It was changed since the asker saw it. */
export class StaleVersionError extends PontualError {}

/** What is asked for contradicts what there is: a name that is taken, a status that does not allow it. */
export class ConflictError extends PontualError {}

/** The tenant has as much as it may have. */
export class QuotaError extends PontualError {}

/** A field that cannot be accepted. */
export interface FieldProblem {
  /** A JSON pointer into what was sent: `/cronExpression`. */
  readonly pointer: string
  /** Such as `cron_invalid`. */
  readonly code: string
  readonly message: string
}

const LONGEST_POINTER = 200
const LONGEST_MESSAGE = 500

/** A text, cut where what was sent would make it long. */
export function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

/** So many are named: whoever sends a hundred thousand mistakes is not given an essay about each. */
export const MOST_PROBLEMS = 50

/** Fields of what was sent cannot be accepted; they are named, up to a number. */
export class InvalidFieldsError extends PontualError {
  readonly problems: readonly FieldProblem[]

  /** `count`: how many there are, where not all of them are handed over. */
  constructor(found: readonly FieldProblem[], count = found.length) {
    const problems = found.slice(0, MOST_PROBLEMS).map(({ pointer, code, message }) => ({
      pointer: cutText(pointer, LONGEST_POINTER),
      code,
      message: cutText(message, LONGEST_MESSAGE),
    }))
    const fields = count === 1 ? '1 field is' : `${count} fields are`
    const rest = count > problems.length ? `, of which the first ${problems.length} are named` : ''
    super('validation_failed', `${fields} invalid${rest}.`, { problems })
    this.problems = problems
  }
}

import { type ErrorDetails, PontualError } from '../errors.ts'
import type { ApiCode } from './i18n/codes.ts'

/** What is refused here is told in every language: its code has a sentence in each. */
export abstract class ToldError extends PontualError {
  constructor(code: ApiCode, message: string, details: ErrorDetails = {}) {
    super(code, message, details)
  }
}

/** There is no such thing, of any tenant. */
export class NotFoundError extends ToldError {}

/** It was changed since the asker saw it. */
export class StaleVersionError extends ToldError {}

/** What is asked for contradicts what there is: a name that is taken, a status that does not allow it. */
export class ConflictError extends ToldError {}

/** The tenant has as much as it may have. */
export class QuotaError extends ToldError {}

/** A field that cannot be accepted. */
export interface FieldProblem {
  /** A JSON pointer into what was sent: `/cronExpression`. */
  readonly pointer: string
  /** Such as `cron_invalid`. */
  readonly code: string
  readonly message: string
  /** What the message says, for other languages; default: its own code, and the field. Stays here. */
  readonly says?: Said | undefined
}

/** What a sentence says, in no language: whose code it is, and what it is about. */
export interface Said {
  readonly code: string
  readonly details: ErrorDetails
}

const LONGEST_POINTER = 200
export const LONGEST_MESSAGE = 500

/** A text, cut where what was sent would make it long. */
export function cutText(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const LONGEST_NAME = 64

/** There is nothing of this name, of which no more is said again than fits into a quotation. */
export function nothingNamed(kind: 'job' | 'calendar', name: string): NotFoundError {
  const id = cutText(name, LONGEST_NAME)
  return new NotFoundError('not_found', `There is no ${kind} "${id}".`, { kind, id })
}

/** So many are named: whoever sends a hundred thousand mistakes is not given an essay about each. */
export const MOST_PROBLEMS = 50

/** Fields of what was sent cannot be accepted; they are named, up to a number. */
export class InvalidFieldsError extends PontualError {
  readonly problems: readonly FieldProblem[]

  /** `count`: how many there are, where not all of them are handed over. */
  constructor(found: readonly FieldProblem[], count = found.length) {
    const problems = found.slice(0, MOST_PROBLEMS).map(shortened)
    const fields = count === 1 ? '1 field is' : `${count} fields are`
    const rest = count > problems.length ? `, of which the first ${problems.length} are named` : ''
    super('validation_failed', `${fields} invalid${rest}.`, { count, named: problems.length })
    this.problems = problems
  }
}

/** What it says may hold what was sent, and is not seen by whoever writes the problem down. */
function shortened({ pointer, code, message, says }: FieldProblem): FieldProblem {
  const problem = { pointer: cutText(pointer, LONGEST_POINTER), code, message: cutText(message, LONGEST_MESSAGE) }
  return says === undefined ? problem : Object.defineProperty(problem, 'says', { value: says })
}

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

/** Fields of what was sent cannot be accepted; all of them are named. */
export class InvalidFieldsError extends PontualError {
  readonly problems: readonly FieldProblem[]

  constructor(problems: readonly FieldProblem[]) {
    const count = problems.length === 1 ? '1 field is' : `${problems.length} fields are`
    super('validation_failed', `${count} invalid.`, { problems })
    this.problems = problems
  }
}

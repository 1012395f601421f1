import { PontualError } from '../../errors.ts'

/** The service has answered, and not with what was asked for. */
export class AnsweredError extends PontualError {
  readonly status: number

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(code, message, details)
    this.status = status
  }
}

/** Nobody answers. */
export class UnreachableError extends PontualError {}

/** Whether the same question may be answered later: nobody answers, or somebody who is in trouble. */
export function isPassing(error: unknown): boolean {
  if (error instanceof AnsweredError) return error.status >= 500 || error.status === 429
  return error instanceof UnreachableError
}

/** What goes wrong while an answer is read; what is known already stays as it is. */
export function cutOff(error: unknown, place: string): PontualError {
  if (error instanceof PontualError) return error
  const { cause } = (error ?? {}) as { readonly cause?: unknown }
  const { message: reason } = (cause instanceof Error ? cause : error) as Error
  const message = `${place} has broken off in the middle of its answer (${reason}): what was asked for may have been done or not. Look before you ask again.`
  return new UnreachableError('client.cut_off', message, { place, reason }, { cause: error })
}

import { CommanderError } from 'commander'
import { PontualError } from '../errors.ts'
import { sqlStateOf } from '../store/unavailable.ts'
import { AnsweredError } from './client/errors.ts'

const NOT_ALLOWED = '42501'

/** Whatever was thrown, as something that can be told: who uses a command is shown no stack, unless nothing else is known. */
export function toldError(thrown: unknown): CommanderError | PontualError {
  if (thrown instanceof CommanderError || thrown instanceof PontualError) return thrown
  if (!(thrown instanceof Error)) return new PontualError('unexpected', `Unexpected: ${String(thrown)}`)
  const state = sqlStateOf(thrown)
  if (state !== null && 'severity' in thrown) return refusedByDatabase(thrown, state)
  const { code, syscall, path, message } = thrown as NodeJS.ErrnoException
  if (typeof code === 'string' && syscall !== undefined) {
    return new PontualError(`system.${code.toLowerCase()}`, `${message}.`, { code, syscall, path }, { cause: thrown })
  }
  return new PontualError('unexpected', `Unexpected: ${thrown.stack ?? message}`, {}, { cause: thrown })
}

function refusedByDatabase(error: Error, state: string): AnsweredError {
  const isForbidden = state === NOT_ALLOWED
  const remedy = isForbidden ? ' Take a role that may use the schema "pontual", or grant it that.' : ''
  const message = `The database refuses: ${error.message} (${state}).${remedy}`
  return new AnsweredError(isForbidden ? 403 : 500, 'database.refused', message, { state })
}

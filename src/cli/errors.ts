import { CommanderError } from 'commander'
import { InvalidInputError, PontualError } from '../errors.ts'
import { StoreUnavailableError, sqlStateOf } from '../store/unavailable.ts'
import { AnsweredError, UnreachableError } from './client/connection.ts'
import { shownJson, shownText } from './print/text.ts'
import { InterruptedError, StillRunningError } from './signals.ts'

/** What a command ends with: scripts may rely on it. */
export const EXIT_CODES = {
  done: 0,
  /** What was asked for did not come about: a run that failed, a chain that is broken, a check that found something. */
  failed: 1,
  /** A wrong option or an invalid value. */
  notUnderstood: 2,
  /** Neither the service nor the database answers. */
  unreachable: 3,
  /** Nobody, or somebody who may not do that. */
  notAllowed: 4,
  notFound: 5,
  /** It stands another way: changed meanwhile, ended already. */
  conflict: 6,
  /** A service was told to stop, and handlers still ran when its time was over. */
  stillRunning: 7,
  /** By Ctrl+C. */
  interrupted: 130,
} as const

const MEANINGS: Readonly<Record<keyof typeof EXIT_CODES, string>> = {
  done: 'done',
  failed: 'what was asked for did not come about: a run that failed, a check that found something',
  notUnderstood: 'a wrong option or an invalid value',
  unreachable: 'neither a service nor a database answers',
  notAllowed: 'not known there, or not allowed to do that',
  notFound: 'there is no such thing',
  conflict: 'it stands another way: changed meanwhile, ended already, ambiguous',
  stillRunning: 'the service has stopped, but handlers still ran: other nodes run them again',
  interrupted: 'interrupted by Ctrl+C',
}

/** What `pontual --help` says about them. */
export function describeExitCodes(): string {
  const names = Object.keys(EXIT_CODES) as (keyof typeof EXIT_CODES)[]
  const lines = names.map((name) => `  ${String(EXIT_CODES[name]).padEnd(3)}  ${MEANINGS[name]}`)
  return `\nExit codes:\n${lines.join('\n')}\n`
}

const OF_STATUS: Readonly<Record<number, number>> = {
  400: EXIT_CODES.notUnderstood,
  401: EXIT_CODES.notAllowed,
  403: EXIT_CODES.notAllowed,
  404: EXIT_CODES.notFound,
  409: EXIT_CODES.conflict,
  412: EXIT_CODES.conflict,
  422: EXIT_CODES.notUnderstood,
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.notUnderstood
  if (error instanceof AnsweredError) return OF_STATUS[error.status] ?? EXIT_CODES.failed
  if (error instanceof StillRunningError) return EXIT_CODES.stillRunning
  if (error instanceof InterruptedError) return EXIT_CODES.interrupted
  if (error instanceof UnreachableError || error instanceof StoreUnavailableError) return EXIT_CODES.unreachable
  return error instanceof InvalidInputError ? EXIT_CODES.notUnderstood : EXIT_CODES.failed
}

/** What is said about an error, for people or as JSON. */
export function complaintOf(error: CommanderError | PontualError, isJson: boolean): string {
  const { code, message, details } = error instanceof CommanderError ? usageOf(error, isJson) : error
  if (isJson) return `${shownJson({ error: { code, message, details } })}\n`
  return message === '' ? '' : `${shownText(message)}\n`
}

const HELP = 'commander.help'

/** A command line that was not understood. */
function usageOf({ code, message }: CommanderError, isJson: boolean) {
  const kind = code.replace(/^commander\./, '').replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  // Where a command lacks the rest of its name, its help has said so already, to a person.
  const told = isJson ? 'A command is missing, or there is no such one: see --help.' : ''
  return { code: `usage.${kind}`, message: code === HELP ? told : message.replace(/^error: /, ''), details: {} }
}

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

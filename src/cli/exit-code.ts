import { CommanderError } from 'commander'
import { InvalidInputError } from '../errors.ts'
import { StoreUnavailableError } from '../store/unavailable.ts'
import { AnsweredError, UnreachableError } from './client/errors.ts'
import { InterruptedError } from './follow/interrupt.ts'
import { StillRunningError } from './until-stopped.ts'

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

import { CommanderError } from 'commander'
import type { PontualError } from '../errors.ts'
import { shownJson, shownText } from './print/shown-text.ts'

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

import type { WhereToLook } from '../../store/archive.ts'
import type { LogLine, TenantLogStore } from '../../store/logs.ts'
import { wireInstant } from '../wire-value.ts'

const MAX_LINES = 1_000
const MAX_CHARACTERS = 262_144

/** The log of an execution as text, a line for each of its lines. Of a long one the beginning, with a last line that says so. */
export async function logText(logs: TenantLogStore, executionId: string, where: WhereToLook = {}): Promise<string> {
  const lines = await logs.read({ ...where, executionId, limit: MAX_LINES + 1 })
  let text = ''
  for (const [index, line] of lines.entries()) {
    const next = textOfLine(line)
    if (index === MAX_LINES || text.length + next.length > MAX_CHARACTERS)
      return `${text}… cut here; the rest is in the log.\n`
    text += next
  }
  return text
}

/** A line as text. What has lines of its own is indented from the second on, so that none of them is taken for a line of the log. */
export function textOfLine({ at, level, message, fields }: LogLine): string {
  const text = withoutEscapes(message).replaceAll(LINE_BREAK, '\n    ')
  const told = fields === null ? '' : ` ${visibleJson(fields)}`
  return `${wireInstant(at)} ${level.toUpperCase()} ${text}${told}\n`
}

const LINE_BREAK = /[\n\u2028\u2029]/g
/** What JSON need not escape, and a terminal obeys or an editor breaks lines at. */
const UNSEEN_IN_JSON = /[\p{Cc}\u2028\u2029]/gu

/** The same JSON, in which nothing is left that a terminal would obey. */
export function visibleJson(json: string): string {
  return json.replaceAll(UNSEEN_IN_JSON, escapedInJson)
}

function escapedInJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

// What is no letter, with what moves a cursor, colours letters or names a window behind it.
const UNSEEN = /(?![\n\t])\p{Cc}(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\p{Cc}]*(?:\p{Cc}\\?)?)?/gu

/** Text that a terminal shows and does not obey. */
export function withoutEscapes(text: string): string {
  return text.replaceAll(UNSEEN, '')
}

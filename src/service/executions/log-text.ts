import type { LogLine, LogStore } from '../../store/logs.ts'
import { wireInstant } from '../wire-value.ts'

const MAX_LINES = 1_000
const MAX_CHARACTERS = 262_144

/** The log of an execution as text, a line for each of its lines. Of a long one the beginning, with a last line that says so. */
export async function logText(logs: LogStore, executionId: string): Promise<string> {
  const lines = await logs.read({ executionId, limit: MAX_LINES + 1 })
  let text = ''
  for (const [index, line] of lines.entries()) {
    const next = textOf(line)
    if (index === MAX_LINES || text.length + next.length > MAX_CHARACTERS)
      return `${text}… cut here; the rest is in the log.\n`
    text += next
  }
  return text
}

function textOf({ at, level, message, fields }: LogLine): string {
  return `${wireInstant(at)} ${level.toUpperCase()} ${message}${fields === null ? '' : ` ${fields}`}\n`
}

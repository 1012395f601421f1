import type { LogLevel } from '../../logger.ts'
import type { LogLineView } from '../../service/answers.ts'
import type { Terminal, Tone } from '../terminal.ts'
import { shownJson, shownText } from './shown-text.ts'
import { formatWallTime } from './wall-time.ts'

const TONES: Readonly<Record<LogLevel, Tone | null>> = { debug: 'dim', info: null, warn: 'warn', error: 'bad' }
const LEVEL_WIDTH = 5

/** A line of a log, as somebody at a terminal reads it. What has lines of its own is indented, so that none of them passes for a line of the log. */
export function formatLogLine(terminal: Pick<Terminal, 'tone'>, line: LogLineView, zone: string): string {
  const { at, level, message, fields } = line
  const time = terminal.tone(formatExactTime(Date.parse(at), zone), 'dim')
  const text = shownText(message).replaceAll('\n', '\n    ')
  const told = fields === null || fields === undefined ? '' : ` ${terminal.tone(shownJson(fields), 'dim')}`
  const tone = TONES[level]
  const word = level.toUpperCase().padEnd(LEVEL_WIDTH)
  return `${time} ${tone === null ? word : terminal.tone(word, tone)} ${text}${told}\n`
}

/** Wall time with milliseconds and offset, without the day of the week: `2026-03-07 02:30:00.123 -05:00`. */
function formatExactTime(instant: number, zone: string): string {
  const [, day = '', time = '', offset = ''] = formatWallTime(instant, zone).split(' ')
  return `${day} ${time}.${String(instant % 1_000).padStart(3, '0')} ${offset}`
}

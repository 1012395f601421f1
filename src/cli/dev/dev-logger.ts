import process from 'node:process'
import { systemClock } from '../../clock.ts'
import {
  isAtLeast,
  LOG_LEVELS,
  type LogFields,
  type Logger,
  type LogLevel,
  loggerTo,
  silentLogger,
} from '../../logger.ts'
import { shownText } from '../print/text.ts'
import { type Environment, Reader } from '../variables.ts'

/** What the dashboard says better, or stands in the line already. */
const LEFT_OUT: ReadonlySet<string> = new Set(['executionId', 'jobId', 'tenant', 'jobType', 'attempt'])

/** Short lines on standard error, for a person who looks on: from `info` on, or the level in PONTUAL_LOG. */
export function devLogger(environment: Environment, usual: LogLevel = 'info'): Logger {
  const lowest = new Reader(environment).oneOf<LogLevel | 'silent'>('PONTUAL_LOG', [...LOG_LEVELS, 'silent']) ?? usual
  if (lowest === 'silent') return silentLogger
  const isWanted = (level: LogLevel) => isAtLeast(level, lowest)
  return loggerTo((level, message, fields) => {
    if (isWanted(level)) process.stderr.write(`${lineOf(systemClock.now(), level, message, fields)}\n`)
  }, isWanted)
}

/** `09:30:01 warn  send-digest: No answer (host=mail.example)` */
export function lineOf(at: number, level: LogLevel, message: string, fields: LogFields): string {
  const time = new Date(at).toTimeString().slice(0, 8)
  const { jobType } = fields
  const who = typeof jobType === 'string' ? `${jobType}: ` : ''
  const rest = Object.entries(fields)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${textOf(value)}`)
  const text = `${who}${message}${rest.length === 0 ? '' : ` (${rest.join(', ')})`}`
  // What a handler logs may be what others have sent it.
  return `${time} ${level.padEnd(5)} ${shownText(text).replaceAll('\n', '\n    ')}`
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Error) return value.message
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}

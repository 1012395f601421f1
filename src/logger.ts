export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const

/** How much a message matters, from the least to the most. */
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What is said beside the message: plain data, never a sentence to be parsed. */
export type LogFields = Readonly<Record<string, unknown>>

/** Where lines go. The message is constant text; what varies is a field. */
export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** Whether lines of a level go anywhere: what would say nothing need not be put together. Absent: all do. */
  isLevelEnabled?(level: LogLevel): boolean
}

/** A logger from one function for all levels. */
export function loggerTo(
  write: (level: LogLevel, message: string, fields: LogFields) => void,
  isLevelEnabled: (level: LogLevel) => boolean = () => true,
): Logger {
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) =>
      write(level, message, fields)
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), isLevelEnabled }
}

export const silentLogger: Logger = loggerTo(
  () => {},
  () => false,
)

/** Whether a logger, whose own answer may be missing or wrong, takes lines of a level. */
export function takesLevel(logger: Logger, level: LogLevel): boolean {
  try {
    return logger.isLevelEnabled?.(level) ?? true
  } catch {
    return true
  }
}

/** Whether a line of one level is written where another is the lowest that is wanted. */
export function isAtLeast(level: LogLevel, lowest: LogLevel): boolean {
  return LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(lowest)
}

/** Data as one line of JSON, whatever is in it. */
export function toJsonLine(data: object): string {
  try {
    const text: string | undefined = JSON.stringify(data, (_key, value: unknown) => {
      if (value instanceof Error) return { name: value.name, message: value.message, stack: value.stack }
      return typeof value === 'bigint' ? String(value) : value
    })
    return text ?? '{}'
  } catch {
    return JSON.stringify({ unreadable: 'data that JSON cannot hold' })
  }
}

import type { Clock } from '../clock.ts'
import { isAtLeast, type Logger, type LogLevel, loggerTo, toJsonLine } from '../logger.ts'
import { formatInstant } from '../time/instant.ts'

/** Lines of JSON on standard error, from a level on. */
export function stderrLogger(clock: Clock, lowest: LogLevel): Logger {
  return loggerTo((level, message, fields) => {
    if (!isAtLeast(level, lowest)) return
    process.stderr.write(`${toJsonLine({ time: formatInstant(clock.now()), level, message, ...fields })}\n`)
  })
}

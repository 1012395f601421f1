import type { Clock } from '../../clock.ts'
import { isAtLeast, type Logger, type LogLevel, loggerTo, toJsonLine } from '../../logger.ts'
import { formatInstant } from '../../time/instant.ts'

/** Lines of JSON on standard error, from a level on. */
export function stderrLogger(clock: Clock, lowest: LogLevel): Logger {
  const isWanted = (level: LogLevel) => isAtLeast(level, lowest)
  return loggerTo((level, message, fields) => {
    if (!isWanted(level)) return
    process.stderr.write(`${toJsonLine({ time: formatInstant(clock.now()), level, message, ...fields })}\n`)
  }, isWanted)
}

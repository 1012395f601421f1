import type { DayRule } from '../../time/cron/parse.ts'
import { type Instant, instantOf } from '../../time/instant.ts'
import type { Locale } from '../../time/locale.ts'
import { cron } from '../../time/triggers/cron.ts'
import { formatAhead } from '../print/age.ts'
import { formatWallTime } from '../print/wall-time.ts'
import type { Terminal } from '../terminal.ts'

export interface ExplainCronOptions {
  readonly zone?: string
  readonly locale: Locale
  readonly dayRule: DayRule
  readonly identity?: string
  readonly from?: Instant
  readonly count: number
  readonly json: boolean
}

/** `pontual cron explain`: the meaning of an expression in words, and its next fire times. */
export function explainCron(expression: string, options: ExplainCronOptions, terminal: Terminal): void {
  const { zone, dayRule, identity } = options
  const trigger = cron(expression, { timeZone: zone, dayRule, identity })
  const from = options.from === undefined ? terminal.now : instantOf(options.from, '--from')
  const upcoming = trigger.upcoming(from, options.count)

  const meaning = trigger.describe(options.locale)
  if (options.json) {
    const instants = upcoming.map((at) => new Date(at).toISOString())
    const explained = { expression, meaning, timeZone: trigger.timeZone, isNever: trigger.isNever, upcoming: instants }
    terminal.write(`${JSON.stringify(explained)}\n`)
    return
  }
  terminal.write(`${expression}\n${meaning}, ${trigger.timeZone}\n\n`)
  if (upcoming.length === 0) terminal.write('It never fires: no such date comes again.\n')
  for (const at of upcoming)
    terminal.write(`  ${formatWallTime(at, trigger.timeZone, options.locale)}  ${formatAhead(at, from)}\n`)
}

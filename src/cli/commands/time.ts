import type { DayRule } from '../../time/cron/parse.ts'
import { formatInstant, type Instant, instantOf } from '../../time/instant.ts'
import type { Locale } from '../../time/locale.ts'
import type { MisfirePolicyName } from '../../time/misfire/policy.ts'
import { type SimulatedPolicy, simulate } from '../../time/simulate.ts'
import { cron } from '../../time/triggers/cron.ts'
import { readOutage } from '../option-values.ts'
import { drawAxis, drawOutage, LEGEND, POLICY_WIDTH } from '../print/draw-outage.ts'
import { formatAhead, formatWallTime } from '../print/instants.ts'
import { formatTable } from '../print/table.ts'
import type { Terminal } from '../terminal.ts'

export interface SimulateOutageOptions {
  readonly cron: string
  readonly zone?: string
  /** Two RFC 3339 instants with a slash between them, or a duration that ends now. */
  readonly outage: string
  readonly policy?: readonly MisfirePolicyName[]
  readonly threshold?: string
  readonly json: boolean
}

const ALL_POLICIES: readonly MisfirePolicyName[] = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext']

/** `pontual simulate --cron`: what a job would do after an outage, under each policy. */
export function simulateOutage(options: SimulateOutageOptions, terminal: Terminal): void {
  const trigger = cron(options.cron, { timeZone: options.zone })
  const { timeZone } = trigger
  const outage = readOutage(options.outage, terminal.now)
  const [result] = simulate({
    jobs: [{ name: options.cron, trigger, misfire: { threshold: options.threshold } }],
    outage,
    policies: options.policy ?? ALL_POLICIES,
  })
  const policies = result?.policies ?? []
  if (options.json) {
    const answer = { expression: options.cron, timeZone, outage, policies }
    terminal.write(`${JSON.stringify(answer, instantsAsText)}\n`)
    return
  }
  terminal.write(`${options.cron}: ${trigger.describe()}, ${timeZone}\n`)
  terminal.write(
    `Nothing fires from ${formatWallTime(outage.from, timeZone)} to ${formatWallTime(outage.to, timeZone)}.\n\n`,
  )
  terminal.write(drawAxis(outage, timeZone, terminal))
  for (const policy of policies) terminal.write(`${drawOutage(trigger, outage, policy, terminal)}\n`)
  terminal.write(`${' '.repeat(POLICY_WIDTH)}${terminal.tone(LEGEND, 'dim')}\n`)
  terminal.write(
    `\n${formatTable(
      ['policy', 'missed', 'fired late', 'consolidated', 'skipped', 'dropped', 'next'],
      policies.map((policy) => row(policy, timeZone)),
    )}`,
  )
}

function row(result: SimulatedPolicy, timeZone: string): (string | number)[] {
  const { policy, missed, firedLate, consolidated, skipped, dropped, nextFireAt } = result
  const next = nextFireAt === null ? 'never' : formatWallTime(nextFireAt, timeZone)
  return [policy, missed, firedLate, consolidated, skipped, dropped, next]
}

/** Instants are epoch milliseconds inside and RFC 3339 outside. */
function instantsAsText(key: string, value: unknown): unknown {
  return typeof value === 'number' && /(At|^from|^to)$/.test(key) ? formatInstant(value) : value
}

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

import { InvalidInputError, quote } from '../../errors.ts'
import { formatInstant, instantOf } from '../../time/instant.ts'
import type { MisfirePolicyName } from '../../time/misfire/policy.ts'
import { type SimulatedPolicy, simulate } from '../../time/simulate.ts'
import { cron } from '../../time/triggers/cron.ts'
import { drawOutage, LEGEND } from '../draw-outage.ts'
import { formatTable, formatWallTime, type Terminal } from '../terminal.ts'

export interface SimulateOutageOptions {
  readonly cron: string
  readonly zone?: string
  /** Two RFC 3339 instants with a slash between them. */
  readonly outage: string
  readonly policy?: readonly MisfirePolicyName[]
  readonly threshold?: string
  readonly json: boolean
}

const ALL_POLICIES: readonly MisfirePolicyName[] = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext']

/** `pontual simulate`: what a job would do after an outage, under each policy. */
export function simulateOutage(options: SimulateOutageOptions, terminal: Terminal): void {
  const trigger = cron(options.cron, { timeZone: options.zone })
  const outage = parseOutage(options.outage)
  const [result] = simulate({
    jobs: [{ name: options.cron, trigger, misfire: { threshold: options.threshold } }],
    outage,
    policies: options.policy ?? ALL_POLICIES,
  })
  const policies = result?.policies ?? []
  if (options.json) {
    terminal.write(
      `${JSON.stringify({ expression: options.cron, timeZone: trigger.timeZone, outage, policies }, instantsAsText)}\n`,
    )
    return
  }
  terminal.write(`${options.cron}: ${trigger.describe()}, ${trigger.timeZone}\n`)
  terminal.write(
    `Nothing fires from ${formatWallTime(outage.from, trigger.timeZone)} to ${formatWallTime(outage.to, trigger.timeZone)}.\n\n`,
  )
  for (const policy of policies) terminal.write(`${drawOutage(trigger, outage, policy)}\n`)
  terminal.write(`${' '.repeat(13)}${LEGEND}\n`)
  terminal.write(
    `\n${formatTable(
      ['policy', 'missed', 'fired late', 'consolidated', 'skipped', 'dropped', 'next'],
      policies.map((policy) => row(policy, trigger.timeZone)),
    )}`,
  )
}

function row(result: SimulatedPolicy, timeZone: string): (string | number)[] {
  const { policy, missed, firedLate, consolidated, skipped, dropped, nextFireAt } = result
  const next = nextFireAt === null ? 'never' : formatWallTime(nextFireAt, timeZone)
  return [policy, missed, firedLate, consolidated, skipped, dropped, next]
}

function parseOutage(text: string): { from: number; to: number } {
  const [from, to, ...rest] = text.split('/')
  if (from === undefined || to === undefined || rest.length > 0) {
    throw new InvalidInputError(
      'simulation.invalid',
      `--outage must be two instants with a slash between them, such as "2026-03-02T10:00:00Z/2026-03-02T12:00:00Z", got ${quote(text)}.`,
      { received: text },
    )
  }
  return { from: instantOf(from, '--outage (from)'), to: instantOf(to, '--outage (to)') }
}

/** Instants are epoch milliseconds inside and RFC 3339 outside. */
function instantsAsText(key: string, value: unknown): unknown {
  return typeof value === 'number' && /(At|^from|^to)$/.test(key) ? formatInstant(value) : value
}

import { formatInstant } from '../../time/instant.ts'
import type { MisfirePolicyName } from '../../time/misfire/policy.ts'
import { type SimulatedPolicy, simulate } from '../../time/simulate.ts'
import { cron } from '../../time/triggers/cron.ts'
import { drawAxis, drawOutage, LEGEND, POLICY_WIDTH } from '../print/draw-outage.ts'
import { formatTable } from '../print/table.ts'
import { formatWallTime } from '../print/wall-time.ts'
import { readOutage } from '../read/read-outage.ts'
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

import type { AlertView } from '../../api/wire.ts'
import type { Health } from './health.ts'

export type CheckName = 'server' | 'storage' | 'scheduler' | 'workers' | 'abandoned'
export type Tone = 'good' | 'warn' | 'bad'

/** One thing that has to be well, and the figure it was judged by. */
export interface Check {
  readonly name: CheckName
  readonly tone: Tone
  readonly figure: number | null
}

const STATUS_TONES = { healthy: 'good', degraded: 'warn', unhealthy: 'bad', unreachable: 'bad' } as const

/** What is checked, by name; of a server that does not say what it has checked, itself alone. */
export function checksOf(health: Health): readonly Check[] {
  if (!('stale' in health)) return [{ name: 'server', tone: STATUS_TONES[health.status], figure: null }]
  const { stale, nodes, status, storageLatencyMs } = health
  if (stale === null || nodes === null) return [{ name: 'storage', tone: 'bad', figure: null }]
  return [
    { name: 'storage', tone: 'good', figure: storageLatencyMs },
    // A process for the API alone runs no scheduler and is well as long as others do.
    { name: 'scheduler', tone: status === 'unhealthy' ? 'bad' : 'good', figure: null },
    { name: 'workers', tone: nodes === 0 ? 'bad' : 'good', figure: nodes },
    { name: 'abandoned', tone: stale > 0 ? 'warn' : 'good', figure: stale },
  ]
}

export interface Verdict {
  readonly tone: Tone
  /** The checks that do not pass. */
  readonly failing: readonly Check[]
  readonly alertCount: number
  readonly isSuspended: boolean
}

interface Facts {
  readonly checks: readonly Check[]
  readonly alerts: readonly Pick<AlertView, 'level'>[]
  readonly isSuspended: boolean
}

/** Whether all is well; if not, what is not. */
export function verdictOf({ checks, alerts, isSuspended }: Facts): Verdict {
  const failing = checks.filter(({ tone }) => tone !== 'good')
  const isBad = failing.some(({ tone }) => tone === 'bad') || alerts.some(({ level }) => level === 'error')
  const isWell = failing.length === 0 && alerts.length === 0 && !isSuspended
  return { tone: isBad ? 'bad' : isWell ? 'good' : 'warn', failing, alertCount: alerts.length, isSuspended }
}

import type { LogLevel } from '../../logger.ts'
import type { AlertKind, AlertRule, AlertScope } from '../../store/alerts.ts'

/** What is known of a kind of alert beside its rule. */
export interface AlertKindFacts {
  readonly level: Extract<LogLevel, 'warn' | 'error'>
  /** What it is watched for: each tenant, all of them together, or both. */
  readonly scopes: readonly AlertScope[]
  /** Whether the figure has to be more than the threshold, and not just as much. */
  readonly isExclusive: boolean
  /** What a threshold may be; null where there is none. */
  readonly bounds: { readonly min: number; readonly max: number; readonly isWhole: boolean } | null
  /** What holds where nobody has settled anything else. */
  readonly rule: AlertRule
}

const ONE_GIGABYTE = 1_073_741_824

const USUAL = { isEnabled: true, clearAt: null, holdSeconds: 60, clearSeconds: 300 } as const

export const ALERT_FACTS: Readonly<Record<AlertKind, AlertKindFacts>> = {
  jobFailed: {
    level: 'error',
    scopes: ['tenant'],
    isExclusive: false,
    bounds: null,
    // Opens with the failure and closes with the next success.
    rule: { ...USUAL, threshold: null, holdSeconds: 0, clearSeconds: 0 },
  },
  workersSaturated: {
    level: 'warn',
    scopes: ['tenant', 'global'],
    isExclusive: false,
    bounds: { min: 1, max: 1_000_000, isWhole: true },
    // As many as may run at once.
    rule: { ...USUAL, threshold: null },
  },
  queueCongested: {
    level: 'error',
    scopes: ['tenant', 'global'],
    isExclusive: false,
    bounds: { min: 1, max: 1_000_000, isWhole: true },
    rule: { ...USUAL, threshold: 100 },
  },
  timeoutsFrequent: {
    level: 'warn',
    scopes: ['tenant'],
    isExclusive: true,
    // A share of the attempts of the last hour.
    bounds: { min: 0.001, max: 1, isWhole: false },
    rule: { ...USUAL, threshold: 0.1 },
  },
  schedulerUnavailable: {
    level: 'error',
    scopes: ['global'],
    isExclusive: false,
    // Seconds without a node that lives.
    bounds: { min: 5, max: 86_400, isWhole: true },
    // Who was paged is told soon that a node lives again.
    rule: { ...USUAL, threshold: 30, holdSeconds: 0, clearSeconds: 60 },
  },
  auditFull: {
    level: 'warn',
    scopes: ['global'],
    isExclusive: false,
    // Bytes of this month.
    bounds: { min: 1_000_000, max: 1e15, isWhole: true },
    rule: { ...USUAL, threshold: ONE_GIGABYTE },
  },
}

/** Of a threshold, where it closes again if nobody has said where. */
const CLEAR_PART = 0.8

export function clearAtOf({ clearAt }: AlertRule, threshold: number): number {
  return clearAt ?? threshold * CLEAR_PART
}

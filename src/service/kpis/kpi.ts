import { MINUTE_MS } from '../../duration.ts'
import type { Measures } from '../../store/executions.ts'
import type { MinuteCount } from '../../store/minutes.ts'

/** How well a tenant's jobs do. On the wire: a name is for ever. */
export const KPI_KEYS = [
  'successRate',
  'meanDuration',
  'retryRate',
  'workerUtilization',
  'queueTime',
  'meanTimeToRecover',
  'schedulerAvailability',
  'failureAlertsSent',
] as const

export type KpiKey = (typeof KPI_KEYS)[number]
export type KpiUnit = 'percent' | 'seconds' | 'minutes'

/** Where a value is as it should be; what is absent has no bound. */
export interface KpiTarget {
  readonly min?: number
  readonly max?: number
}

/** What KPIs are computed from, of one tenant and one window of time. */
export interface KpiFigures {
  readonly since: number
  readonly until: number
  readonly measures: Measures
  /** How many executions may run at once; null where nothing limits that. */
  readonly workers: number | null
  /** How long it took from the failure of a job to its next success; null where none did so. */
  readonly meanRecoveryMs: number | null
  readonly minutes: MinuteCount
  readonly notifications: { readonly failures: number; readonly told: number; readonly suppressed: number }
}

export interface Kpi {
  readonly unit: KpiUnit
  readonly target: KpiTarget
  /** null where there is nothing to measure. */
  readonly measure: (figures: KpiFigures) => number | null
}

/** The eight, with their targets. */
export const KPIS: Readonly<Record<KpiKey, Kpi>> = {
  successRate: {
    unit: 'percent',
    target: { min: 95 },
    measure: ({ measures: { succeeded, failed, timedOut } }) => percent(succeeded, succeeded + failed + timedOut),
  },
  meanDuration: {
    unit: 'seconds',
    target: { max: 30 },
    measure: ({ measures }) => inUnits(measures.meanDurationMs, 1_000),
  },
  retryRate: {
    unit: 'percent',
    target: { max: 5 },
    measure: ({ measures: { retried, succeeded, failed, timedOut, cancelled } }) =>
      percent(retried, succeeded + failed + timedOut + cancelled),
  },
  workerUtilization: {
    unit: 'percent',
    target: { min: 40, max: 60 },
    measure: ({ measures, workers, since, until }) =>
      percent(measures.busyMs, (workers ?? 0) * (until - Math.max(since, measures.measuredSince))),
  },
  queueTime: {
    unit: 'minutes',
    target: { max: 5 },
    measure: ({ measures }) => inUnits(measures.meanQueueMs, MINUTE_MS),
  },
  meanTimeToRecover: {
    unit: 'minutes',
    target: { max: 30 },
    measure: ({ meanRecoveryMs }) => inUnits(meanRecoveryMs, MINUTE_MS),
  },
  schedulerAvailability: {
    unit: 'percent',
    target: { min: 99.9 },
    measure: ({ minutes, since }) => percent(minutes.marked, minutesKnown(minutes, since)),
  },
  failureAlertsSent: {
    unit: 'percent',
    target: { min: 100 },
    measure: ({ notifications: { told, failures, suppressed } }) => percent(told, failures - suppressed),
  },
}

/** Whether a value is as it should be; null where there is none. */
export function isMet(value: number | null, { min = -Infinity, max = Infinity }: KpiTarget): boolean | null {
  return value === null ? null : value >= min && value <= max
}

/** The first whole minute at or after an instant. */
export function nextMinute(instant: number): number {
  return Math.ceil(instant / MINUTE_MS) * MINUTE_MS
}

/** How many minutes are over since an instant, or since the first that is known of: nobody could have lived before. */
function minutesKnown({ now, firstAt }: MinuteCount, since: number): number {
  if (firstAt === null) return 0
  return Math.floor(now / MINUTE_MS) - Math.max(firstAt, nextMinute(since)) / MINUTE_MS
}

/** Of nothing there is no share. */
function percent(part: number, whole: number): number | null {
  return whole <= 0 ? null : Math.min(1, part / whole) * 100
}

function inUnits(milliseconds: number | null, unitMs: number): number | null {
  return milliseconds === null ? null : milliseconds / unitMs
}

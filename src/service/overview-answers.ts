import type { Permission } from '../access/permission.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { AlertKind, AlertOutcome, AlertRule, AlertScope } from '../store/alerts.ts'
import type { Page } from './answers.ts'
import type { KpiKey, KpiTarget, KpiUnit } from './kpis/kpi.ts'

/** What is measured, against what it should be. */
export interface KpiView {
  readonly key: KpiKey
  /** In the language of the answer, as `formula`. */
  readonly name: string
  /** null where there is nothing to measure. */
  readonly value: number | null
  readonly unit: KpiUnit
  readonly target: KpiTarget
  readonly isMet: boolean | null
  readonly formula: string
  readonly windowHours: number
}

/** How late occurrences started that ended within the window, also those that were missed and made up for. */
export interface PunctualityView {
  readonly windowHours: number
  readonly executions: number
  /** The share that started within a second, from 0 to 1; null where nothing started. */
  readonly onTimeRate: number | null
  readonly p50Ms: number | null
  readonly p95Ms: number | null
  readonly p99Ms: number | null
  readonly maxMs: number | null
}

export interface KpisView {
  readonly items: readonly KpiView[]
  readonly punctuality: PunctualityView
}

/** As it is now; rates and means are those of the last 24 hours. */
export interface MetricsView {
  readonly executionsRunning: number
  readonly workersUsed: number
  readonly executionsQueued: number
  /** From 0 to 1. */
  readonly successRate: number | null
  readonly meanDurationMs: number | null
  /** How many failed since the last success. */
  readonly consecutiveFailures: number
}

/** Something that was wrong, from when it was noticed until it was over. */
export interface AlertView {
  readonly id: string
  readonly kind: AlertKind
  /** `global`: about all tenants together. */
  readonly scope: AlertScope
  readonly level: 'warn' | 'error'
  /** In the language of the answer, as `description` and `action`. */
  readonly name: string
  readonly description: string
  /** What to do about it. */
  readonly action: string
  readonly isOpen: boolean
  readonly jobId: string | null
  /** null where the job is gone. */
  readonly jobName: string | null
  readonly executionId: string | null
  /** What was measured when it opened, and what it was held against; null for `jobFailed`. */
  readonly value: number | null
  readonly threshold: number | null
  /** Since when the condition held. */
  readonly since: string
  readonly openedAt: string
  readonly closedAt: string | null
  readonly outcome: AlertOutcome | null
}

/** When an alert opens and closes. */
export interface AlertRuleView extends AlertRule {
  readonly kind: AlertKind
  readonly scope: AlertScope
  readonly level: 'warn' | 'error'
  readonly name: string
}

export interface AlertsPage extends Page<AlertView> {
  /** By which they open. */
  readonly rules: readonly AlertRuleView[]
}

export interface DashboardView {
  readonly running: number
  readonly queued: number
  readonly waiting: number
  readonly workers: { readonly used: number; readonly maximum: number | null }
  /** How long the oldest of those has waited that could begin now; null where none waits. */
  readonly queue: { readonly oldestWaitMs: number | null }
  readonly jobs: Readonly<Partial<Record<JobStatus, number>>>
  readonly last24Hours: {
    readonly successRate: number | null
    readonly succeeded: number
    readonly failed: number
    readonly timedOut: number
    readonly cancelled: number
    readonly meanDurationMs: number | null
    readonly meanQueueMs: number | null
    readonly retryRate: number | null
  }
  readonly nodes: { readonly alive: number; readonly slots: number }
  /** Those that are open, the newest first, at most 50. */
  readonly alerts: readonly AlertView[]
  readonly metrics: MetricsView
  readonly kpis: readonly KpiView[]
  readonly punctuality: PunctualityView
}

export interface WorkersView {
  readonly nodes: readonly {
    readonly id: string
    readonly name: string
    readonly slots: number
    /** How many connections to the server its process opens at most; null if there is no server, or a pooler in front of it. */
    readonly connections: number | null
    /** Over all tenants. */
    readonly running: number
    readonly queues: readonly string[]
    readonly isAlive: boolean
    readonly startedAt: string
    readonly renewedAt: string
  }[]
  readonly running: number
  readonly queued: number
  readonly queues: readonly { readonly queue: string; readonly queued: number }[]
  /** How many of this tenant may run at once. */
  readonly cap: number | null
}

export interface ManifestView {
  readonly rfId: string
  readonly nome: string
  readonly categoria: string
  readonly descricao: string
  readonly icone: string
  readonly rota: string
  readonly permissaoRequerida: Permission
  readonly habilitadoPorPadrao: boolean
  readonly isSystemFeature: boolean
  readonly dependencias: readonly string[]
  readonly tags: readonly string[]
  readonly metricas: { readonly jobsAtivos: number; readonly taxaSucesso: number; readonly workersUtilizados: number }
  readonly menu: {
    readonly modulo: string
    readonly submenu: string
    readonly item: string
    readonly ordem: number
    readonly visivelSe: Permission
  }
}

import type { AuditEntry, AuditOperation } from '../access/audit.ts'
import type { Permission } from '../access/permission.ts'
import type { Profile } from '../access/profile.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { LogLevel } from '../logger.ts'
import type { CalendarJson } from '../time/calendars/json.ts'
import type { ExecutionView } from './execution-view.ts'
import type { JobStatisticsView } from './job-view.ts'

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** What one job's page shows beside the job. */
export interface JobMore {
  readonly statistics: JobStatisticsView
  /** The last ten. */
  readonly lastExecutions: readonly ExecutionView[]
}

export interface ExecuteAnswer {
  readonly executionId: string
  /** False where the idempotency key had been used before. */
  readonly isNew: boolean
  /** `maxWorkersExceeded`: the tenant runs as many as it may, so that this one waits in the queue. */
  readonly notice: 'maxWorkersExceeded' | null
}

export interface CancelAnswer {
  readonly cancelled: readonly string[]
  /** Durable ones, which clean up first. */
  readonly cancelling: readonly string[]
}

export interface LogsAnswer {
  readonly executionId: string | null
  readonly items: readonly LogLineView[]
  /** The `after` of the next page; null where there is no more for now. */
  readonly nextCursor: string | null
}

export interface LogLineView {
  readonly sequence: number
  readonly attempt: number
  readonly at: string
  readonly level: LogLevel
  readonly message: string
  readonly fields: unknown
}

export interface CronAnswer {
  readonly valid: boolean
  readonly error?: string | undefined
  readonly description: string | null
  readonly upcoming: readonly string[]
}

export interface AuditEntryView extends Omit<AuditEntry, 'tenant' | 'at' | 'oldValues' | 'newValues'> {
  readonly operationType: string
  readonly clienteId: string
  readonly timestamp: string
  readonly oldValues: unknown
  readonly newValues: unknown
}

/** Whether a chain holds; where it does not, the first entry that is wrong and why. */
export type AuditVerdict =
  | { readonly isIntact: true; readonly entries: number; readonly hash: string }
  | { readonly isIntact: false; readonly entries: number; readonly sequence: number; readonly reason: string }

export interface TenantEvent {
  readonly sequence: number
  readonly operation: AuditOperation
  readonly jobId: string | null
  readonly executionId: string | null
  readonly timestamp: string
}

export interface ApiKeyView {
  readonly id: string
  readonly name: string
  readonly profile: Profile
  readonly permissions: readonly Permission[]
  readonly ownerId: string
  readonly createdAt: string
  readonly expiresAt: string | null
  readonly revokedAt: string | null
  readonly lastUsedAt: string | null
}

export interface CalendarView {
  readonly name: string
  readonly definition: CalendarJson
}

export interface DashboardView {
  readonly running: number
  readonly queued: number
  readonly waiting: number
  readonly workers: { readonly used: number; readonly maximum: number | null }
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
}

export interface WorkersView {
  readonly nodes: readonly {
    readonly id: string
    readonly name: string
    readonly slots: number
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

export interface SimulationView {
  readonly jobs: readonly {
    readonly jobId: string
    readonly name: string
    readonly missed: number
    readonly policies: Readonly<
      Record<
        string,
        { readonly executions: number; readonly scheduledAt: readonly string[]; readonly nextExecution: string | null }
      >
    >
  }[]
}

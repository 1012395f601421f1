import type { AuditEntry, AuditOperation } from '../access/audit.ts'
import type { Permission } from '../access/permission.ts'
import type { Principal } from '../access/principal.ts'
import type { Profile } from '../access/profile.ts'
import type { HistoryEntryView } from '../engine/durable/history-view.ts'
import type { ExecutionStatus } from '../job/execution.ts'
import type { JobStatus } from '../job/job-status.ts'
import type { Priority } from '../job/priority.ts'
import type { LogLevel } from '../logger.ts'
import type { JobSort } from '../store/jobs.ts'
import type { LogLine } from '../store/logs.ts'
import type { TenantSettings } from '../store/settings.ts'
import type { CalendarJson } from '../time/calendars/json.ts'
import type { ExecutionDetailView, ExecutionView } from './execution-view.ts'
import type { JobFieldsUpdate, JobStatisticsView, JobView, NewJobFields } from './job-view.ts'

/**
 * RF-112 without HTTP. Whoever asks comes first, in every call: what he may not do throws a ForbiddenError, what is another tenant's as well, and what does not exist at all a
 * NotFoundError. Every command is one transaction, its audit entry included.
 */
export interface ServiceApi {
  readonly jobs: JobsApi
  readonly executions: ExecutionsApi
  readonly audit: AuditApi
  readonly administration: AdministrationApi
  readonly overview: OverviewApi
}

export interface JobsApi {
  list(principal: Principal, query: JobListQuery): Promise<Page<JobView>>
  get(principal: Principal, id: string): Promise<JobView & JobMore>
  create(principal: Principal, fields: NewJobFields, options?: MakeOptions): Promise<JobView>
  update(principal: Principal, id: string, fields: JobFieldsUpdate, options?: ChangeOptions): Promise<JobView>
  remove(principal: Principal, id: string, options?: ChangeOptions): Promise<void>
  pause(principal: Principal, id: string, options: PauseOptions): Promise<JobView>
  resume(principal: Principal, id: string): Promise<JobView>
  approve(principal: Principal, id: string, options: ApproveOptions): Promise<JobView>
  reject(principal: Principal, id: string, options: RejectOptions): Promise<JobView>
  /** Takes away what an operator has put in the place of what the code declares. */
  reset(principal: Principal, id: string): Promise<JobView>
  execute(principal: Principal, id: string, options: ExecuteOptions): Promise<ExecuteAnswer>
  enqueue(principal: Principal, request: EnqueueRequest): Promise<ExecuteAnswer>
  /** One execution, or all of the job that have not ended. */
  cancel(principal: Principal, id: string, options: CancelOptions): Promise<CancelAnswer>
  /** Default: the last that failed or timed out. */
  retry(principal: Principal, id: string, executionId: string | null, options?: MakeOptions): Promise<ExecuteAnswer>
  history(principal: Principal, id: string, query: HistoryQuery): Promise<Page<ExecutionView>>
  /** Default: of the last execution. */
  logs(principal: Principal, id: string, query: LogsQuery): Promise<LogsAnswer>
  nextExecution(principal: Principal, id: string): Promise<{ nextExecution: string | null; upcoming: string[] }>
  /** `id` may be `new`. */
  validateCron(principal: Principal, id: string, request: CronQuestion): Promise<CronAnswer>
}

export interface ExecutionsApi {
  list(principal: Principal, query: ExecutionListQuery): Promise<Page<ExecutionView>>
  get(principal: Principal, id: string): Promise<ExecutionDetailView>
  activities(principal: Principal, id: string): Promise<HistoryEntryView[]>
  cancel(principal: Principal, id: string, reason: string | null): Promise<CancelAnswer>
  signal(
    principal: Principal,
    id: string,
    signal: { name: string; payload?: unknown; key?: string | undefined },
  ): Promise<void>
  restart(principal: Principal, id: string, from: { sequence: number }): Promise<ExecuteAnswer>
  /** Checks once who asks, then gives lines as they come, until the execution has ended or the signal is aborted. Needs jobs:viewLogs. */
  followLogs(
    principal: Principal,
    id: string,
    options: { after?: number | undefined; signal: AbortSignal },
  ): Promise<AsyncIterable<LogLine>>
}

export interface AuditApi {
  /** The profile Admin. */
  list(principal: Principal, query: AuditQuery): Promise<Page<AuditEntryView>>
  verify(principal: Principal): Promise<AuditVerdict>
  /** What has happened after an entry of the tenant's chain, for the stream of events: without values. Needs jobs:read. */
  eventsAfter(principal: Principal, sequence: number, limit: number): Promise<TenantEvent[]>
  /** Where the tenant's chain ends now. */
  lastSequence(principal: Principal): Promise<number>
}

export interface AdministrationApi {
  settings(principal: Principal): Promise<TenantSettings & { version: number }>
  updateSettings(
    principal: Principal,
    change: Partial<TenantSettings>,
    expectedVersion: number | null,
  ): Promise<TenantSettings & { version: number }>
  apiKeys(principal: Principal): Promise<ApiKeyView[]>
  /** The secret is shown this once. */
  createApiKey(principal: Principal, key: NewApiKeyFields): Promise<ApiKeyView & { secret: string }>
  revokeApiKey(principal: Principal, id: string): Promise<void>
  calendars(principal: Principal): Promise<CalendarView[]>
  putCalendar(principal: Principal, name: string, definition: unknown): Promise<CalendarView>
  removeCalendar(principal: Principal, name: string): Promise<void>
}

export interface OverviewApi {
  dashboard(principal: Principal): Promise<DashboardView>
  workers(principal: Principal): Promise<WorkersView>
  manifest(principal: Principal): Promise<ManifestView>
  /** What every job of the tenant would do after an outage, under each misfire policy. */
  simulate(
    principal: Principal,
    outage: { from: string; to: string; jobId?: string | undefined },
  ): Promise<SimulationView>
}

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

export interface JobListQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly q?: string | undefined
  readonly status?: readonly JobStatus[] | undefined
  readonly jobType?: readonly string[] | undefined
  readonly priority?: readonly Priority[] | undefined
  readonly tag?: string | undefined
  readonly sort: JobSort
  readonly isDescending: boolean
}

/** What one job's page shows beside the job. */
export interface JobMore {
  readonly statistics: JobStatisticsView
  /** The last ten. */
  readonly lastExecutions: readonly ExecutionView[]
}

export interface MakeOptions {
  /** The id of what is made: where it exists already, it was made by this very request before. */
  readonly id?: string | undefined
}

export interface ChangeOptions {
  /** The version the asker saw; another one is a StaleVersionError. */
  readonly expectedVersion?: number | undefined
}

export interface PauseOptions {
  readonly reason: string | null
  /** When it resumes by itself. */
  readonly until: string | null
}

export interface ApproveOptions extends ChangeOptions {
  readonly comment: string | null
}

export interface RejectOptions extends ChangeOptions {
  readonly reason: string
}

export interface ExecuteOptions extends MakeOptions {
  readonly payload?: unknown
  readonly priority?: Priority | undefined
}

export interface EnqueueRequest extends ExecuteOptions {
  readonly jobId?: string | undefined
  readonly jobName?: string | undefined
  readonly runAt?: string | undefined
  readonly delayMs?: number | undefined
  readonly idempotencyKey?: string | undefined
}

export interface ExecuteAnswer {
  readonly executionId: string
  /** False where the idempotency key had been used before. */
  readonly isNew: boolean
  /** `maxWorkersExceeded`: the tenant runs as many as it may, so that this one waits in the queue. */
  readonly notice: 'maxWorkersExceeded' | null
}

export interface CancelOptions {
  readonly executionId: string | null
  readonly reason: string | null
}

export interface CancelAnswer {
  readonly cancelled: readonly string[]
  /** Durable ones, which clean up first. */
  readonly cancelling: readonly string[]
}

export interface HistoryQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly status?: readonly ExecutionStatus[] | undefined
  /** Also what is older than 90 days. */
  readonly archived: boolean
}

export interface ExecutionListQuery extends HistoryQuery {
  readonly jobId?: string | undefined
  readonly jobType?: string | undefined
}

export interface LogsQuery {
  readonly executionId?: string | undefined
  readonly level?: LogLevel | undefined
  readonly after?: number | undefined
  readonly limit: number
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

export interface CronQuestion {
  readonly cronExpression: string
  readonly timeZone?: string | undefined
  readonly language?: 'en' | 'pt-BR' | undefined
}

export interface CronAnswer {
  readonly valid: boolean
  readonly error?: string | undefined
  readonly description: string | null
  readonly upcoming: readonly string[]
}

export interface AuditQuery {
  readonly limit: number
  readonly cursor?: string | undefined
  readonly operation?: readonly AuditOperation[] | undefined
  readonly userId?: string | undefined
  readonly jobId?: string | undefined
  readonly executionId?: string | undefined
  readonly from?: string | undefined
  readonly to?: string | undefined
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

export interface NewApiKeyFields {
  readonly name: string
  readonly profile: Profile
  /** Default: those of the profile. */
  readonly permissions?: readonly Permission[] | undefined
  readonly expiresAt?: string | null | undefined
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

import type { Principal } from '../access/principal.ts'
import type { HistoryEntryView } from '../engine/durable/history-view.ts'
import type { LogLine } from '../store/logs.ts'
import type { TenantSettings } from '../store/settings.ts'
import type {
  ApiKeyView,
  AuditEntryView,
  AuditVerdict,
  CalendarView,
  CancelAnswer,
  CronAnswer,
  DashboardView,
  ExecuteAnswer,
  JobMore,
  LogsAnswer,
  ManifestView,
  Page,
  SimulationView,
  TenantEvent,
  WorkersView,
} from './answers.ts'
import type { ExecutionDetailView, ExecutionView } from './execution-view.ts'
import type { JobFieldsUpdate, JobView, NewJobFields } from './job-view.ts'
import type {
  ApproveOptions,
  AuditQuery,
  CancelOptions,
  ChangeOptions,
  CronQuestion,
  EnqueueRequest,
  ExecuteOptions,
  ExecutionListQuery,
  HistoryQuery,
  JobListQuery,
  LogsQuery,
  MakeOptions,
  NewApiKeyFields,
  PauseOptions,
  RejectOptions,
} from './requests.ts'

export type {
  ApiKeyView,
  AuditEntryView,
  AuditVerdict,
  CalendarView,
  CancelAnswer,
  DashboardView,
  ExecuteAnswer,
  JobMore,
  LogLineView,
  LogsAnswer,
  ManifestView,
  Page,
  SimulationView,
  TenantEvent,
  WorkersView,
} from './answers.ts'
export type { NewApiKeyFields } from './requests.ts'

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
  restart(principal: Principal, id: string, from: { sequence: number }, options?: MakeOptions): Promise<ExecuteAnswer>
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

import type { Principal } from '../access/principal.ts'
import type { HistoryEntryView } from '../engine/durable/history-view.ts'
import type { AlertKind } from '../store/alerts.ts'
import type { WhereToLook } from '../store/archive.ts'
import type { ChainRecord } from '../store/executions.ts'
import type { LogLine } from '../store/logs.ts'
import type { Locale } from '../time/locale.ts'
import type { SettingsUpdate } from './administration/settings.ts'
import type { SettingsView } from './administration/store-settings.ts'
import type { AgendaView, CalendarPreviewView, UpcomingView } from './agenda/agenda-view.ts'
import type {
  ApiKeyView,
  AuditEntryView,
  AuditVerdict,
  BulkAnswer,
  CalendarView,
  CancelAnswer,
  CronAnswer,
  ExecuteAnswer,
  FlagView,
  JobMore,
  LogsAnswer,
  OccurrenceView,
  Page,
  TenantEvent,
} from './answers.ts'
import type { ExecutionDetailView, ExecutionView } from './execution-view.ts'
import type { ApprovalView, JobTypeView, NextExecutionView } from './job-knowledge.ts'
import type { JobFieldsUpdate, JobListItem, JobView, NewJobFields, RevealedPayload } from './job-view.ts'
import type { CountersView, FailuresView, SeriesView } from './kpis/figure-views.ts'
import type { NotificationView, TestNotificationAnswer } from './notifications/notification-view.ts'
import type { SimulationView } from './overview/simulation-view.ts'
import type {
  AlertRuleView,
  AlertsPage,
  DashboardView,
  KpisView,
  ManifestView,
  WorkersView,
} from './overview-answers.ts'
import type {
  AgendaQuery,
  AlertQuery,
  AlertRuleUpdate,
  ApproveOptions,
  AuditQuery,
  BulkRequest,
  CalendarPreviewRequest,
  CancelOptions,
  ChangeOptions,
  CronQuestion,
  EnqueueRequest,
  ExecuteOptions,
  ExecutionDetailQuery,
  ExecutionListQuery,
  ExecutionLogsQuery,
  FailuresQuery,
  HistoryQuery,
  JobListQuery,
  KpiQuery,
  LanguageQuery,
  LogFilterQuery,
  LogsQuery,
  MakeOptions,
  NewApiKeyFields,
  NotificationQuery,
  OccurrenceQuery,
  OutageQuestion,
  PauseOptions,
  RejectOptions,
} from './requests.ts'

export type { AgendaView, CalendarPreviewView, UpcomingView } from './agenda/agenda-view.ts'
export type {
  ApiKeyView,
  AuditEntryView,
  AuditVerdict,
  CalendarView,
  CancelAnswer,
  ExecuteAnswer,
  FlagView,
  JobMore,
  LogLineView,
  LogsAnswer,
  Page,
  TenantEvent,
} from './answers.ts'
export type { CountersView, FailuresView, SeriesView } from './kpis/figure-views.ts'
export type { NotificationView, TestNotificationAnswer } from './notifications/notification-view.ts'
export type { SimulationView } from './overview/simulation-view.ts'
export type {
  AlertRuleView,
  AlertsPage,
  AlertView,
  DashboardView,
  KpisView,
  KpiView,
  ManifestView,
  MetricsView,
  PunctualityView,
  WorkersView,
} from './overview-answers.ts'
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
  list(principal: Principal, query: JobListQuery): Promise<Page<JobListItem>>
  get(principal: Principal, id: string): Promise<JobView & JobMore>
  create(principal: Principal, fields: NewJobFields, options?: MakeOptions): Promise<JobView>
  update(principal: Principal, id: string, fields: JobFieldsUpdate, options?: ChangeOptions): Promise<JobView>
  remove(principal: Principal, id: string, options?: ChangeOptions): Promise<void>
  pause(principal: Principal, id: string, options: PauseOptions): Promise<JobView>
  resume(principal: Principal, id: string): Promise<JobView>
  approve(principal: Principal, id: string, options: ApproveOptions): Promise<JobView>
  reject(principal: Principal, id: string, options: RejectOptions): Promise<JobView>
  /** The same of many: each is a command of its own. */
  bulk(principal: Principal, request: BulkRequest): Promise<BulkAnswer>
  /** Takes away what an operator has put in the place of what the code declares. */
  reset(principal: Principal, id: string): Promise<JobView>
  /** The payload with what is hidden elsewhere; the profile Admin, and an audit entry. */
  reveal(principal: Principal, id: string): Promise<RevealedPayload>
  execute(principal: Principal, id: string, options: ExecuteOptions): Promise<ExecuteAnswer>
  enqueue(principal: Principal, request: EnqueueRequest): Promise<ExecuteAnswer>
  /** One execution, or all of the job that have not ended. */
  cancel(principal: Principal, id: string, options: CancelOptions): Promise<CancelAnswer>
  /** Default: the last that failed or timed out. */
  retry(principal: Principal, id: string, executionId: string | null, options?: MakeOptions): Promise<ExecuteAnswer>
  history(principal: Principal, id: string, query: HistoryQuery): Promise<Page<ExecutionView>>
  /** What was decided about its occurrences, in order. */
  occurrences(principal: Principal, id: string, query: OccurrenceQuery): Promise<Page<OccurrenceView>>
  /** Default: of the last execution. */
  logs(principal: Principal, id: string, query: LogsQuery): Promise<LogsAnswer>
  /** Default: in the language of the tenant. */
  nextExecution(principal: Principal, id: string, query?: LanguageQuery): Promise<NextExecutionView>
  /** What it is now against what was approved last. */
  approval(principal: Principal, id: string): Promise<ApprovalView>
  /** What jobs may be of. */
  types(principal: Principal): Promise<{ items: JobTypeView[] }>
  /** `id` may be `new`. */
  validateCron(principal: Principal, id: string, request: CronQuestion): Promise<CronAnswer>
}

export interface ExecutionsApi {
  list(principal: Principal, query: ExecutionListQuery): Promise<Page<ExecutionView>>
  /** Neither finds what is in the archive, unless that is asked for. */
  get(principal: Principal, id: string, query?: ExecutionDetailQuery): Promise<ExecutionDetailView>
  activities(principal: Principal, id: string, where?: WhereToLook): Promise<HistoryEntryView[]>
  /** The executions that it runs after and those that run after it, and the links between them. */
  chain(principal: Principal, id: string, where?: WhereToLook): Promise<ChainRecord>
  cancel(principal: Principal, id: string, reason: string | null): Promise<CancelAnswer>
  /** Overwrites what one that has ended took, gave and said; the profile Admin, and an audit entry. */
  erase(principal: Principal, id: string): Promise<void>
  signal(
    principal: Principal,
    id: string,
    signal: { name: string; payload?: unknown; key?: string | undefined },
  ): Promise<void>
  restart(principal: Principal, id: string, from: { sequence: number }, options?: MakeOptions): Promise<ExecuteAnswer>
  logs(principal: Principal, id: string, query: ExecutionLogsQuery): Promise<LogsAnswer>
  /** Checks once who asks, then gives the whole log as text, a piece at a time. */
  logText(principal: Principal, id: string, query: LogFilterQuery): Promise<AsyncIterable<string>>
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
  /** In which language people of the tenant are told things; for whoever is one of them. */
  language(principal: Principal): Promise<Locale>
  /** Whether the dashboard is switched on for the tenant; for whoever is one of it. */
  hasDashboard(principal: Principal): Promise<boolean>
  settings(principal: Principal): Promise<SettingsView>
  /** The secret of a webhook that was made for it is shown this once. */
  updateSettings(principal: Principal, change: SettingsUpdate, expectedVersion: number | null): Promise<SettingsView>
  /** Approves a pending loosening of the approval rules, as a second Admin. */
  approveSettings(principal: Principal, options: ApproveOptions): Promise<SettingsView>
  rejectSettings(principal: Principal, options: RejectOptions): Promise<SettingsView>
  apiKeys(principal: Principal): Promise<ApiKeyView[]>
  /** The secret is shown this once. */
  createApiKey(principal: Principal, key: NewApiKeyFields): Promise<ApiKeyView & { secret: string }>
  /** Jobs that the key has scheduled are paused, unless they are kept. */
  revokeApiKey(principal: Principal, id: string, options?: { keepsJobs?: boolean | undefined }): Promise<void>
  flags(principal: Principal, language: Locale): Promise<FlagView[]>
  /** null: as it is for all tenants. */
  switchFlag(principal: Principal, flag: string, isEnabled: boolean | null, language: Locale): Promise<FlagView>
  calendars(principal: Principal): Promise<CalendarView[]>
  putCalendar(principal: Principal, name: string, definition: unknown): Promise<CalendarView>
  removeCalendar(principal: Principal, name: string): Promise<void>
  /** Which fires would change if a calendar were another. */
  previewCalendar(principal: Principal, name: string, request: CalendarPreviewRequest): Promise<CalendarPreviewView>
  /** What people were told, what waits to be told, and what went wrong with it. */
  notifications(principal: Principal, query: NotificationQuery): Promise<Page<NotificationView>>
  /** To all addresses and webhooks of the tenant. */
  sendTestNotification(principal: Principal, options?: MakeOptions): Promise<TestNotificationAnswer>
  /** Changes when an alert opens and closes. */
  updateAlertRule(
    principal: Principal,
    kind: AlertKind,
    change: AlertRuleUpdate,
    language?: Locale,
  ): Promise<AlertRuleView>
}

export interface OverviewApi {
  dashboard(principal: Principal, query?: LanguageQuery): Promise<DashboardView>
  kpis(principal: Principal, query?: KpiQuery): Promise<KpisView>
  /** Open ones first, and then the newest first. */
  alerts(principal: Principal, query: AlertQuery): Promise<AlertsPage>
  workers(principal: Principal): Promise<WorkersView>
  manifest(principal: Principal): Promise<ManifestView>
  /** What every job of the tenant would do after an outage, under each misfire policy. */
  simulate(principal: Principal, outage: OutageQuestion): Promise<SimulationView>
  /** What happens now. */
  counters(principal: Principal): Promise<CountersView>
  /** The last hours, 1 to 2,160, over time. Default: 24. */
  series(principal: Principal, query?: { hours?: number | undefined }): Promise<SeriesView>
  /** What went wrong, by kinds of errors. */
  failures(principal: Principal, query?: FailuresQuery): Promise<FailuresView>
  /** When jobs fire within a stretch of time. */
  agenda(principal: Principal, query?: AgendaQuery): Promise<AgendaView>
  /** The next fires over all jobs. Default: ten. */
  upcoming(principal: Principal, query?: { limit?: number | undefined }): Promise<UpcomingView>
}

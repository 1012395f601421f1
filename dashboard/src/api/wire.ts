/** What the API answers with, as the server declares it. */
export type { Permission } from '../../../src/access/permission.ts'
export type { Profile } from '../../../src/access/profile.ts'
export type { HistoryEntryView } from '../../../src/engine/durable/history-view.ts'
export type { CalledAs, Divergence } from '../../../src/job/activity/divergence.ts'
export type { AttemptStatus, ExecutionStatus } from '../../../src/job/execution/execution.ts'
export type { JobStatus } from '../../../src/job/job-status.ts'
export type { Priority } from '../../../src/job/rules/priority.ts'
export type {
  AgendaItemView,
  AgendaView,
  CalendarPreviewView,
  UpcomingView,
} from '../../../src/service/agenda/agenda-view.ts'
export type {
  ApiKeyView,
  AuditEntryView,
  AuditVerdict,
  CalendarView,
  CancelAnswer,
  CronAnswer,
  ExecuteAnswer,
  FlagView,
  JobMore,
  LogLineView,
  LogsAnswer,
  Page,
  TenantEvent,
} from '../../../src/service/answers.ts'
export type { ExecutionDetailView, ExecutionView } from '../../../src/service/execution-view.ts'
export type {
  ApprovalChange,
  ApprovalView,
  JobTypeView,
  NextExecutionView,
} from '../../../src/service/job-knowledge.ts'
export type { JobListItem, JobStatisticsView, JobView } from '../../../src/service/job-view.ts'
export type {
  CountersView,
  FailureGroupView,
  FailuresView,
  SeriesBucketView,
  SeriesView,
} from '../../../src/service/kpis/figure-views.ts'
export type { NotificationView } from '../../../src/service/notifications/notification-view.ts'
export type { ServiceHealth } from '../../../src/service/overview/health.ts'
export type { SimulationView } from '../../../src/service/overview/simulation-view.ts'
export type {
  AlertRuleView,
  AlertsPage,
  AlertView,
  DashboardView,
  KpisView,
  KpiView,
  PunctualityView,
  WorkersView,
} from '../../../src/service/overview-answers.ts'
export type { MisfireInfo } from '../../../src/time/misfire/resolve.ts'

import { expectTypeOf, it } from 'vitest'
import type { z } from 'zod'
import type { SettingsView } from '../../service/administration/store-settings.ts'
import type {
  ApiKeyView,
  AuditEntryView,
  AuditVerdict,
  CalendarView,
  CancelAnswer,
  ExecuteAnswer,
  FlagView,
  JobMore,
  LogsAnswer,
  TenantEvent,
} from '../../service/answers.ts'
import type { ExecutionDetailView } from '../../service/execution-view.ts'
import type { ApprovalView, JobTypeView, NextExecutionView } from '../../service/job-knowledge.ts'
import type { JobView } from '../../service/job-view.ts'
import type { SimulationView } from '../../service/overview/simulation-view.ts'
import type { DashboardView, KpisView, ManifestView, WorkersView } from '../../service/overview-answers.ts'
import type { flagView } from '../routes/flags.ts'
import type { apiKeyView, calendarView, settingsView } from './administration.ts'
import type { auditEntryView, auditVerdict, tenantEvent } from './audit.ts'
import type { cancelAnswer, executeAnswer, executionDetailView, logsAnswer } from './execution.ts'
import type { jobDetailView } from './job.ts'
import type { approvalView, jobTypeView, nextExecutionView } from './job-knowledge.ts'
import type { kpisView } from './kpis.ts'
import type { dashboardView, manifestView, simulationView, workersView } from './overview.ts'

type Writable<Value> = Value extends object ? { -readonly [Key in keyof Value]: Writable<Value[Key]> } : Value

/** Whether everything that a view may be fits what is described; that the described fits the view stands beside each schema. */
type Fits<View, Schema extends z.ZodType> = Writable<View> extends z.output<Schema> ? true : false

it('every view fits its description', () => {
  expectTypeOf<Fits<JobView & JobMore, typeof jobDetailView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<ExecutionDetailView, typeof executionDetailView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<ExecuteAnswer, typeof executeAnswer>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<CancelAnswer, typeof cancelAnswer>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<LogsAnswer, typeof logsAnswer>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<AuditEntryView, typeof auditEntryView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<AuditVerdict, typeof auditVerdict>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<TenantEvent, typeof tenantEvent>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<SettingsView, typeof settingsView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<ApiKeyView, typeof apiKeyView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<CalendarView, typeof calendarView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<FlagView, typeof flagView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<DashboardView, typeof dashboardView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<KpisView, typeof kpisView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<WorkersView, typeof workersView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<ManifestView, typeof manifestView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<SimulationView, typeof simulationView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<NextExecutionView, typeof nextExecutionView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<ApprovalView, typeof approvalView>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<JobTypeView, typeof jobTypeView>>().toEqualTypeOf<true>()
})

import type { Principal } from '../access/principal.ts'
import type { Pontual } from '../pontual.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './administration/api-keys.ts'
import { approveSettings, rejectSettings } from './administration/approval-rules.ts'
import { listCalendars, putCalendar, removeCalendar } from './administration/calendars.ts'
import { hasDashboard, listFlags, requireDashboard, switchFlag } from './administration/flags.ts'
import { changeSettings, getSettings, tenantLanguage } from './administration/settings.ts'
import { previewCalendar } from './agenda/preview-calendar.ts'
import { readAgenda } from './agenda/read-agenda.ts'
import { readUpcoming } from './agenda/read-upcoming.ts'
import { changeAlertRule } from './alerts/alert-rules.ts'
import { listAlerts } from './alerts/list-alerts.ts'
import type { AdministrationApi, AuditApi, ExecutionsApi, JobsApi, OverviewApi, ServiceApi } from './api.ts'
import { eventsAfter, lastSequence, listAudit, verifyOwnAudit } from './audit/audit-log.ts'
import { cancelExecution, cancelOfJob } from './executions/cancel-executions.ts'
import { eraseExecution } from './executions/erase-execution.ts'
import { jobHistory, listExecutions } from './executions/list-executions.ts'
import { getExecution, listActivities, readChain } from './executions/read-execution.ts'
import { executionLogs, executionLogText, followLogs, jobLogs } from './executions/read-logs.ts'
import { restartExecution, retryOfJob, signalExecution } from './executions/repeat-execution.ts'
import { bulkJobs } from './jobs/commands/bulk-jobs.ts'
import { approveJob, pauseJob, rejectJob, resumeJob } from './jobs/commands/change-job.ts'
import { createNewJob } from './jobs/commands/create-job.ts'
import { enqueueJob, executeJob } from './jobs/commands/run-job.ts'
import { deleteJob, resetToCode, updateJob } from './jobs/commands/update-job.ts'
import { nextExecutions, validateCron } from './jobs/questions/fire-times.ts'
import { listOccurrences } from './jobs/questions/list-occurrences.ts'
import { listJobTypes } from './jobs/questions/list-types.ts'
import { readApproval } from './jobs/questions/read-approval.ts'
import { getJob, listJobs, revealPayload } from './jobs/questions/read-jobs.ts'
import { readFailures } from './kpis/failures.ts'
import { readKpis } from './kpis/read-kpis.ts'
import { readSeries } from './kpis/series.ts'
import { listNotifications, sendTestNotification } from './notifications/list-notifications.ts'
import type { Operations } from './operations.ts'
import { type ServiceOptions, serviceRules } from './options.ts'
import { readCounters, readDashboard, readManifest, readWorkers } from './overview/overview.ts'
import { simulateOutage } from './overview/simulate-outage.ts'
import { type Scope, Scopes } from './scope.ts'

export interface Service extends ServiceApi {
  readonly operations: Operations
  /** Throws where the dashboard is switched off for the tenant of whoever asks. */
  requireDashboard(principal: Principal): Promise<void>
  /** Opens the store, and resolves once everything that happens is recorded. Called by itself before the first question. */
  ready(): Promise<void>
  /** Lets go of the service; the application goes on. Whoever asks afterwards is refused. */
  close(): void
}

/** RF-112 over an application: who asks for what, in which tenant, and what it takes to answer. */
export function createService(app: Pontual, options: ServiceOptions = {}): Service {
  const scopes = new Scopes(app, serviceRules(options))
  return {
    jobs: jobsApi(scopes),
    executions: executionsApi(scopes),
    audit: auditApi(scopes),
    administration: administrationApi(scopes),
    overview: overviewApi(scopes),
    operations: scopes.operations,
    requireDashboard: asked(scopes, requireDashboard),
    ready: async () => {
      await scopes.ready()
    },
    close: () => scopes.close(),
  }
}

/** A question or a command, put by a principal. */
function asked<Values extends readonly unknown[], Answer>(
  scopes: Scopes,
  answer: (scope: Scope, ...values: Values) => Promise<Answer>,
): (principal: Principal, ...values: Values) => Promise<Answer> {
  return async (principal, ...values) => await answer(await scopes.of(principal), ...values)
}

function jobsApi(scopes: Scopes): JobsApi {
  return {
    list: asked(scopes, listJobs),
    get: asked(scopes, getJob),
    create: asked(scopes, createNewJob),
    update: asked(scopes, updateJob),
    remove: asked(scopes, deleteJob),
    pause: asked(scopes, pauseJob),
    resume: asked(scopes, resumeJob),
    approve: asked(scopes, approveJob),
    reject: asked(scopes, rejectJob),
    bulk: asked(scopes, bulkJobs),
    reset: asked(scopes, resetToCode),
    reveal: asked(scopes, revealPayload),
    execute: asked(scopes, executeJob),
    enqueue: asked(scopes, enqueueJob),
    cancel: asked(scopes, cancelOfJob),
    retry: asked(scopes, retryOfJob),
    history: asked(scopes, jobHistory),
    occurrences: asked(scopes, listOccurrences),
    logs: asked(scopes, jobLogs),
    nextExecution: asked(scopes, nextExecutions),
    approval: asked(scopes, readApproval),
    types: asked(scopes, listJobTypes),
    validateCron: asked(scopes, validateCron),
  }
}

function executionsApi(scopes: Scopes): ExecutionsApi {
  return {
    list: asked(scopes, listExecutions),
    get: asked(scopes, getExecution),
    activities: asked(scopes, listActivities),
    chain: asked(scopes, readChain),
    cancel: asked(scopes, cancelExecution),
    erase: asked(scopes, eraseExecution),
    signal: asked(scopes, signalExecution),
    restart: asked(scopes, restartExecution),
    logs: asked(scopes, executionLogs),
    logText: asked(scopes, executionLogText),
    followLogs: asked(scopes, followLogs),
  }
}

function auditApi(scopes: Scopes): AuditApi {
  return {
    list: asked(scopes, listAudit),
    verify: asked(scopes, verifyOwnAudit),
    eventsAfter: asked(scopes, eventsAfter),
    lastSequence: asked(scopes, lastSequence),
  }
}

function administrationApi(scopes: Scopes): AdministrationApi {
  return {
    language: asked(scopes, tenantLanguage),
    hasDashboard: asked(scopes, hasDashboard),
    settings: asked(scopes, getSettings),
    updateSettings: asked(scopes, changeSettings),
    approveSettings: asked(scopes, approveSettings),
    rejectSettings: asked(scopes, rejectSettings),
    apiKeys: asked(scopes, listApiKeys),
    createApiKey: asked(scopes, createApiKey),
    revokeApiKey: asked(scopes, revokeApiKey),
    flags: asked(scopes, listFlags),
    switchFlag: asked(scopes, switchFlag),
    calendars: asked(scopes, listCalendars),
    putCalendar: asked(scopes, putCalendar),
    removeCalendar: asked(scopes, removeCalendar),
    previewCalendar: asked(scopes, previewCalendar),
    notifications: asked(scopes, listNotifications),
    sendTestNotification: asked(scopes, sendTestNotification),
    updateAlertRule: asked(scopes, changeAlertRule),
  }
}

function overviewApi(scopes: Scopes): OverviewApi {
  return {
    dashboard: asked(scopes, readDashboard),
    kpis: asked(scopes, readKpis),
    alerts: asked(scopes, listAlerts),
    workers: asked(scopes, readWorkers),
    manifest: asked(scopes, readManifest),
    simulate: asked(scopes, simulateOutage),
    counters: asked(scopes, readCounters),
    series: asked(scopes, readSeries),
    failures: asked(scopes, readFailures),
    agenda: asked(scopes, readAgenda),
    upcoming: asked(scopes, readUpcoming),
  }
}

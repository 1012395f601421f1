import type { Principal } from '../access/principal.ts'
import type { Pontual } from '../pontual.ts'
import { createApiKey, listApiKeys, revokeApiKey } from './administration/api-keys.ts'
import { listCalendars, putCalendar, removeCalendar } from './administration/calendars.ts'
import { changeSettings, getSettings } from './administration/settings.ts'
import type { AdministrationApi, AuditApi, ExecutionsApi, JobsApi, OverviewApi, ServiceApi } from './api.ts'
import { eventsAfter, lastSequence, listAudit, verifyOwnAudit } from './audit/audit-log.ts'
import { cancelExecution, cancelOfJob } from './executions/cancel-executions.ts'
import { jobHistory, listExecutions } from './executions/list-executions.ts'
import { getExecution, listActivities } from './executions/read-execution.ts'
import { followLogs, jobLogs } from './executions/read-logs.ts'
import { restartExecution, retryOfJob, signalExecution } from './executions/repeat-execution.ts'
import { approveJob, rejectJob } from './jobs/approve-job.ts'
import { createNewJob } from './jobs/create-job.ts'
import { pauseJob, resumeJob } from './jobs/hold-job.ts'
import { getJob, listJobs, nextExecutions } from './jobs/read-jobs.ts'
import { enqueueJob, executeJob } from './jobs/run-job.ts'
import { deleteJob, resetToCode, updateJob } from './jobs/update-job.ts'
import { validateCron } from './jobs/validate-cron.ts'
import { type ServiceOptions, serviceRules } from './options.ts'
import { readDashboard } from './overview/dashboard.ts'
import { readManifest } from './overview/manifest.ts'
import { simulateOutage } from './overview/simulate-outage.ts'
import { readWorkers } from './overview/workers.ts'
import { type Scope, Scopes } from './scope.ts'

export interface Service extends ServiceApi {
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
    reset: asked(scopes, resetToCode),
    execute: asked(scopes, executeJob),
    enqueue: asked(scopes, enqueueJob),
    cancel: asked(scopes, cancelOfJob),
    retry: asked(scopes, retryOfJob),
    history: asked(scopes, jobHistory),
    logs: asked(scopes, jobLogs),
    nextExecution: asked(scopes, nextExecutions),
    validateCron: asked(scopes, validateCron),
  }
}

function executionsApi(scopes: Scopes): ExecutionsApi {
  return {
    list: asked(scopes, listExecutions),
    get: asked(scopes, getExecution),
    activities: asked(scopes, listActivities),
    cancel: asked(scopes, cancelExecution),
    signal: asked(scopes, signalExecution),
    restart: asked(scopes, restartExecution),
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
    settings: asked(scopes, getSettings),
    updateSettings: asked(scopes, changeSettings),
    apiKeys: asked(scopes, listApiKeys),
    createApiKey: asked(scopes, createApiKey),
    revokeApiKey: asked(scopes, revokeApiKey),
    calendars: asked(scopes, listCalendars),
    putCalendar: asked(scopes, putCalendar),
    removeCalendar: asked(scopes, removeCalendar),
  }
}

function overviewApi(scopes: Scopes): OverviewApi {
  return {
    dashboard: asked(scopes, readDashboard),
    workers: asked(scopes, readWorkers),
    manifest: asked(scopes, readManifest),
    simulate: asked(scopes, simulateOutage),
  }
}

import type { ExecutionStore } from '../executions.ts'
import { readMinutes, readNodes } from '../fenced-store.ts'
import { requireTenant } from '../foreign-tenant-error.ts'
import type { EngineStore, TenantStore } from '../store.ts'
import { Lanes } from './claim/lanes.ts'
import { cacheStore } from './executions/cache.ts'
import { executionStore } from './executions/executions.ts'
import { tenantLogStore } from './executions/logs.ts'
import { occurrenceStore } from './firing/occurrences.ts'
import { tenantHistoryStore } from './histories/histories.ts'
import { calendarStore } from './jobs/calendars.ts'
import { jobStore } from './jobs/jobs.ts'
import { tenantLimitStore } from './nodes/tenants.ts'
import type { Parts } from './parts.ts'
import { tenantAlertStore } from './service/alerts.ts'
import { auditStore } from './service/audit.ts'
import { tenantContentStore } from './service/contents.ts'
import { credentialStore } from './service/credentials.ts'
import { tenantFlagStore } from './service/flags.ts'
import { tenantNotificationStore } from './service/notifications.ts'
import { requestStore } from './service/requests.ts'
import { settingsStore } from './service/settings.ts'

/** The same verbs, sent as a role that row security holds to the rows of one tenant. What was learnt about lanes and claims is shared. */
export function storeForTenant({ nodes, minutes }: EngineStore, parts: Parts, tenant: string): TenantStore {
  const driver = parts.driver.forTenant(tenant)
  const own: Parts = { ...parts, driver, lanes: new Lanes(driver, parts.lanes) }
  return {
    jobs: jobStore(own),
    occurrences: occurrenceStore(own),
    executions: ownExecutions(executionStore(own), tenant),
    histories: tenantHistoryStore(own),
    logs: tenantLogStore(own),
    nodes: readNodes(nodes),
    minutes: readMinutes(minutes),
    calendars: calendarStore(own),
    tenants: tenantLimitStore(own),
    cache: cacheStore(own),
    audit: auditStore(own),
    alerts: tenantAlertStore(own),
    settings: settingsStore(own),
    flags: tenantFlagStore(own),
    credentials: credentialStore(own),
    requests: requestStore(own),
    contents: tenantContentStore(own),
    notifications: tenantNotificationStore(own),
  }
}

/** A caller's own transaction runs as the caller's role, which row security may not hold to anything. */
function ownExecutions(executions: ExecutionStore, tenant: string): ExecutionStore {
  return {
    ...executions,
    async enqueue(wanted, options) {
      requireTenant(
        tenant,
        wanted.map(({ body }) => body),
      )
      return await executions.enqueue(wanted, options)
    },
  }
}

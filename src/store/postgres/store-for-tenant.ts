import {
  appendOnly,
  engineOnly,
  holderOnly,
  keeperOnly,
  ownFlags,
  readableMinutes,
  readableNodes,
  senderOnly,
  watcherOnly,
} from '../engine-only.ts'
import type { ExecutionStore } from '../executions.ts'
import { requireTenant } from '../foreign-tenant-error.ts'
import type { Store } from '../store.ts'
import { Lanes } from './claim/lanes.ts'
import { cacheStore } from './executions/cache.ts'
import { executionStore } from './executions/executions.ts'
import { logStore } from './executions/logs.ts'
import { occurrenceStore } from './firing/occurrences.ts'
import { historyStore } from './histories/histories.ts'
import { calendarStore } from './jobs/calendars.ts'
import { jobStore } from './jobs/jobs.ts'
import { tenantStore } from './nodes/tenants.ts'
import type { Parts } from './parts.ts'
import { alertStore } from './service/alerts.ts'
import { auditStore } from './service/audit.ts'
import { contentStore } from './service/contents.ts'
import { credentialStore } from './service/credentials.ts'
import { flagStore } from './service/flags.ts'
import { notificationStore } from './service/notifications.ts'
import { requestStore } from './service/requests.ts'
import { settingsStore } from './service/settings.ts'

/** The same verbs, sent as a role that row security holds to the rows of one tenant. What was learnt about lanes and claims is shared. */
export function storeForTenant(store: Store, parts: Parts, tenant: string): Store {
  const driver = parts.driver.forTenant(tenant)
  const own: Parts = { ...parts, driver, lanes: new Lanes(driver, parts.lanes) }
  return {
    ...store,
    ...engineOnly,
    jobs: jobStore(own),
    occurrences: occurrenceStore(own),
    executions: ownExecutions(executionStore(own), tenant),
    histories: { ...historyStore(own), ...holderOnly },
    logs: { ...logStore(own), ...appendOnly },
    nodes: readableNodes(store.nodes),
    minutes: readableMinutes(store.minutes),
    calendars: calendarStore(own),
    tenants: tenantStore(own),
    cache: cacheStore(own),
    audit: auditStore(own),
    alerts: { ...alertStore(own), ...watcherOnly },
    settings: settingsStore(own),
    flags: { ...flagStore(own), ...ownFlags },
    credentials: credentialStore(own),
    requests: requestStore(own),
    contents: { ...contentStore(own), ...keeperOnly },
    notifications: { ...notificationStore(own), ...senderOnly },
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

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
import { alertStore } from './alerts.ts'
import { auditStore } from './audit.ts'
import { cacheStore } from './cache.ts'
import { calendarStore } from './calendars.ts'
import { contentStore } from './contents.ts'
import { credentialStore } from './credentials.ts'
import { executionStore } from './executions.ts'
import { flagStore } from './flags.ts'
import { historyStore } from './histories.ts'
import { jobStore } from './jobs.ts'
import { Lanes } from './lanes.ts'
import { logStore } from './logs.ts'
import { notificationStore } from './notifications.ts'
import { occurrenceStore } from './occurrences.ts'
import type { Parts } from './parts.ts'
import { requestStore } from './requests.ts'
import { settingsStore } from './settings.ts'
import { tenantStore } from './tenants.ts'

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

import type { Driver, Statement } from '../driver/driver.ts'
import type { ExecutionStore } from '../executions.ts'
import { fencedStore, readMinutes, readNodes } from '../fenced-store.ts'
import { requireTenant } from '../foreign-tenant-error.ts'
import type { EngineStore, StoreSurroundings, TenantStore } from '../store.ts'
import { archiveStore } from './archive/archive.ts'
import { ClaimCursor } from './claim/claim-cursor.ts'
import { Lanes } from './claim/lanes.ts'
import { cacheStore } from './executions/cache.ts'
import { executionStore } from './executions/executions.ts'
import { leaseStore } from './executions/leases.ts'
import { logStore, tenantLogStore } from './executions/logs.ts'
import { occurrenceStore } from './firing/occurrences.ts'
import { historyStore, tenantHistoryStore } from './histories/histories.ts'
import { calendarStore } from './jobs/calendars.ts'
import { jobStore } from './jobs/jobs.ts'
import type { Hints } from './nodes/hints.ts'
import { minuteStore, removePastMinutes } from './nodes/minutes.ts'
import { type KeepAlive, nodeStore } from './nodes/nodes.ts'
import { pulse } from './nodes/pulse.ts'
import { rateStore } from './nodes/rates.ts'
import { limitStore, tenantLimitStore } from './nodes/tenants.ts'
import type { Parts } from './parts.ts'
import { maintainer } from './schema/partitions.ts'
import { alertStore, removePastAlerts, tenantAlertStore } from './service/alerts.ts'
import { auditStore } from './service/audit.ts'
import { contentStore, tenantContentStore } from './service/contents.ts'
import { credentialStore } from './service/credentials.ts'
import { dataKeyStore } from './service/data-keys.ts'
import { flagStore, tenantFlagStore } from './service/flags.ts'
import { notificationStore, tenantNotificationStore } from './service/notifications.ts'
import { removePast } from './service/remove-past.ts'
import { requestStore } from './service/requests.ts'
import { settingsStore } from './service/settings.ts'

const isThere: Statement = {
  name: 'isThere',
  text: `
select pontual.is_there($1::text, $2::text) as "isThere"`,
}

export interface PostgresStoreParts {
  readonly driver: Driver
  readonly surroundings: StoreSurroundings
  readonly hints: Hints
  readonly keepAlive: KeepAlive
  /** What has to be done before the database keeps tenants apart; null where it does. */
  readonly isolationRemedy: string | null
}

/** The store over a driver that is connected to a database with its tables. */
export function createPostgresStore(opened: PostgresStoreParts): EngineStore {
  const { driver, surroundings, hints, keepAlive, isolationRemedy } = opened
  const parts: Parts = {
    driver,
    hints,
    lanes: new Lanes(driver),
    cursor: new ClaimCursor(() => surroundings.env.monotonic()),
    testTime: () => surroundings.now?.() ?? null,
  }
  const makeRoom = maintainer(parts, surroundings.logger)
  const store: EngineStore = {
    jobs: jobStore(parts),
    tenants: limitStore(parts),
    calendars: calendarStore(parts),
    occurrences: occurrenceStore(parts),
    executions: executionStore(parts),
    leases: leaseStore(parts),
    nodes: nodeStore(parts, keepAlive),
    minutes: minuteStore(parts),
    logs: logStore(parts),
    cache: cacheStore(parts),
    rates: rateStore(parts),
    audit: auditStore(parts),
    archive: archiveStore(parts),
    alerts: alertStore(parts),
    settings: settingsStore(parts),
    flags: flagStore(parts),
    credentials: credentialStore(parts),
    requests: requestStore(parts),
    dataKeys: dataKeyStore(parts),
    contents: contentStore(parts),
    sealing: null,
    notifications: notificationStore(parts),
    histories: historyStore(parts),
    forTenant: (tenant) =>
      isolationRemedy === null ? storeForTenant(store, parts, tenant) : fencedStore(store, tenant),
    isolationRemedy,
    exists: async (kind, id) => {
      const [row] = await driver.query<{ isThere: boolean }>(isThere, [kind, id])
      return row?.isThere ?? false
    },
    pulse: () => pulse(parts),
    listen: (onHint) =>
      hints.listen((notice) => {
        if (notice === 'woken' && parts.cursor.maySweep()) parts.cursor.sweep()
        onHint(notice === 'woken' ? 'ready' : notice)
      }),
    maintain: async () => {
      await removePast(parts)
      await removePastAlerts(parts)
      await removePastMinutes(parts)
      await makeRoom()
    },
    connections: () => driver.connections?.() ?? null,
    close: () => driver.close(),
  }
  return store
}

/** The same verbs, sent as a role that row security holds to the rows of one tenant. What was learnt about lanes and claims is shared. */
function storeForTenant({ nodes, minutes }: EngineStore, parts: Parts, tenant: string): TenantStore {
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

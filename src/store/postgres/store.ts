import type { Driver, Statement } from '../driver/driver.ts'
import { fencedStore } from '../fenced-store.ts'
import type { Store, StoreSurroundings } from '../store.ts'
import { archiveStore } from './archive/archive.ts'
import { ClaimCursor } from './claim/claim-cursor.ts'
import { Lanes } from './claim/lanes.ts'
import { cacheStore, removeExpired } from './executions/cache.ts'
import { executionStore } from './executions/executions.ts'
import { leaseStore } from './executions/leases.ts'
import { logStore } from './executions/logs.ts'
import { occurrenceStore } from './firing/occurrences.ts'
import { historyStore } from './histories/histories.ts'
import { calendarStore } from './jobs/calendars.ts'
import { jobStore } from './jobs/jobs.ts'
import type { Hints } from './nodes/hints-port.ts'
import { minuteStore, removePastMinutes } from './nodes/minutes.ts'
import { type KeepAlive, nodeStore } from './nodes/nodes.ts'
import { pulse } from './nodes/pulse.ts'
import { rateStore, removePastRates } from './nodes/rates.ts'
import { limitStore } from './nodes/tenants.ts'
import type { Parts } from './parts.ts'
import { maintainer } from './schema/partitions.ts'
import { alertStore, removePastAlerts } from './service/alerts.ts'
import { auditStore } from './service/audit.ts'
import { contentStore } from './service/contents.ts'
import { credentialStore } from './service/credentials.ts'
import { dataKeyStore } from './service/data-keys.ts'
import { flagStore } from './service/flags.ts'
import { notificationStore } from './service/notifications.ts'
import { removePast } from './service/remove-past.ts'
import { requestStore } from './service/requests.ts'
import { settingsStore } from './service/settings.ts'
import { storeForTenant } from './store-for-tenant.ts'

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
export function createPostgresStore(opened: PostgresStoreParts): Store {
  const { driver, surroundings, hints, keepAlive, isolationRemedy } = opened
  const parts: Parts = {
    driver,
    hints,
    lanes: new Lanes(driver),
    cursor: new ClaimCursor(() => surroundings.env.monotonic()),
    testTime: () => surroundings.now?.() ?? null,
  }
  const makeRoom = maintainer(parts, surroundings.logger)
  const store: Store = {
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
      await removeExpired(parts)
      await removePastRates(parts)
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

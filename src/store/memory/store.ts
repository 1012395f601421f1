import { fencedStore } from '../fenced-store.ts'
import type { EngineStore, StoreSurroundings } from '../store.ts'
import { archiveStore } from './archive/archive.ts'
import { cacheStore, removeExpired } from './executions/cache.ts'
import { executionStore } from './executions/executions.ts'
import { leaseStore } from './executions/leases.ts'
import { logStore } from './executions/logs.ts'
import { occurrenceStore } from './firing/occurrences.ts'
import { historyStore } from './histories/histories.ts'
import { calendarStore } from './jobs/calendars.ts'
import { jobStore } from './jobs/jobs.ts'
import { minuteStore, removePastMinutes } from './nodes/minutes.ts'
import { nodeStore } from './nodes/nodes.ts'
import { rateStore, removePastRates } from './nodes/rates.ts'
import { limitStore } from './nodes/tenants.ts'
import type { Tables } from './schema/tables.ts'
import { alertStore, removePastAlerts } from './service/alerts.ts'
import { auditStore } from './service/audit.ts'
import { contentStore } from './service/contents.ts'
import { credentialStore, removePastSessions } from './service/credentials.ts'
import { dataKeyStore } from './service/data-keys.ts'
import { flagStore } from './service/flags.ts'
import { notificationStore, removePastNotifications } from './service/notifications.ts'
import { removePastRequests, requestStore } from './service/requests.ts'
import { settingsStore } from './service/settings.ts'
import { Session } from './session.ts'

/** A store over tables that others may have open as well. */
export function openStore(tables: Tables, surroundings: StoreSurroundings): EngineStore {
  const session = new Session(tables, surroundings)
  const nodes = nodeStore(session)
  const stops = new Set<() => void>()
  const store: EngineStore = {
    jobs: jobStore(session),
    tenants: limitStore(session),
    calendars: calendarStore(session),
    occurrences: occurrenceStore(session),
    executions: executionStore(session),
    leases: leaseStore(session),
    histories: historyStore(session),
    nodes,
    minutes: minuteStore(session),
    logs: logStore(session),
    cache: cacheStore(session),
    rates: rateStore(session),
    audit: auditStore(session),
    archive: archiveStore(session),
    alerts: alertStore(session),
    settings: settingsStore(session),
    flags: flagStore(session),
    credentials: credentialStore(session),
    requests: requestStore(session),
    dataKeys: dataKeyStore(session),
    contents: contentStore(session),
    sealing: null,
    notifications: notificationStore(session),
    forTenant: (tenant) => fencedStore(store, tenant),
    isolationRemedy: null,
    exists: (kind, id) => session.statement((all) => exists(all, kind, id)),
    pulse: () =>
      session.statement(({ jobsByFireTime, jobsByPauseEnd, delayedByDueTime, ready, flags }, now) => ({
        now,
        nextFireAt: earliest(jobsByFireTime.first?.schedule.nextFireAt, jobsByPauseEnd.first?.pausedUntil),
        nextDueAt: delayedByDueTime.first?.dueAt ?? null,
        hasReady: ready.size > 0,
        withoutRetries: flags.whereOff('JOB_RETRY_POLICY'),
      })),
    listen: (onHint) => {
      const unlisten = tables.listen(onHint)
      const stop = () => {
        unlisten()
        stops.delete(stop)
      }
      stops.add(stop)
      return stop
    },
    // Memory has no months to make room for.
    maintain: () =>
      session.statement((all, now) => {
        removeExpired(all, now)
        removePastRates(all, now)
        removePastSessions(all, now)
        removePastRequests(all, now)
        removePastAlerts(all, now)
        removePastNotifications(all, now)
        removePastMinutes(all, now)
      }),
    connections: () => null,
    close: async () => {
      for (const stop of stops) stop()
      await nodes.stopKeepers()
      await session.settled()
    },
  }
  return store
}

function exists(tables: Tables, kind: 'job' | 'execution' | 'apiKey', id: string): boolean {
  switch (kind) {
    case 'job':
      return tables.jobs.has(id)
    case 'execution':
      return tables.executions.has(id) || tables.archive.executions.has(id)
    case 'apiKey':
      return tables.service.keys.has(id)
  }
}

function earliest(...instants: readonly (number | null | undefined)[]): number | null {
  const known = instants.filter((instant) => instant !== null && instant !== undefined)
  return known.length === 0 ? null : Math.min(...known)
}

import type { Store, StoreSurroundings } from '../store.ts'
import { cacheStore, removeExpired } from './cache.ts'
import { calendarStore } from './calendars.ts'
import { executionStore } from './executions.ts'
import { historyStore } from './histories.ts'
import { jobStore } from './jobs.ts'
import { leaseStore } from './leases.ts'
import { logStore } from './logs.ts'
import { nodeStore } from './nodes.ts'
import { occurrenceStore } from './occurrences.ts'
import { rateStore, removePastRates } from './rates.ts'
import { Session } from './session.ts'
import type { Tables } from './tables.ts'
import { tenantStore } from './tenants.ts'

/** A store over tables that others may have open as well. */
export function openStore(tables: Tables, surroundings: StoreSurroundings): Store {
  const session = new Session(tables, surroundings)
  const nodes = nodeStore(session)
  const stops = new Set<() => void>()
  return {
    jobs: jobStore(session),
    tenants: tenantStore(session),
    calendars: calendarStore(session),
    occurrences: occurrenceStore(session),
    executions: executionStore(session),
    leases: leaseStore(session),
    histories: historyStore(session),
    nodes,
    logs: logStore(session),
    cache: cacheStore(session),
    rates: rateStore(session),
    pulse: () =>
      session.statement(({ jobsByFireTime, delayedByDueTime, ready }, now) => ({
        now,
        nextFireAt: jobsByFireTime.first?.schedule.nextFireAt ?? null,
        nextDueAt: delayedByDueTime.first?.dueAt ?? null,
        hasReady: ready.size > 0,
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
      }),
    close: async () => {
      for (const stop of stops) stop()
      await nodes.stopKeepers()
      await session.settled()
    },
  }
}

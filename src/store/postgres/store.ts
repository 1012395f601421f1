import type { Driver } from '../driver/driver.ts'
import type { Store, StoreSurroundings } from '../store.ts'
import { cacheStore, removeExpired } from './cache.ts'
import { calendarStore } from './calendars.ts'
import { ClaimCursor } from './claim-cursor.ts'
import { executionStore } from './executions.ts'
import type { Hints } from './hints-port.ts'
import { historyStore } from './histories.ts'
import { jobStore } from './jobs.ts'
import { Lanes } from './lanes.ts'
import { leaseStore } from './leases.ts'
import { logStore } from './logs.ts'
import { type KeepAlive, nodeStore } from './nodes.ts'
import { occurrenceStore } from './occurrences.ts'
import { maintainer } from './partitions.ts'
import type { Parts } from './parts.ts'
import { pulse } from './pulse.ts'
import { rateStore, removePastRates } from './rates.ts'
import { tenantStore } from './tenants.ts'

export interface PostgresStoreParts {
  readonly driver: Driver
  readonly surroundings: StoreSurroundings
  readonly hints: Hints
  readonly keepAlive: KeepAlive
}

/** The store over a driver that is connected to a database with its tables. */
export function createPostgresStore({ driver, surroundings, hints, keepAlive }: PostgresStoreParts): Store {
  const parts: Parts = {
    driver,
    hints,
    lanes: new Lanes(driver),
    cursor: new ClaimCursor(() => surroundings.env.monotonic()),
    testTime: () => surroundings.now?.() ?? null,
  }
  const makeRoom = maintainer(parts, surroundings.logger)
  return {
    jobs: jobStore(parts),
    tenants: tenantStore(parts),
    calendars: calendarStore(parts),
    occurrences: occurrenceStore(parts),
    executions: executionStore(parts),
    leases: leaseStore(parts),
    nodes: nodeStore(parts, keepAlive),
    logs: logStore(parts),
    cache: cacheStore(parts),
    rates: rateStore(parts),
    histories: historyStore(parts),
    pulse: () => pulse(parts),
    listen: (onHint) =>
      hints.listen((notice) => {
        if (notice === 'woken' && parts.cursor.maySweep()) parts.cursor.sweep()
        onHint(notice === 'woken' ? 'ready' : notice)
      }),
    maintain: async () => {
      await removeExpired(parts)
      await removePastRates(parts)
      await makeRoom()
    },
    close: () => driver.close(),
  }
}

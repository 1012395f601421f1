import type { Store } from '../store.ts'
import type { Boxes } from './boxes.ts'
import { encryptedExecutions, encryptedOccurrences } from './encrypted-executions.ts'
import { encryptedHistories } from './encrypted-histories.ts'
import { encryptedJobs } from './encrypted-jobs.ts'
import { encryptedLeases } from './encrypted-leases.ts'
import { encryptedCache, encryptedLogs, encryptedRequests, encryptedSettings } from './encrypted-service.ts'
import { Owners } from './owners.ts'
import type { StoreSealing } from './store-sealing.ts'

/** A store that seals what handlers take, give and say before another one stores it, and opens it again. */
export function encryptedStore(store: Store, boxes: Boxes, sealing: StoreSealing): Store {
  const owners = new Owners(store.executions)
  return {
    ...store,
    jobs: encryptedJobs(store.jobs, boxes),
    occurrences: encryptedOccurrences(store.occurrences, boxes),
    executions: encryptedExecutions(store.executions, boxes, owners),
    leases: encryptedLeases(store.leases, boxes, owners),
    histories: encryptedHistories(store.histories, boxes, owners),
    logs: encryptedLogs(store.logs, boxes, owners),
    cache: encryptedCache(store.cache, boxes),
    requests: encryptedRequests(store.requests, boxes),
    settings: encryptedSettings(store.settings, boxes),
    sealing,
    forTenant: (tenant) => encryptedStore(store.forTenant(tenant), boxes, sealing),
  }
}

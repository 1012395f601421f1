import type { EngineStore, TenantStore } from '../store.ts'
import type { Boxes } from './boxes.ts'
import { encryptedExecutions, encryptedOccurrences } from './encrypted-executions.ts'
import { encryptedHistories, encryptedTenantHistories } from './encrypted-histories.ts'
import { encryptedJobs } from './encrypted-jobs.ts'
import { encryptedLeases } from './encrypted-leases.ts'
import {
  encryptedCache,
  encryptedLogs,
  encryptedRequests,
  encryptedSettings,
  encryptedTenantLogs,
} from './encrypted-service.ts'
import { Owners } from './owners.ts'
import type { StoreSealing } from './store-sealing.ts'

/** A store that seals what handlers take, give and say before another one stores it, and opens it again. */
export function encryptedStore(store: EngineStore, boxes: Boxes, sealing: StoreSealing): EngineStore {
  const owners = new Owners(store.executions)
  return {
    ...store,
    ...encryptedNouns(store, boxes, owners),
    leases: encryptedLeases(store.leases, boxes, owners),
    histories: encryptedHistories(store.histories, boxes, owners),
    logs: encryptedLogs(store.logs, boxes, owners),
    sealing,
    forTenant: (tenant) => encryptedTenantStore(store.forTenant(tenant), boxes),
  }
}

function encryptedTenantStore(store: TenantStore, boxes: Boxes): TenantStore {
  const owners = new Owners(store.executions)
  return {
    ...store,
    ...encryptedNouns(store, boxes, owners),
    histories: encryptedTenantHistories(store.histories, boxes, owners),
    logs: encryptedTenantLogs(store.logs, boxes, owners),
  }
}

function encryptedNouns(store: TenantStore, boxes: Boxes, owners: Owners) {
  return {
    jobs: encryptedJobs(store.jobs, boxes),
    occurrences: encryptedOccurrences(store.occurrences, boxes),
    executions: encryptedExecutions(store.executions, boxes, owners),
    cache: encryptedCache(store.cache, boxes),
    requests: encryptedRequests(store.requests, boxes),
    settings: encryptedSettings(store.settings, boxes),
  }
}

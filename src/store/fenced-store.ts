import type { TenantAlertStore } from './alerts.ts'
import type { AuditStore } from './audit.ts'
import type { CacheStore } from './cache.ts'
import type { CalendarStore } from './calendars.ts'
import type { TenantContentStore } from './contents.ts'
import type { CredentialStore } from './credentials.ts'
import { fencedExecutions, fencedHistories, fencedLogs } from './fenced-executions.ts'
import { fencedJobs, fencedOccurrences } from './fenced-jobs.ts'
import type { TenantFlagStore } from './flags.ts'
import { requireTenant } from './foreign-tenant-error.ts'
import type { TenantMinuteStore } from './minutes.ts'
import type { TenantNodeStore } from './nodes.ts'
import type { NotificationSummary, TenantNotificationStore } from './notifications.ts'
import type { RequestStore } from './requests.ts'
import type { SettingsStore } from './settings.ts'
import type { EngineStore, TenantStore } from './store.ts'
import type { TenantLimitStore } from './tenants.ts'

/**
 * A store as one tenant sees it, where the store itself cannot keep tenants apart: what is asked for by id is looked up first, and what is another's is
 * left out, as if there were none.
 */
export function fencedStore(store: EngineStore, tenant: string): TenantStore {
  return {
    jobs: fencedJobs(store.jobs, tenant),
    occurrences: fencedOccurrences(store.occurrences, store.jobs, tenant),
    executions: fencedExecutions(store.executions, tenant),
    histories: fencedHistories(store.histories, store.executions, tenant),
    logs: fencedLogs(store.logs, store.executions, tenant),
    nodes: readNodes(store.nodes),
    minutes: readMinutes(store.minutes),
    calendars: fencedCalendars(store.calendars, tenant),
    tenants: fencedTenants(store.tenants, tenant),
    cache: fencedCache(store.cache, tenant),
    audit: fencedAudit(store.audit, tenant),
    alerts: fencedAlerts(store.alerts, tenant),
    settings: fencedSettings(store.settings, tenant),
    flags: fencedFlags(store.flags, tenant),
    credentials: fencedCredentials(store.credentials, tenant),
    requests: fencedRequests(store.requests, tenant),
    contents: fencedContents(store, tenant),
    notifications: fencedNotifications(store.notifications, tenant),
  }
}

/** Every tenant may see the nodes, and when they were active. */
export function readNodes(nodes: TenantNodeStore): TenantNodeStore {
  return { list: () => nodes.list(), countStale: () => nodes.countStale() }
}

export function readMinutes(minutes: TenantMinuteStore): TenantMinuteStore {
  return { count: (since) => minutes.count(since), active: (since) => minutes.active(since) }
}

function fencedCalendars(calendars: CalendarStore, tenant: string): CalendarStore {
  const own = <Key extends { readonly tenant: string }>(keys: readonly Key[]) =>
    keys.filter((key) => key.tenant === tenant)
  return {
    async put(given, audit) {
      requireTenant(tenant, given)
      await calendars.put(given, audit)
    },
    find: (keys) => calendars.find(own(keys)),
    list: async (asked) => (asked === tenant ? await calendars.list(tenant) : []),
    remove: (keys, audit) => calendars.remove(own(keys), audit),
  }
}

function fencedTenants(tenants: TenantLimitStore, tenant: string): TenantLimitStore {
  return {
    async limit(limits) {
      requireTenant(tenant, limits)
      await tenants.limit(limits)
    },
    async list({ limit, after }) {
      if (limit <= 0 || (after !== undefined && after >= tenant)) return []
      for (
        let page = await tenants.list({ limit: PAGE });
        ;
        page = await tenants.list({ limit: PAGE, after: last(page) })
      ) {
        const found = page.find((each) => each.tenant === tenant)
        if (found || page.length < PAGE) return found ? [found] : []
      }
    },
  }
}

const PAGE = 1_000

function last(page: readonly { readonly tenant: string }[]): string | undefined {
  return page.at(-1)?.tenant
}

function fencedCache(cache: CacheStore, tenant: string): CacheStore {
  return {
    find: (places) => cache.find(places.filter((place) => place.tenant === tenant)),
    async put(results) {
      requireTenant(tenant, results)
      await cache.put(results)
    },
    clear: async (filter, limit) => (filter.tenant === tenant ? await cache.clear(filter, limit) : 0),
  }
}

function fencedAudit(audit: AuditStore, tenant: string): AuditStore {
  return {
    enable: () => audit.enable(),
    isEnabled: () => audit.isEnabled(),
    async append(entries) {
      requireTenant(tenant, entries)
      await audit.append(entries)
    },
    list: async (filter) => (filter.tenant === tenant ? await audit.list(filter) : []),
    heads: async (asked = tenant) => (asked === tenant ? await audit.heads(tenant) : []),
    anchor: async (asked) => (asked === tenant ? await audit.anchor(tenant) : null),
  }
}

function fencedAlerts(alerts: TenantAlertStore, tenant: string): TenantAlertStore {
  return {
    list: async (filter) => (filter.tenant === tenant ? await alerts.list(filter) : []),
    rules: async (asked) => (asked === tenant ? await alerts.rules(tenant) : []),
    async putRule(change) {
      requireTenant(tenant, [change])
      await alerts.putRule(change)
    },
    recoveries: async (asked, since) =>
      asked === tenant ? await alerts.recoveries(tenant, since) : { count: 0, meanMs: null },
  }
}

function fencedSettings(settings: SettingsStore, tenant: string): SettingsStore {
  return {
    find: async (asked) => (asked === tenant ? await settings.find(tenant) : null),
    async put(change) {
      requireTenant(tenant, change.event ? [change, change.event] : [change])
      return await settings.put(change)
    },
  }
}

function fencedFlags(flags: TenantFlagStore, tenant: string): TenantFlagStore {
  return {
    // What is said of another is as unknown as what is said of nobody.
    read: (asked) => flags.read(asked === tenant ? tenant : null),
    async put(change) {
      requireTenant(tenant, [change])
      await flags.put(change)
    },
  }
}

function fencedCredentials(credentials: CredentialStore, tenant: string): CredentialStore {
  const own = <Thing extends { readonly tenant: string }>(thing: Thing | null) =>
    thing?.tenant === tenant ? thing : null
  return {
    findKey: async (hash) => own(await credentials.findKey(hash)),
    listKeys: async (asked) => (asked === tenant ? await credentials.listKeys(tenant) : []),
    async addKey(key, audit) {
      requireTenant(tenant, [key])
      await credentials.addKey(key, audit)
    },
    revokeKey: async (asked, id, audit) => asked === tenant && (await credentials.revokeKey(tenant, id, audit)),
    async touchKeys(ids) {
      const known = new Set((await credentials.listKeys(tenant)).map(({ id }) => id))
      await credentials.touchKeys(ids.filter((id) => known.has(id)))
    },
    findSession: async (hash) => own(await credentials.findSession(hash)),
    async addSession(session) {
      requireTenant(tenant, [session])
      await credentials.addSession(session)
    },
    async removeSessions(hashes) {
      const found = await Promise.all(hashes.map(async (hash) => own(await credentials.findSession(hash))))
      await credentials.removeSessions(found.flatMap((session) => session?.secretHash ?? []))
    },
  }
}

function fencedRequests(requests: RequestStore, tenant: string): RequestStore {
  return {
    async begin(request) {
      requireTenant(tenant, [request])
      return await requests.begin(request)
    },
    async finish(request, answer) {
      requireTenant(tenant, [request])
      await requests.finish(request, answer)
    },
    async forget(request) {
      requireTenant(tenant, [request])
      await requests.forget(request)
    },
  }
}

const NOTHING_TOLD: NotificationSummary = { failures: 0, told: 0, suppressed: 0, undelivered: 0 }

function fencedNotifications(notifications: TenantNotificationStore, tenant: string): TenantNotificationStore {
  return {
    async post(events) {
      requireTenant(tenant, events)
      await notifications.post(events)
    },
    list: async (filter) => (filter.tenant === tenant ? await notifications.list(filter) : []),
    summary: async (asked, since) =>
      asked === null || asked === tenant ? await notifications.summary(tenant, since) : NOTHING_TOLD,
  }
}

function fencedContents({ contents, executions }: TenantStore, tenant: string): TenantContentStore {
  return {
    async erase(executionId, audit) {
      const [found] = await executions.find([executionId], { archived: true })
      return found?.tenant === tenant ? await contents.erase(executionId, audit) : 'unknown'
    },
  }
}

import type { EngineStore, StoreSource, TenantStore } from '../../../src/store/store.ts'

type Verb = (...values: unknown[]) => unknown

/** Verbs that are told a tenant as such. */
const NAMED: ReadonlySet<string> = new Set([
  'jobs.findByName',
  'jobs.count',
  'jobs.countTypes',
  'calendars.list',
  'executions.count',
  'executions.queues',
  'executions.oldestQueuedAt',
  'settings.find',
  'alerts.rules',
  'alerts.recoveries',
  'credentials.listKeys',
  'credentials.revokeKey',
  'notifications.summary',
])

const NOUNS = [
  'jobs',
  'calendars',
  'occurrences',
  'executions',
  'histories',
  'logs',
  'tenants',
  'cache',
  'audit',
  'alerts',
  'settings',
  'credentials',
  'requests',
  'contents',
  'notifications',
] as const satisfies readonly (keyof TenantStore)[]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** What a service does is done for one tenant. A source whose stores do so too, as far as what they are asked is of one tenant. */
export function throughTenants(source: StoreSource): StoreSource {
  return { kind: source.kind, open: async (surroundings) => routed(await source.open(surroundings)) }
}

function routed(store: EngineStore): EngineStore {
  const nouns = NOUNS.map((name) => [name, routedNoun(store, name)] as const)
  return { ...store, ...(Object.fromEntries(nouns) as Pick<EngineStore, (typeof NOUNS)[number]>) }
}

function routedNoun(store: EngineStore, name: (typeof NOUNS)[number]): object {
  return new Proxy(store[name], {
    get: (target, key) => {
      const verb = Reflect.get(target, key, target) as Verb
      return async (...values: unknown[]) => {
        const tenants = await tenantsOf(store, `${name}.${String(key)}`, values)
        if (tenants.size !== 1) return await verb.apply(target, values)
        const [tenant = ''] = tenants
        const scoped = Reflect.get(store.forTenant(tenant)[name], key) as Verb | undefined
        return await (scoped ? scoped(...values) : verb.apply(target, values))
      }
    },
  })
}

/** All tenants that are named, or whose jobs and executions are. */
async function tenantsOf(store: EngineStore, verb: string, values: readonly unknown[]): Promise<ReadonlySet<string>> {
  const tenants = new Set<string>()
  if (NAMED.has(verb) && typeof values[0] === 'string') tenants.add(values[0])
  const ids = new Set<string>()
  for (const value of values) collect(value, tenants, ids)
  // Executions may be of a job that another tenant has.
  if (ids.size === 0 || verb === 'executions.list') return tenants
  const found = await Promise.all([store.jobs.find([...ids]), store.executions.find([...ids])])
  for (const { tenant } of found.flat()) tenants.add(tenant)
  // An id that is nobody's is unknown to everybody.
  return tenants.size === 0 ? new Set(['acme']) : tenants
}

function collect(value: unknown, tenants: Set<string>, ids: Set<string>): void {
  if (typeof value === 'string' && UUID.test(value)) ids.add(value)
  if (typeof value !== 'object' || value === null) return
  for (const [key, each] of Object.entries(value)) {
    if (key === 'tenant' && typeof each === 'string') tenants.add(each)
    // Where a page begins says nothing about what is on it.
    else if (key !== 'after' || Array.isArray(each)) collect(each, tenants, ids)
  }
}

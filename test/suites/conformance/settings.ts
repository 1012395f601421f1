import { describe, expect, it } from 'vitest'
import type { TenantSettings } from '../../../src/store/settings.ts'
import type { TenantConcurrency } from '../../../src/store/tenants.ts'
import type { Bench } from './bench.ts'

export function describeSettings(bench: Bench): void {
  let count = 0
  /** A tenant that has settled nothing. */
  const newTenant = () => `settling-${++count}-${bench.uuid()}`

  function settings(change: Partial<TenantSettings> = {}): TenantSettings {
    return {
      adminAddresses: ['ana@acme.example', 'é"@x.example'],
      mailEvents: ['job.failed'],
      digestMinutes: 15,
      language: 'pt-BR',
      concurrency: null,
      allowsSelfApproval: false,
      allowsSeconds: true,
      webhooks: [{ id: 'w1', url: 'https://acme.example/hook', events: ['job.failed'], secret: 's3cret' }],
      pending: null,
      ...change,
    }
  }

  const limitOf = async (tenant: string) => {
    const all = await bench.store.tenants.list({ limit: 100_000 })
    return all.find((each) => each.tenant === tenant)?.concurrency
  }

  it('are found as they were stored, with the version they have', async () => {
    const tenant = newTenant()
    expect(await bench.store.settings.find(tenant)).toBeNull()
    expect(await bench.store.settings.put({ tenant, settings: settings(), expectedVersion: 0 })).toBe(true)
    expect(await bench.store.settings.find(tenant)).toEqual({ settings: settings(), version: 1 })
    const others = settings({ language: 'en', webhooks: [], adminAddresses: [], allowsSelfApproval: true })
    expect(await bench.store.settings.put({ tenant, settings: others, expectedVersion: 1 })).toBe(true)
    expect(await bench.store.settings.find(tenant)).toEqual({ settings: others, version: 2 })
    expect(await bench.store.settings.find(newTenant())).toBeNull()
  })

  it('are stored together with their event, or without either', async () => {
    const tenant = newTenant()
    const event = {
      id: `event-${bench.uuid()}`,
      tenant,
      kind: 'approval_rules.pending',
      at: 1_750_000_000_000,
      facts: {},
    } as const
    const pending = {
      allowsSelfApproval: true,
      requestedBy: 'ana',
      persons: ['key:1', 'ana'],
      requestedAt: event.at,
    } as const
    const posted = async () => (await bench.store.notifications.list({ tenant, limit: 10 })).map(({ id }) => id)
    const change = { tenant, settings: settings({ pending }), event }
    expect(await bench.store.settings.put({ ...change, expectedVersion: 1 })).toBe(false)
    expect(await posted()).toEqual([])
    expect(await bench.store.settings.put({ ...change, expectedVersion: 0 })).toBe(true)
    expect(await posted()).toEqual([event.id])
    expect((await bench.store.settings.find(tenant))?.settings.pending).toEqual(pending)
  })

  const versions: [string, number][] = [
    ['nothing', 0],
    ['an older version', 1],
    ['a newer version', 3],
  ]
  it.each(versions)('are left alone where the writer saw %s', async (_case, expectedVersion) => {
    const tenant = newTenant()
    await bench.store.settings.put({ tenant, settings: settings(), expectedVersion: 0 })
    await bench.store.settings.put({ tenant, settings: settings({ concurrency: 3 }), expectedVersion: 1 })
    const change = { tenant, settings: settings({ concurrency: 9, language: 'en' }), expectedVersion }
    expect(await bench.store.settings.put(change)).toBe(false)
    expect(await bench.store.settings.find(tenant)).toEqual({ settings: settings({ concurrency: 3 }), version: 2 })
    expect(await limitOf(tenant)).toBe(3)
  })

  it('are not stored where the writer saw a version of what is not there', async () => {
    const tenant = newTenant()
    expect(await bench.store.settings.put({ tenant, settings: settings(), expectedVersion: 1 })).toBe(false)
    expect(await bench.store.settings.find(tenant)).toBeNull()
  })

  it.each<TenantConcurrency>([7, 0, 'unlimited', null])('hold %s as how many may run at once', async (concurrency) => {
    const tenant = newTenant()
    await bench.store.settings.put({ tenant, settings: settings({ concurrency: 5 }), expectedVersion: 0 })
    await bench.store.settings.put({ tenant, settings: settings({ concurrency }), expectedVersion: 1 })
    expect(await limitOf(tenant)).toBe(concurrency)
    expect((await bench.store.settings.find(tenant))?.settings.concurrency).toBe(concurrency)
  })

  it('rule at once how many are claimed', async () => {
    const tenant = newTenant()
    for (let n = 0; n < 5; n += 1) await bench.enqueue({ tenant })
    await bench.store.settings.put({ tenant, settings: settings({ concurrency: 2 }), expectedVersion: 0 })
    const node = await bench.node()
    expect(await bench.claim(node)).toHaveLength(2)
    await bench.store.settings.put({ tenant, settings: settings({ concurrency: 'unlimited' }), expectedVersion: 1 })
    expect(await bench.claim(node)).toHaveLength(3)
  })

  it('tell of a limit that was set elsewhere', async () => {
    const tenant = newTenant()
    await bench.store.settings.put({ tenant, settings: settings({ concurrency: 2 }), expectedVersion: 0 })
    await bench.store.tenants.limit([{ tenant, concurrency: 4 }])
    expect(await bench.store.settings.find(tenant)).toEqual({ settings: settings({ concurrency: 4 }), version: 1 })
  })

  describe('of several who saw the same', () => {
    it.each([0, 1])('version %i, one stores', async (expectedVersion) => {
      const tenant = newTenant()
      if (expectedVersion === 1) await bench.store.settings.put({ tenant, settings: settings(), expectedVersion: 0 })
      const stores = [bench.store, await bench.openAnother(), await bench.openAnother()]
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, n) => {
          const change = { tenant, settings: settings({ concurrency: n + 1 }), expectedVersion }
          return stores[n % stores.length]!.settings.put(change)
        }),
      )
      expect(answers.filter(Boolean)).toHaveLength(1)
      const kept = await bench.store.settings.find(tenant)
      expect(kept?.settings.concurrency).toBe(answers.indexOf(true) + 1)
      expect(kept?.version).toBe(expectedVersion + 1)
    })
  })
}

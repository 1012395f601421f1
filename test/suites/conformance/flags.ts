import { afterEach, describe, expect, it } from 'vitest'
import { FLAGS, type Flag, type FlagSource } from '../../../src/access/flag.ts'
import type { FlagValue } from '../../../src/store/flags.ts'
import { type Bench, MINUTE, success } from './bench.ts'

export function describeFlags(bench: Bench): void {
  let count = 0
  /** A tenant of which nothing is said. */
  const newTenant = () => `flagged-${++count}-${bench.uuid()}`

  afterEach(() => bench.store.flags.putDefaults(FLAGS.map((flag) => ({ flag, isEnabled: null }))))

  const put = (tenant: string, flag: Flag, isEnabled: boolean | null) =>
    bench.store.flags.put({ tenant, flags: [{ flag, isEnabled }] })

  const provide = (tenant: string, flag: Flag, isEnabled: boolean | null) =>
    bench.store.flags.provide([{ tenant, flag, isEnabled }])

  const claim = async (nodeId: string, tenants: readonly string[]) => {
    const claimed = await bench.claim(nodeId, { limit: 100 })
    return claimed.map(({ body }) => body.tenant).filter((tenant) => tenants.includes(tenant))
  }

  it('are on where nobody has said anything', async () => {
    expect(await bench.store.flags.read(newTenant())).toEqual({
      JOBS_SCHEDULING: { isEnabled: true, source: 'default' },
      HANGFIRE_DASHBOARD: { isEnabled: true, source: 'default' },
      JOB_RETRY_POLICY: { isEnabled: true, source: 'default' },
      JOB_NOTIFICATIONS: { isEnabled: true, source: 'default' },
    })
  })

  type Said = boolean | null
  const precedence: [common: Said, stored: Said, provided: Said, isEnabled: boolean, source: FlagSource][] = [
    [false, null, null, false, 'default'],
    [true, null, null, true, 'default'],
    [null, false, null, false, 'stored'],
    [false, true, null, true, 'stored'],
    [null, null, false, false, 'provider'],
    [null, true, false, false, 'provider'],
    [false, false, true, true, 'provider'],
  ]
  it.each(precedence)('with %j for all, %j stored and %j provided is %j (%s)', async (...row) => {
    const [common, stored, provided, isEnabled, source] = row
    const tenant = newTenant()
    await provide(tenant, 'JOB_NOTIFICATIONS', provided)
    await put(tenant, 'JOB_NOTIFICATIONS', stored)
    await bench.store.flags.putDefaults([{ flag: 'JOB_NOTIFICATIONS', isEnabled: common }])
    const flags = await bench.store.flags.read(tenant)
    expect(flags.JOB_NOTIFICATIONS).toEqual({ isEnabled, source })
    expect(flags.HANGFIRE_DASHBOARD).toEqual({ isEnabled: true, source: 'default' })
  })

  it('of which nothing is said any more are as before', async () => {
    const tenant = newTenant()
    await put(tenant, 'HANGFIRE_DASHBOARD', false)
    await put(tenant, 'HANGFIRE_DASHBOARD', null)
    await provide(tenant, 'HANGFIRE_DASHBOARD', false)
    await provide(tenant, 'HANGFIRE_DASHBOARD', null)
    expect((await bench.store.flags.read(tenant)).HANGFIRE_DASHBOARD).toEqual({ isEnabled: true, source: 'default' })
  })

  it('take the last word where one is switched twice at once, and several at once', async () => {
    const tenant = newTenant()
    const flags: FlagValue[] = [
      { flag: 'JOB_RETRY_POLICY', isEnabled: true },
      { flag: 'HANGFIRE_DASHBOARD', isEnabled: false },
      { flag: 'JOB_RETRY_POLICY', isEnabled: false },
    ]
    await bench.store.flags.put({ tenant, flags })
    await bench.store.flags.putDefaults(flags)
    for (const each of [tenant, newTenant()]) {
      expect(await bench.store.flags.read(each)).toMatchObject({
        JOB_RETRY_POLICY: { isEnabled: false },
        HANGFIRE_DASHBOARD: { isEnabled: false },
        JOBS_SCHEDULING: { isEnabled: true },
      })
    }
  })

  it('nothing to switch switches nothing', async () => {
    await bench.store.flags.put({ tenant: newTenant(), flags: [] })
    await bench.store.flags.putDefaults([])
    await bench.store.flags.provide([])
  })

  it('make a tenant known', async () => {
    const tenant = newTenant()
    await put(tenant, 'JOB_NOTIFICATIONS', false)
    const known = await bench.store.tenants.list({ limit: 100_000 })
    expect(known.find((each) => each.tenant === tenant)).toEqual({ tenant, concurrency: null, limit: null, running: 0 })
  })

  it('of other tenants are unknown to a tenant, and not its to switch', async () => {
    const [tenant, other] = [newTenant(), newTenant()]
    await put(other, 'JOB_NOTIFICATIONS', false)
    const { flags } = bench.store.forTenant(tenant)
    expect((await flags.read(other)).JOB_NOTIFICATIONS.isEnabled).toBe(true)
    await expect(flags.put({ tenant: other, flags: [{ flag: 'JOBS_SCHEDULING', isEnabled: false }] })).rejects.toThrow()
    expect((await bench.store.flags.read(other)).JOBS_SCHEDULING.isEnabled).toBe(true)
    await flags.put({ tenant, flags: [{ flag: 'JOBS_SCHEDULING', isEnabled: false }] })
    expect((await flags.read(tenant)).JOBS_SCHEDULING).toEqual({ isEnabled: false, source: 'stored' })
  })

  describe('without JOBS_SCHEDULING', () => {
    const limits: [string, number | 'unlimited' | null][] = [
      ['without a limit', null],
      ['with a limit', 3],
      ['with none by its own word', 'unlimited'],
    ]
    it.each(limits)('nothing of a tenant %s is claimed until it is on again', async (_case, concurrency) => {
      const [tenant, other] = [newTenant(), newTenant()]
      await bench.store.tenants.limit([{ tenant, concurrency }])
      const node = await bench.node()
      await bench.enqueue({ tenant })
      expect(await claim(node, [tenant])).toEqual([tenant])
      await put(tenant, 'JOBS_SCHEDULING', false)
      await bench.enqueue({ tenant })
      await bench.enqueue({ tenant: other })
      expect(await claim(node, [tenant, other])).toEqual([other])
      expect(await claim(node, [tenant, other])).toEqual([])
      await put(tenant, 'JOBS_SCHEDULING', true)
      expect(await claim(node, [tenant, other])).toEqual([tenant])
    })

    it('of one lane alone nothing is claimed', async () => {
      const tenant = newTenant()
      const node = await bench.node()
      for (let turn = 0; turn < 3; turn++) await bench.enqueue({ tenant })
      expect(await bench.claim(node, { limit: 1 })).toHaveLength(1)
      await put(tenant, 'JOBS_SCHEDULING', false)
      expect(await bench.claim(node, { limit: 1 })).toEqual([])
      await put(tenant, 'JOBS_SCHEDULING', null)
      expect(await bench.claim(node, { limit: 9 })).toHaveLength(2)
    })

    it('for all, nothing is claimed but of those that say otherwise', async () => {
      const [tenant, exempt, provided] = [newTenant(), newTenant(), newTenant()]
      const node = await bench.node()
      await bench.store.flags.putDefaults([{ flag: 'JOBS_SCHEDULING', isEnabled: false }])
      await put(exempt, 'JOBS_SCHEDULING', true)
      await provide(provided, 'JOBS_SCHEDULING', true)
      for (const each of [tenant, exempt, provided]) await bench.enqueue({ tenant: each })
      expect((await claim(node, [tenant, exempt, provided])).sort()).toEqual([exempt, provided].sort())
      await bench.store.flags.putDefaults([{ flag: 'JOBS_SCHEDULING', isEnabled: null }])
      expect(await claim(node, [tenant, exempt, provided])).toEqual([tenant])
    })

    it('what runs goes on, and its end is recorded', async () => {
      const tenant = newTenant()
      const node = await bench.node()
      await bench.enqueue({ tenant })
      const held = await bench.claimOne(node)
      await put(tenant, 'JOBS_SCHEDULING', false)
      expect(await bench.store.leases.finish([success(held)])).toEqual([held.executionId])
    })

    it('what is due is told together with who is suspended', async () => {
      const [tenant, other] = [newTenant(), newTenant()]
      await bench.put(bench.job({ tenant, nextFireAt: bench.now }), bench.job({ tenant: other, nextFireAt: bench.now }))
      expect((await bench.store.jobs.due(9)).suspended).toEqual([])
      await put(tenant, 'JOBS_SCHEDULING', false)
      expect((await bench.store.jobs.due(9)).suspended).toEqual([tenant])
      await bench.store.flags.putDefaults([{ flag: 'JOBS_SCHEDULING', isEnabled: false }])
      await put(tenant, 'JOBS_SCHEDULING', true)
      expect((await bench.store.jobs.due(9)).suspended).toEqual([other])
      bench.advance(-MINUTE)
      expect((await bench.store.jobs.due(9)).suspended).toEqual([])
      bench.advance(MINUTE)
    })
  })

  describe('without JOB_RETRY_POLICY', () => {
    const withoutRetries = async () => (await bench.store.pulse()).withoutRetries

    it('the pulse names the tenant', async () => {
      const [tenant, other] = [newTenant(), newTenant()]
      await put(tenant, 'JOB_RETRY_POLICY', false)
      await put(other, 'JOB_RETRY_POLICY', true)
      const before = await withoutRetries()
      expect(before.isAllBut).toBe(false)
      expect(before.names).toContain(tenant)
      expect(before.names).not.toContain(other)
      await put(tenant, 'JOB_RETRY_POLICY', null)
      expect((await withoutRetries()).names).not.toContain(tenant)
    })

    it('for all, the pulse names those that say otherwise', async () => {
      const [tenant, other] = [newTenant(), newTenant()]
      await put(tenant, 'JOB_RETRY_POLICY', true)
      await put(other, 'JOB_RETRY_POLICY', false)
      await bench.store.flags.putDefaults([{ flag: 'JOB_RETRY_POLICY', isEnabled: false }])
      const { isAllBut, names } = await withoutRetries()
      expect(isAllBut).toBe(true)
      expect(names).toContain(tenant)
      expect(names).not.toContain(other)
    })
  })
}

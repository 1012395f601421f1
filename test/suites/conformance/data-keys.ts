import { afterEach, describe, expect, it } from 'vitest'
import type { DataKey } from '../../../src/store/data-keys.ts'
import type { Bench } from './bench.ts'

export function describeDataKeys(bench: Bench): void {
  /** Of a tenant that nobody else has. */
  const key = (change: Partial<DataKey> = {}): DataKey => ({
    tenant: bench.uuid(),
    version: 1,
    keyId: 'test',
    wrapped: 'AAAA',
    ...change,
  })

  // Whoever opens the store next may have no key but this one.
  afterEach(async () => {
    const { dataKeys } = bench.store
    const left = await dataKeys.listOthers('test', 10_000)
    await dataKeys.rewrap(left.map((seen) => ({ seen, keyId: 'test', wrapped: seen.wrapped })))
  })

  it('finds keys of tenants by version, and leaves out who has none', async () => {
    const { dataKeys } = bench.store
    const first = key()
    const second = { ...first, version: 2, wrapped: 'BBBB' }
    await dataKeys.add([second, first, key()])
    expect(await dataKeys.find([first.tenant, 'nobody'])).toEqual([first, second])
  })

  it('a key that is there stays', async () => {
    const { dataKeys } = bench.store
    const first = key()
    await dataKeys.add([first])
    await dataKeys.add([{ ...first, keyId: 'other', wrapped: 'BBBB' }])
    expect(await dataKeys.find([first.tenant])).toEqual([first])
  })

  it('of two who add the first key at once one is first for both', async () => {
    const tenant = bench.uuid()
    const other = await bench.openAnother()
    await Promise.all([
      bench.store.dataKeys.add([key({ tenant, wrapped: 'AAAA' })]),
      other.dataKeys.add([key({ tenant, wrapped: 'BBBB' })]),
    ])
    const found = await bench.store.dataKeys.find([tenant])
    expect(found).toHaveLength(1)
    expect(await other.dataKeys.find([tenant])).toEqual(found)
  })

  describe('rewrap', () => {
    it('puts another wrapping in place of the one that was seen', async () => {
      const { dataKeys } = bench.store
      const seen = key()
      await dataKeys.add([seen])
      expect(await dataKeys.rewrap([{ seen, keyId: 'next', wrapped: 'CCCC' }])).toBe(1)
      expect(await dataKeys.find([seen.tenant])).toEqual([{ ...seen, keyId: 'next', wrapped: 'CCCC' }])
    })

    it('leaves alone what has changed since', async () => {
      const { dataKeys } = bench.store
      const seen = key()
      await dataKeys.add([seen])
      await dataKeys.rewrap([{ seen, keyId: 'next', wrapped: 'CCCC' }])
      expect(await dataKeys.rewrap([{ seen, keyId: 'late', wrapped: 'DDDD' }])).toBe(0)
      expect(await dataKeys.find([seen.tenant])).toMatchObject([{ keyId: 'next' }])
    })

    it('of nothing changes nothing', async () => {
      expect(await bench.store.dataKeys.rewrap([])).toBe(0)
    })
  })

  it('tells what each key of the ring has wrapped, and lists what others have', async () => {
    const { dataKeys } = bench.store
    const keyId = bench.uuid()
    const keys = [key({ keyId }), key({ keyId }), key()].toSorted((a, b) => (a.tenant < b.tenant ? -1 : 1))
    await dataKeys.add(keys)
    expect((await dataKeys.count()).find((use) => use.keyId === keyId)).toEqual({ keyId, dataKeys: 2 })
    const others = await dataKeys.listOthers('test', 10_000)
    expect(others.filter((each) => each.keyId === keyId)).toEqual(keys.filter((each) => each.keyId === keyId))
    expect(others.some((each) => each.keyId === 'test')).toBe(false)
    expect(await dataKeys.listOthers('test', 1)).toHaveLength(1)
  })
}

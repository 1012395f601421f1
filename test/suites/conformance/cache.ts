import { describe, expect, it } from 'vitest'
import type { CachePlace } from '../../../src/store/cache.ts'
import { type Bench, failure, HOUR, success } from './bench.ts'

const HASH = 'a'.repeat(64)

export function describeCache(bench: Bench): void {
  /** Where nobody else keeps anything: what a test keeps it leaves behind. */
  const place = (change: Partial<CachePlace> = {}): CachePlace => ({
    tenant: 'acme',
    jobType: bench.uuid(),
    hash: HASH,
    ...change,
  })

  /** An execution that has succeeded. */
  async function ended(output: string | null = '{"rows":3}'): Promise<string> {
    const held = await bench.running()
    await bench.store.leases.finish([success(held, { output })])
    return held.executionId
  }

  async function keep(at: CachePlace, output: string | null = '{"rows":3}', ttlMs = HOUR): Promise<string> {
    const executionId = await ended(output)
    await bench.store.cache.put([{ ...at, executionId, ttlMs }])
    return executionId
  }

  const find = (...places: CachePlace[]) => bench.store.cache.find(places)

  describe('put', () => {
    it.each(['{"rows":3}', '"\\u0000"', null])('keeps output %j of an execution that has succeeded', async (output) => {
      const at = place()
      const executionId = await keep(at, output)
      expect(await find(at)).toEqual([{ ...at, executionId, output }])
    })

    it.each([
      ['FAILED', failure],
      ['TIMEOUT', failure],
      ['CANCELLED', failure],
    ] as const)('keeps nothing of one that ended as %s', async (status, error) => {
      const at = place()
      const held = await bench.running()
      await bench.store.leases.finish([success(held, { status, error })])
      await bench.store.cache.put([{ ...at, executionId: held.executionId, ttlMs: HOUR }])
      expect(await find(at)).toEqual([])
    })

    it('keeps nothing of one that runs, or that is gone', async () => {
      const at = place()
      const { executionId } = await bench.running()
      await bench.store.cache.put([
        { ...at, executionId, ttlMs: HOUR },
        { ...at, executionId: bench.uuid(), ttlMs: HOUR },
      ])
      expect(await find(at)).toEqual([])
    })

    it.each([
      ['the later one comes last', false],
      ['the later one comes first', true],
    ])('keeps what ended last, where %s', async (_order, isReversed) => {
      const at = place()
      const ids = [await ended('1')]
      bench.advance(1)
      ids.push(await ended('2'))
      const [, later] = ids
      for (const executionId of isReversed ? ids.toReversed() : ids) {
        await bench.store.cache.put([{ ...at, executionId, ttlMs: HOUR }])
      }
      expect(await find(at)).toEqual([{ ...at, executionId: later, output: '2' }])
    })

    it.each([false, true])('keeps what ended last of several in one call (reversed: %s)', async (isReversed) => {
      const at = place()
      const ids = [await ended('1')]
      bench.advance(1)
      ids.push(await ended('2'))
      const inOrder = isReversed ? ids.toReversed() : ids
      await bench.store.cache.put(inOrder.map((executionId) => ({ ...at, executionId, ttlMs: HOUR })))
      expect(await find(at)).toMatchObject([{ executionId: ids[1] }])
    })

    it('of two that ended together the one that is put last stays', async () => {
      const [at, other] = [place(), place()]
      const ids = [await ended('1'), await ended('2')]
      await bench.store.cache.put(ids.map((executionId) => ({ ...at, executionId, ttlMs: HOUR })))
      for (const executionId of ids) await bench.store.cache.put([{ ...other, executionId, ttlMs: HOUR }])
      expect(await find(at, other)).toMatchObject([{ output: '2' }, { output: '2' }])
    })

    it('does the same a second time', async () => {
      const at = place()
      const executionId = await keep(at)
      bench.advance(5)
      await bench.store.cache.put([{ ...at, executionId, ttlMs: HOUR }])
      bench.advance(HOUR - 6)
      expect(await find(at)).toHaveLength(1)
      bench.advance(1)
      expect(await find(at)).toEqual([])
    })
  })

  describe('find', () => {
    it.each([
      ['a millisecond before its time is over', HOUR - 1, 1],
      ['when its time is over', HOUR, 0],
      ['after that', HOUR + 1, 0],
    ])('%s', async (_when, afterMs, count) => {
      const at = place()
      const held = await bench.running()
      bench.advance(7)
      await bench.store.leases.finish([success(held)])
      // It counts from the end of the run, whenever it is kept.
      bench.advance(10)
      await bench.store.cache.put([{ ...at, executionId: held.executionId, ttlMs: HOUR }])
      bench.advance(afterMs - 10)
      expect(await find(at)).toHaveLength(count)
    })

    it('tells tenants, job types and hashes apart', async () => {
      const at = place()
      await keep(at)
      const others = [
        { ...at, tenant: bench.uuid() },
        { ...at, jobType: 'export' },
        { ...at, hash: 'b'.repeat(64) },
      ]
      expect(await find(...others)).toEqual([])
      expect(await find(...others, at)).toHaveLength(1)
    })

    it('gives what is asked for twice once', async () => {
      const at = place()
      await keep(at)
      expect(await find(at, { ...at })).toHaveLength(1)
    })

    it('gives several at once, in any order', async () => {
      const [one, two] = [place(), place()]
      await keep(one, '1')
      await keep(two, '2')
      const found = await find(two, place(), one)
      expect(new Set(found.map(({ output }) => output))).toEqual(new Set(['1', '2']))
      expect(found).toHaveLength(2)
    })

    it('gives what outlives its execution', async () => {
      const at = place()
      const executionId = await keep(at)
      expect(await bench.store.executions.purge(bench.now + 1, 10)).toBe(1)
      expect(await bench.store.executions.find([executionId])).toEqual([])
      expect(await find(at)).toEqual([{ ...at, executionId, output: '{"rows":3}' }])
    })
  })

  describe('clear', () => {
    it('removes all of a tenant and job type, and spares the others', async () => {
      const at = place()
      const second = { ...at, hash: 'b'.repeat(64) }
      const others = [{ ...at, jobType: 'export' }, place()]
      for (const each of [at, second, ...others]) await keep(each)
      expect(await bench.store.cache.clear({ tenant: at.tenant, jobType: at.jobType }, 10)).toBe(2)
      expect(await find(at, second)).toEqual([])
      expect(await find(...others)).toHaveLength(2)
    })

    it('removes one place', async () => {
      const at = place()
      const second = { ...at, hash: 'b'.repeat(64) }
      for (const each of [at, second]) await keep(each)
      expect(await bench.store.cache.clear(at, 10)).toBe(1)
      expect(await find(at, second)).toMatchObject([second])
      expect(await bench.store.cache.clear(at, 10)).toBe(0)
    })

    it('removes no more than its limit', async () => {
      const at = place()
      for (const digit of 'abc') await keep({ ...at, hash: digit.repeat(64) })
      const { tenant, jobType } = at
      const counts = [0, 2, 2, 2]
      const cleared: number[] = []
      for (const limit of counts) cleared.push(await bench.store.cache.clear({ tenant, jobType }, limit))
      expect(cleared).toEqual([0, 2, 1, 0])
    })
  })

  it('maintain removes what no longer counts, and nothing else', async () => {
    const [over, counts] = [place(), place()]
    await keep(over)
    bench.advance(1)
    await keep(counts)
    bench.advance(HOUR - 1)
    await bench.store.maintain()
    expect(await bench.store.cache.clear(over, 10)).toBe(0)
    expect(await bench.store.cache.clear(counts, 10)).toBe(1)
  })

  it('maintain removes more than it takes in one go', async () => {
    const at = place()
    const executionId = await ended()
    const many = Array.from({ length: 5_001 }, (_, n) => ({ ...at, hash: n.toString(16), executionId, ttlMs: 1 }))
    await bench.store.cache.put(many)
    bench.advance(1)
    await bench.store.maintain()
    expect(await bench.store.cache.clear({ tenant: at.tenant, jobType: at.jobType }, 10_000)).toBe(0)
  })

  it('those who keep, clear and maintain side by side do not hinder each other', async () => {
    const { tenant, jobType } = place()
    const others = await Promise.all([1, 2, 3].map(() => bench.openAnother()))
    const executionId = await ended('1')
    const hashes = Array.from({ length: 50 }, (_, n) => n.toString(16))
    const entries = hashes.map((hash) => ({ tenant, jobType, hash, executionId, ttlMs: HOUR }))
    const rounds = Array.from({ length: 10 }, async (_, round) => {
      const store = others[round % others.length] ?? bench.store
      await store.cache.put(round % 2 === 0 ? entries : entries.toReversed())
      await store.cache.clear({ tenant, jobType }, 20)
      await store.maintain()
      await store.cache.put(entries.toReversed())
    })
    await Promise.all(rounds)
    await bench.store.cache.put(entries)
    expect(await bench.store.cache.find(entries)).toHaveLength(50)
    await Promise.all(others.map((store) => store.close()))
  })

  it('an end says whose result it was given', async () => {
    const first = await ended('1')
    const held = await bench.running()
    const ran = await bench.running()
    await bench.store.leases.finish([success(held, { output: '1', cachedFrom: first }), success(ran)])
    expect(await bench.find(held.executionId)).toMatchObject({ status: 'SUCCESS', output: '1', cachedFrom: first })
    expect(await bench.find(ran.executionId)).toMatchObject({ status: 'SUCCESS', cachedFrom: null })
    const listed = await bench.store.executions.list({ limit: 10 })
    expect(listed.map(({ id, cachedFrom }) => [id, cachedFrom])).toEqual(
      [first, held.executionId, ran.executionId].toReversed().map((id) => [id, id === held.executionId ? first : null]),
    )
  })

  it('an end says so also where it has no output', async () => {
    const first = await ended(null)
    const held = await bench.running()
    await bench.store.leases.finish([success(held, { cachedFrom: first })])
    expect(await bench.find(held.executionId)).toMatchObject({ status: 'SUCCESS', output: null, cachedFrom: first })
  })

  it('empty lists do nothing', async () => {
    await bench.store.cache.put([])
    expect(await find()).toEqual([])
  })
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grantStarts, type Starts } from '../../src/job/starts.ts'
import type { Resting } from '../../src/store/leases.ts'
import type { RateRequest } from '../../src/store/rates.ts'
import type { Store } from '../../src/store/store.ts'
import { type Bench, MINUTE } from './bench.ts'

export function describeRates(bench: Bench): void {
  let count = 0
  /** A rate that no other test has used. */
  function rate(change: Partial<RateRequest> = {}): RateRequest {
    count += 1
    return { jobType: `import-${count}`, tenant: 'acme', wanted: 1, limit: 3, perMs: MINUTE, ...change }
  }

  describe('acquire', () => {
    test('grants as many as the limit allows, and tells when there are more', async () => {
      const asked = rate({ wanted: 2 })
      const startedAt = bench.now
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 2, nextAt: null }])
      bench.advance(10)
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 1, nextAt: startedAt + MINUTE }])
      bench.advance(MINUTE - 11)
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 0, nextAt: startedAt + MINUTE }])
      bench.advance(1)
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 2, nextAt: startedAt + MINUTE + 10 }])
    })

    test('counts job types and tenants by themselves, and all tenants together by themselves', async () => {
      const asked = rate({ wanted: 3 })
      const others = [rate({ wanted: 3 }), { ...asked, tenant: 'globex' }, { ...asked, tenant: null }]
      const full = { granted: 3, nextAt: bench.now + MINUTE }
      expect(await bench.store.rates.acquire([asked, ...others])).toEqual([full, full, full, full])
      const none = { ...full, granted: 0 }
      expect(await bench.store.rates.acquire([...others, asked])).toEqual([none, none, none, none])
    })

    test('answers in the order of the requests, also where one rate is asked for twice', async () => {
      const [b, a] = [rate({ jobType: 'zebra', wanted: 1 }), rate({ jobType: 'aardvark', wanted: 9, limit: 5 })]
      const answers = await bench.store.rates.acquire([b, a, { ...b, wanted: 5 }, b])
      expect(answers.map(({ granted }) => granted)).toEqual([1, 5, 2, 0])
      bench.advance(MINUTE)
    })

    test('takes the limit that is named: a lower one waits until enough are past', async () => {
      const asked = rate({ wanted: 2, limit: 10 })
      const startedAt = bench.now
      for (let round = 0; round < 3; round += 1) {
        expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 2, nextAt: null }])
        bench.advance(100)
      }
      expect(await bench.store.rates.acquire([{ ...asked, limit: 3 }])).toEqual([
        { granted: 0, nextAt: startedAt + 100 + MINUTE },
      ])
    })

    test('wants nothing: uses nothing', async () => {
      const asked = rate({ wanted: 0 })
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 0, nextAt: null }])
      expect(await bench.store.rates.acquire([{ ...asked, wanted: 3 }])).toMatchObject([{ granted: 3 }])
      expect(await bench.store.rates.acquire([])).toEqual([])
    })

    test('names of any letters are kept apart', async () => {
      const names = ['é', 'e\u0301', '𝒳', '"', '{}', 'null', "'"]
      const asked = names.flatMap((jobType) => names.map((tenant) => rate({ jobType, tenant, wanted: 3 })))
      const answers = await bench.store.rates.acquire(asked)
      expect(answers.every(({ granted }) => granted === 3)).toBe(true)
      bench.advance(MINUTE)
    })

    test('a clock that is set back grants nothing twice', async () => {
      const asked = rate({ wanted: 3 })
      const startedAt = bench.now
      await bench.store.rates.acquire([asked])
      bench.advance(-10 * MINUTE)
      try {
        expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 0, nextAt: startedAt + MINUTE }])
      } finally {
        bench.advance(10 * MINUTE)
      }
    })

    test('grants what the rule says, whatever is asked when', async () => {
      const requests = fc.array(fc.record({ pauseMs: fc.nat(90), wanted: fc.integer({ min: 1, max: 9 }) }), {
        minLength: 100,
        maxLength: 160,
      })
      const rules = fc.record({ limit: fc.integer({ min: 1, max: 400 }), perMs: fc.integer({ min: 1, max: 9_000 }) })
      await fc.assert(
        fc.asyncProperty(rules, requests, async (rule, all) => {
          const asked = rate(rule)
          let known: readonly Starts[] = []
          for (const { pauseMs, wanted } of all) {
            bench.advance(pauseMs)
            const { starts, ...expected } = grantStarts(known, { ...asked, wanted }, bench.now)
            known = starts
            expect(await bench.store.rates.acquire([{ ...asked, wanted }])).toEqual([expected])
          }
        }),
        { numRuns: 4 },
      )
    })
  })

  describe('a claim', () => {
    test('takes nothing of what rests: of a tenant, or of all', async () => {
      const lanes = ['import', 'export'].flatMap((jobType) => ['acme', 'globex'].map((tenant) => ({ jobType, tenant })))
      for (const lane of lanes) await bench.enqueue(lane)
      const jobTypes = ['import', 'export']
      const node = await bench.node({ jobTypes })
      const taken = async (resting: readonly Resting[]) => {
        const claimed = await bench.claim(node, { jobTypes, resting })
        await bench.store.leases.release(claimed)
        return claimed.map(({ body }) => `${body.jobType} of ${body.tenant}`).toSorted()
      }
      const all = ['export of acme', 'export of globex', 'import of acme', 'import of globex']
      expect(await taken([])).toEqual(all)
      expect(await taken([{ jobType: 'import', tenant: 'acme' }])).toEqual(all.filter((each) => each !== all[2]))
      expect(await taken([{ jobType: 'export', tenant: null }])).toEqual(all.slice(2))
      expect(await taken(jobTypes.map((jobType) => ({ jobType, tenant: null })))).toEqual([])
      expect(await taken([{ jobType: 'unknown', tenant: null }])).toEqual(all)
    })

    test('finds what rested once it rests no more, though other work was taken meanwhile', async () => {
      const rested = await bench.enqueue({ jobType: 'import' })
      const jobTypes = ['import', 'export']
      const node = await bench.node({ jobTypes })
      const resting = [{ jobType: 'import', tenant: 'acme' }]
      for (let round = 0; round < 5; round += 1) {
        await bench.enqueue({ jobType: 'export' })
        expect(await bench.claim(node, { jobTypes, resting })).toHaveLength(1)
      }
      expect(await bench.claim(node, { jobTypes, resting })).toHaveLength(0)
      expect(await bench.claim(node, { jobTypes })).toMatchObject([{ executionId: rested }])
    })
  })

  describe('maintain', () => {
    test('removes what is past, and nothing that counts', async () => {
      const [short, long] = [rate({ wanted: 3, perMs: 1_000 }), rate({ wanted: 3, perMs: 10 * MINUTE })]
      await bench.store.rates.acquire([short, long])
      bench.advance(1_000)
      await bench.store.maintain()
      expect(await bench.store.rates.acquire([short, long])).toMatchObject([{ granted: 3 }, { granted: 0 }])
    })
  })
}

/** What holds when several processes ask at once, each with connections of its own. */
export function describeRateRaces(bench: Bench): void {
  test('8 who ask for the same rates are never granted more than the limits, and neither wait for each other in a circle', async () => {
    const stores: Store[] = await Promise.all(Array.from({ length: 8 }, () => bench.openAnother()))
    const rates = ['a', 'b', 'c', 'd'].map((tenant) => ({
      jobType: 'raced',
      tenant,
      wanted: 3,
      limit: 100,
      perMs: MINUTE,
    }))
    const granted = new Map<string, number>()
    await Promise.all(
      stores.map(async (store, index) => {
        for (let round = 0; round < 30; round += 1) {
          const asked = (index + round) % 2 === 0 ? rates : rates.toReversed()
          const answers = await store.rates.acquire(asked)
          for (const [place, { tenant }] of asked.entries()) {
            granted.set(tenant, (granted.get(tenant) ?? 0) + (answers[place]?.granted ?? 0))
          }
        }
      }),
    )
    expect(Object.fromEntries(granted)).toEqual({ a: 100, b: 100, c: 100, d: 100 })
  })
}

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grantStarts, type Starts } from '../../../src/job/rules/rate-limit.ts'
import type { ClaimRequest, Resting } from '../../../src/store/leases.ts'
import type { RateRequest, RateRule } from '../../../src/store/rates.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { type Bench, MINUTE } from './bench.ts'

export function describeRates(bench: Bench): void {
  let count = 0
  /** A rate that no other test has used. */
  function rate(change: Partial<RateRequest> = {}): RateRequest {
    count += 1
    return { jobType: `import-${count}`, tenant: 'acme', wanted: 1, limit: 3, perMs: MINUTE, ...change }
  }

  describe('acquire', () => {
    it('grants as many as the limit allows, and tells when there are more', async () => {
      const asked = rate({ wanted: 2 })
      const startedAt = bench.now
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 2, at: startedAt, nextAt: null }])
      bench.advance(10)
      expect(await bench.store.rates.acquire([asked])).toEqual([
        { granted: 1, at: startedAt + 10, nextAt: startedAt + MINUTE },
      ])
      bench.advance(MINUTE - 11)
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 0, at: null, nextAt: startedAt + MINUTE }])
      bench.advance(1)
      expect(await bench.store.rates.acquire([asked])).toEqual([
        { granted: 2, at: startedAt + MINUTE, nextAt: startedAt + MINUTE + 10 },
      ])
    })

    it('counts job types and tenants by themselves, and all tenants together by themselves', async () => {
      const asked = rate({ wanted: 3 })
      const others = [rate({ wanted: 3 }), { ...asked, tenant: 'globex' }, { ...asked, tenant: null }]
      const full = { granted: 3, at: bench.now, nextAt: bench.now + MINUTE }
      expect(await bench.store.rates.acquire([asked, ...others])).toEqual([full, full, full, full])
      const none = { ...full, granted: 0, at: null }
      expect(await bench.store.rates.acquire([...others, asked])).toEqual([none, none, none, none])
    })

    it('answers in the order of the requests, also where one rate is asked for twice', async () => {
      const [b, a] = [rate({ jobType: 'zebra', wanted: 1 }), rate({ jobType: 'aardvark', wanted: 9, limit: 5 })]
      const answers = await bench.store.rates.acquire([b, a, { ...b, wanted: 5 }, b])
      expect(answers.map(({ granted }) => granted)).toEqual([1, 5, 2, 0])
      bench.advance(MINUTE)
    })

    it('takes the limit that is named: a lower one waits until enough are past', async () => {
      const asked = rate({ wanted: 2, limit: 10 })
      const startedAt = bench.now
      for (let round = 0; round < 3; round += 1) {
        expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 2, at: bench.now, nextAt: null }])
        bench.advance(100)
      }
      expect(await bench.store.rates.acquire([{ ...asked, limit: 3 }])).toEqual([
        { granted: 0, at: null, nextAt: startedAt + 100 + MINUTE },
      ])
    })

    it('counts starts from the end of the time within which they happen', async () => {
      const asked = rate({ wanted: 3, withinMs: 200 })
      const startedAt = bench.now
      const freeAt = startedAt + 200 + MINUTE
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 3, at: startedAt + 200, nextAt: freeAt }])
      bench.advance(MINUTE + 199)
      expect(await bench.store.rates.acquire([asked])).toMatchObject([{ granted: 0, nextAt: freeAt }])
      bench.advance(1)
      expect(await bench.store.rates.acquire([asked])).toMatchObject([{ granted: 3 }])
    })

    it('grants again what is returned, once', async () => {
      const asked = rate({ wanted: 3 })
      const at = bench.now
      await bench.store.rates.acquire([asked])
      bench.advance(5)
      expect(await bench.store.rates.acquire([{ ...asked, wanted: 0, returned: { at, count: 2 } }])).toEqual([
        { granted: 0, at: null, nextAt: null },
      ])
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 2, at: at + 5, nextAt: at + MINUTE }])
      bench.advance(MINUTE)
      // Starts that have left the window have nothing to give back.
      await bench.store.rates.acquire([asked])
      expect(await bench.store.rates.acquire([{ ...asked, wanted: 1, returned: { at, count: 1 } }])).toMatchObject([
        { granted: 0 },
      ])
    })

    it('wants nothing: uses nothing', async () => {
      const asked = rate({ wanted: 0 })
      expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 0, at: null, nextAt: null }])
      expect(await bench.store.rates.acquire([{ ...asked, wanted: 3 }])).toMatchObject([{ granted: 3 }])
      expect(await bench.store.rates.acquire([])).toEqual([])
    })

    it('names of any letters are kept apart', async () => {
      const names = ['é', 'e\u0301', '𝒳', '"', '{}', 'null', "'"]
      const asked = names.flatMap((jobType) => names.map((tenant) => rate({ jobType, tenant, wanted: 3 })))
      const answers = await bench.store.rates.acquire(asked)
      expect(answers.every(({ granted }) => granted === 3)).toBe(true)
      bench.advance(MINUTE)
    })

    it('a clock that is set back grants nothing twice', async () => {
      const asked = rate({ wanted: 3 })
      const startedAt = bench.now
      await bench.store.rates.acquire([asked])
      bench.advance(-10 * MINUTE)
      try {
        expect(await bench.store.rates.acquire([asked])).toEqual([{ granted: 0, at: null, nextAt: startedAt + MINUTE }])
      } finally {
        bench.advance(10 * MINUTE)
      }
    })

    it('grants what the rule says, whatever is asked when', async () => {
      const request = fc.record({
        pauseMs: fc.nat(90),
        wanted: fc.integer({ min: 1, max: 9 }),
        withinMs: fc.nat(40),
        isReturned: fc.boolean(),
      })
      const requests = fc.array(request, { minLength: 100, maxLength: 160 })
      const rules = fc.record({ limit: fc.integer({ min: 1, max: 400 }), perMs: fc.integer({ min: 1, max: 9_000 }) })
      await fc.assert(
        fc.asyncProperty(rules, requests, async (rule, all) => {
          const asked = rate(rule)
          let known: readonly Starts[] = []
          let returned: Starts | undefined
          for (const { pauseMs, wanted, withinMs, isReturned } of all) {
            bench.advance(pauseMs)
            const each = { ...asked, wanted, withinMs, returned }
            const { starts, ...expected } = grantStarts(known, each, bench.now)
            known = starts
            expect(await bench.store.rates.acquire([each])).toEqual([expected])
            const { at, granted } = expected
            returned = isReturned && at !== null ? { at, count: granted } : undefined
          }
        }),
        { numRuns: 4 },
      )
    })
  })

  describe('a claim that keeps rate limits', () => {
    let count = 0
    /** A limit for a job type that no other test uses. */
    function rule(change: Partial<RateRule> = {}): RateRule {
      count += 1
      const jobType = `limited-${count}`
      return { jobType, limit: 2, perMs: MINUTE, by: 'tenant', withinMs: 0, sinceAged: 0, isDurable: false, ...change }
    }
    async function claimed(limited: RateRule, change: Partial<ClaimRequest> = {}) {
      const jobTypes = [limited.jobType]
      const nodeId = await bench.node({ jobTypes })
      return await bench.store.leases.claim({
        nodeId,
        limit: 100,
        queues: ['default'],
        jobTypes,
        aged: 0,
        rates: [limited],
        ...change,
      })
    }

    it('takes as many as may start, in order, and leaves the others in their place', async () => {
      const limited = rule()
      const { jobType } = limited
      const ids: string[] = []
      for (const priority of ['LOW', 'MEDIUM', 'HIGH', 'MEDIUM', 'HIGH'] as const) {
        ids.push(await bench.enqueue({ jobType, priority }))
      }
      const startedAt = bench.now
      const [first, second, third, fourth, fifth] = [ids[2], ids[4], ids[1], ids[3], ids[0]]
      const starts = { jobType, tenant: 'acme', at: startedAt, nextAt: startedAt + MINUTE }
      const claim = await claimed(limited)
      expect(claim.executions.map(({ executionId }) => executionId)).toEqual([first, second])
      expect(claim.starts).toEqual([{ ...starts, executionIds: [first, second] }])
      const none = await claimed(limited)
      expect(none.executions).toEqual([])
      expect(none.starts.every((each) => each.at === null && each.nextAt === startedAt + MINUTE)).toBe(true)
      bench.advance(MINUTE)
      const next = await claimed(limited)
      expect(next.executions.map(({ executionId }) => executionId)).toEqual([third, fourth])
      bench.advance(MINUTE)
      const last = await claimed({ ...limited, withinMs: 30 })
      expect(last.executions.map(({ executionId }) => executionId)).toEqual([fifth])
      expect(last.starts).toEqual([{ ...starts, at: bench.now + 30, nextAt: null, executionIds: [fifth] }])
    })

    it('takes one in eight by age alone', async () => {
      const limited = rule({ limit: 1 })
      const { jobType } = limited
      const low = await bench.enqueue({ jobType, priority: 'LOW' })
      const high: string[] = []
      for (let each = 0; each < 3; each += 1) high.push(await bench.enqueue({ jobType, priority: 'HIGH' }))
      const order: (string | undefined)[] = []
      for (const sinceAged of [0, 6, 7, 0]) {
        const { executions } = await claimed({ ...limited, sinceAged }, { aged: 1 })
        order.push(...executions.map(({ executionId }) => executionId))
        bench.advance(MINUTE)
      }
      expect(order).toEqual([high[0], high[1], low, high[2]])
    })

    it('counts tenants by themselves, or together in turns', async () => {
      for (const [by, expected] of [
        ['tenant', { acme: 2, globex: 2 }],
        ['type', { acme: 1, globex: 1 }],
      ] as const) {
        const limited = rule({ by })
        const { jobType } = limited
        for (const tenant of ['acme', 'globex']) {
          for (let each = 0; each < 3; each += 1) await bench.enqueue({ jobType, tenant })
        }
        const { executions, starts } = await claimed(limited)
        const tenants = executions.map(({ body }) => body.tenant)
        const counts = Object.fromEntries(
          ['acme', 'globex'].map((tenant) => [tenant, tenants.filter((each) => each === tenant).length]),
        )
        expect(counts).toEqual(expected)
        expect(new Set(starts.map(({ tenant }) => tenant))).toEqual(
          new Set(by === 'tenant' ? ['acme', 'globex'] : [null]),
        )
      }
    })

    it('delays no other work, however much of it waits', async () => {
      const limited = rule({ limit: 1 })
      const other = `${limited.jobType}-other`
      const jobTypes = [limited.jobType, other]
      for (let each = 0; each < 60; each += 1) await bench.enqueue({ jobType: limited.jobType, priority: 'HIGH' })
      const id = await bench.enqueue({ jobType: other, priority: 'LOW' })
      const taken: string[] = []
      let resting: readonly Resting[] = []
      for (let tries = 0; tries < 3; tries += 1) {
        const claim = await claimed(limited, { jobTypes, limit: 5, resting })
        taken.push(...claim.executions.map(({ executionId }) => executionId))
        resting = [...resting, ...claim.starts.filter(({ nextAt }) => nextAt !== null)]
        if (claim.again === null) break
      }
      expect(taken).toHaveLength(2)
      expect(taken).toContain(id)
    })

    it('shares its count with starts that are asked for, and takes up what is returned', async () => {
      const limited = rule({ limit: 3 })
      const { jobType } = limited
      for (let each = 0; each < 4; each += 1) await bench.enqueue({ jobType })
      const asked = { jobType, tenant: 'acme', limit: 3, perMs: MINUTE }
      expect(await bench.store.rates.acquire([{ ...asked, wanted: 2 }])).toMatchObject([{ granted: 2 }])
      const claim = await claimed(limited)
      expect(claim.executions).toHaveLength(1)
      await bench.store.rates.acquire([{ ...asked, wanted: 0, returned: { at: claim.starts[0]?.at ?? 0, count: 1 } }])
      expect((await claimed(limited)).executions).toHaveLength(1)
      expect((await claimed(limited)).executions).toHaveLength(0)
    })

    it('takes durable executions that were claimed before without a start', async () => {
      const limited = rule({ limit: 1, isDurable: true })
      const { jobType } = limited
      await bench.enqueue({ jobType, options: { durable: true } })
      await bench.enqueue({ jobType, options: { durable: true } })
      const { executions } = await claimed(limited)
      expect(executions).toHaveLength(1)
      await bench.store.leases.release(executions)
      const again = await claimed(limited)
      expect(again.executions.map(({ executionId, epoch }) => [executionId, epoch])).toEqual([
        [executions[0]?.executionId, 2],
      ])
      expect(again.starts).toMatchObject([{ at: null, executionIds: [] }])
    })
  })

  describe('a claim', () => {
    it('takes nothing of what rests: of a tenant, or of all', async () => {
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

    it('finds what rested once it rests no more, though other work was taken meanwhile', async () => {
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
    it('removes what is past, and nothing that counts', async () => {
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
  it('claims of 8 processes start no more than the limit, the first ones first', async () => {
    const stores: EngineStore[] = await Promise.all(Array.from({ length: 8 }, () => bench.openAnother()))
    const jobType = 'raced-claims'
    const rule = { jobType, limit: 25, perMs: MINUTE, by: 'type', withinMs: 0, sinceAged: 0, isDurable: false } as const
    const ids: string[] = []
    for (let each = 0; each < 60; each += 1) ids.push(await bench.enqueue({ jobType }))
    const nodes = await Promise.all(stores.map(() => bench.node({ jobTypes: [jobType] })))
    const taken: string[] = []
    await Promise.all(
      stores.map(async (store, index) => {
        const request = {
          nodeId: nodes[index] ?? '',
          limit: 4,
          queues: ['default'],
          jobTypes: [jobType],
          aged: 0,
          rates: [rule],
        }
        for (let round = 0; round < 20; round += 1) {
          const { executions } = await store.leases.claim(request)
          taken.push(...executions.map(({ executionId }) => executionId))
        }
      }),
    )
    expect(taken.toSorted()).toEqual(ids.slice(0, 25).toSorted())
  })

  it('8 who ask for the same rates are never granted more than the limits, and neither wait for each other in a circle', async () => {
    const stores: EngineStore[] = await Promise.all(Array.from({ length: 8 }, () => bench.openAnother()))
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

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Priority } from '../../../src/job/rules/priority.ts'
import type { RateLimitOptions } from '../../../src/job/rules/rate-limit.ts'
import { type JobContext, type JobType, type JobTypeOptions, job } from '../../../src/job/type/job-type.ts'
import type { Claim } from '../../../src/store/leases.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { Gate } from './gate.ts'
import { type Process, Processes, type ProcessOptions } from './processes.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

interface Start {
  readonly at: number
  readonly context: JobContext
}

/** Processes that run a job type with a rate limit, and note when its attempts start. */
class Limited implements AsyncDisposable {
  readonly all = new Processes()
  readonly starts: Start[] = []
  readonly nodes: Process[] = []
  readonly type: JobType<undefined>
  readonly #startedAt = this.all.now()

  constructor(rateLimit: RateLimitOptions, options: Partial<JobTypeOptions<undefined, unknown>> = {}) {
    const { run = () => null, ...rest } = options
    this.type = job('mail', {
      rateLimit,
      ...rest,
      run: (input: undefined, context) => {
        this.starts.push({ at: this.all.now() - this.#startedAt, context })
        return run(input, context)
      },
    })
  }

  async node(options: ProcessOptions = {}): Promise<Process> {
    const node = await this.all.node({ ...options, jobs: [this.type, ...(options.jobs ?? [])] })
    this.nodes.push(node)
    return node
  }

  get app() {
    const node = this.nodes.find(({ isFrozen }) => !isFrozen)
    if (!node) throw new Error('All nodes are dead.')
    return node.app
  }

  async enqueue(count: number, options: { tenant?: string; priority?: Priority } = {}): Promise<void> {
    for (let each = 0; each < count; each += 1) await this.app.enqueue(this.type, undefined, options)
    await this.all.settle()
  }

  /** When attempts started, in milliseconds since the test did, and how many. */
  get told(): [number, number][] {
    const counts = new Map<number, number>()
    for (const { at } of this.starts) counts.set(at, (counts.get(at) ?? 0) + 1)
    return [...counts]
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.all[Symbol.asyncDispose]()
  }
}

describe('a rate limit', () => {
  it('holds for each tenant by itself', async () => {
    await using limited = new Limited({ limit: 3, per: '1m' })
    await limited.node()
    await limited.enqueue(5, { tenant: 'acme' })
    await limited.enqueue(4, { tenant: 'globex' })
    await limited.all.pass('3m')
    expect(limited.told).toEqual([
      [0, 6],
      [MINUTE, 3],
    ])
    const tenants = limited.starts.slice(6).map(({ context }) => context.tenant)
    expect(tenants.toSorted()).toEqual(['acme', 'acme', 'globex'])
  })

  it('holds for all tenants together where it says so', async () => {
    await using limited = new Limited({ limit: 3, per: '1m', by: 'type' })
    await limited.node()
    await limited.enqueue(5, { tenant: 'acme' })
    await limited.enqueue(4, { tenant: 'globex' })
    await limited.all.pass('3m')
    expect(limited.told).toEqual([
      [0, 3],
      [MINUTE, 3],
      [2 * MINUTE, 3],
    ])
  })

  it('holds over all nodes, and all of them wake when it allows more', async () => {
    await using limited = new Limited({ limit: 4, per: '1m' })
    await limited.node({ node: { slots: 3 } })
    await limited.node({ node: { slots: 3 } })
    await limited.node({ node: { slots: 3 } })
    await limited.enqueue(14)
    await limited.all.pass('5m')
    expect(limited.told).toEqual([
      [0, 4],
      [MINUTE, 4],
      [2 * MINUTE, 4],
      [3 * MINUTE, 2],
    ])
    const executions = await limited.app.executions({ jobType: 'mail' })
    expect(executions.every(({ status, attempt }) => status === 'SUCCESS' && attempt === 1)).toBe(true)
  })

  it('lets each start at the millisecond at which one before it is past', async () => {
    await using limited = new Limited({ limit: 3, per: '1m' })
    await limited.node()
    for (const pauseMs of [0, 10_250, 9_873]) {
      await limited.all.pass(pauseMs)
      await limited.enqueue(1)
    }
    await limited.enqueue(4)
    await limited.all.pass('3m')
    expect(limited.told).toEqual([
      [0, 1],
      [10_250, 1],
      [20_123, 1],
      [60_000, 1],
      [70_250, 1],
      [80_123, 1],
      [120_000, 1],
    ])
  })

  it('keeps priority and age of what waits', async () => {
    await using limited = new Limited({ limit: 1, per: '10s' })
    await limited.node()
    await limited.enqueue(1)
    const ids: string[] = []
    for (const priority of ['LOW', 'MEDIUM', 'HIGH', 'MEDIUM', 'HIGH'] as const) {
      ids.push((await limited.app.enqueue(limited.type, undefined, { priority })).id)
      await limited.all.pass('1s')
    }
    await limited.all.pass('1m')
    const order = limited.starts.slice(1).map(({ context }) => ids.indexOf(context.executionId))
    expect(order).toEqual([2, 4, 1, 3, 0])
  })

  it('counts every attempt, also one that is tried again', async () => {
    await using limited = new Limited(
      { limit: 2, per: '1m' },
      {
        retry: { retries: 5, initial: '1s', factor: 1 },
        run: (_input, { attempt }) => {
          if (attempt < 5) throw new Error('not yet')
        },
      },
    )
    await limited.node()
    await limited.enqueue(1)
    await limited.all.pass('5m')
    expect(limited.starts.map(({ at, context }) => [at, context.attempt])).toEqual([
      [0, 1],
      [SECOND, 2],
      [MINUTE, 3],
      [MINUTE + SECOND, 4],
      [2 * MINUTE, 5],
    ])
  })

  it('delays nothing else, however much of it waits', async () => {
    await using limited = new Limited({ limit: 1, per: '1h' })
    const other = job('other', { run: () => 'done' })
    const node = await limited.node({ jobs: [other], node: { slots: 2 } })
    await limited.enqueue(50)
    const { id } = await node.app.enqueue(other)
    await limited.all.settle()
    expect((await node.execution(id)).status).toBe('SUCCESS')
    expect(limited.starts).toHaveLength(1)
    await limited.all.pass('10m')
    expect(node.link.asked).not.toContain('rates.acquire')
    expect(node.link.asked).not.toContain('leases.release')
    expect((await node.app.counts()).QUEUED).toBe(49)
  })

  it('leaves no timer behind when the node stops', async () => {
    await using limited = new Limited({ limit: 1, per: '1h' })
    const node = await limited.node()
    await limited.enqueue(3)
    await limited.all.until(node.app.stop())
    expect(node.timers).toBe(0)
  })
})

describe('never more than the limit in any window of time', () => {
  it.each<['tenant' | 'type']>([['tenant'], ['type']])('by %s, whenever they are enqueued', async (by) => {
    const arrivals = fc.array(fc.record({ pauseMs: fc.nat(4_000), count: fc.integer({ min: 1, max: 5 }) }), {
      minLength: 5,
      maxLength: 12,
    })
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 6 }), async (all, limit) => {
        const perMs = 5 * SECOND
        await using limited = new Limited({ limit, per: perMs, by }, { run: () => null })
        await limited.node()
        await limited.node()
        let count = 0
        for (const { pauseMs, count: more } of all) {
          await limited.all.pass(pauseMs)
          await limited.enqueue(more)
          count += more
        }
        await limited.all.pass(Math.ceil(count / limit) * perMs)
        expect(limited.starts).toHaveLength(count)
        for (const { at } of limited.starts) {
          const within = limited.starts.filter((other) => other.at > at - perMs && other.at <= at)
          expect(within.length).toBeLessThanOrEqual(limit)
        }
      }),
      { numRuns: 10 },
    )
  })
})

describe('what goes wrong on the way', () => {
  it('a claim without an answer uses its starts, and runs nothing twice', async () => {
    await using limited = new Limited({ limit: 2, per: '1m' })
    const node = await limited.node()
    node.link.loseAnswerOf('leases.claim')
    await limited.enqueue(1)
    await limited.enqueue(3)
    await limited.all.pass('5m')
    // The answer that was lost has used one of the two starts of the first minute.
    expect(limited.told).toEqual([
      [100, 1],
      [MINUTE, 1],
      [MINUTE + 100, 1],
      [2 * MINUTE, 1],
    ])
    expect(new Set(limited.starts.map(({ context }) => context.executionId)).size).toBe(4)
  })

  it('a claim that is answered late exchanges its starts for later ones', async () => {
    await using limited = new Limited({ limit: 2, per: '1m' })
    const node = await limited.node()
    node.link.intercept = async (verb, send) => {
      const answer = await send()
      if (verb !== 'leases.claim') return answer
      node.link.intercept = null
      await limited.all.pass('2s')
      return answer
    }
    await limited.enqueue(4)
    await limited.all.pass('5m')
    const [first, second] = limited.told
    expect(limited.told).toEqual([
      [2 * SECOND, 2],
      [expect.any(Number), 2],
    ])
    const pauseMs = (second?.[0] ?? 0) - (first?.[0] ?? 0)
    expect(pauseMs).toBeGreaterThanOrEqual(MINUTE)
    expect(pauseMs).toBeLessThanOrEqual(MINUTE * (1 + 1 / 8))
    expect(node.link.asked.filter((verb) => verb === 'rates.acquire')).toHaveLength(1)
  })

  it('a node that dies after it was granted starts uses them, and another node runs its executions', async () => {
    await using limited = new Limited({ limit: 2, per: '10m' })
    const dying = await limited.node({ node: { slots: 2 } })
    const producer = limited.all.process()
    dying.link.intercept = async (verb, send) => {
      const answer = await send()
      if (verb !== 'leases.claim' || (answer as Claim).executions.length === 0) return answer
      dying.freeze()
      return await new Promise(() => {})
    }
    await producer.app.enqueueMany(limited.type, [undefined, undefined])
    await limited.all.settle()
    expect(dying.isFrozen).toBe(true)
    await limited.node()
    await limited.all.pass('11m')
    expect(limited.told).toEqual([[10 * MINUTE, 2]])
  })

  it('what a policy leaves out after an overload uses no start', async () => {
    const busy = new Gate()
    await using limited = new Limited(
      { limit: 2, per: '20m' },
      { schedule: { trigger: cron('* * * * *', { timeZone: 'UTC' }), misfire: { policy: 'fireOnce' } } },
    )
    const hog = job('hog', { run: () => busy.opened })
    const node = await limited.node({ jobs: [hog], node: { slots: 1 } })
    await node.app.enqueue(hog)
    await limited.all.pass('10m')
    busy.open()
    await limited.all.pass('1m')
    expect(limited.starts.map(({ context }) => context.misfire?.missedCount ?? 0)).toEqual([10, 0])
  })
})

import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { cron } from '../../../src/time.ts'
import { at } from '../../harness/instants.ts'
import { Processes, type ProcessOptions } from './processes.ts'
import { scenarioStore, testPontual } from './scenario-store.ts'

interface Started {
  readonly tenant: string
  readonly node: number
  readonly end: () => void
}

/** Nodes of ten slots each, whose work runs until the test ends it. */
async function nodesOf(count: number, options: ProcessOptions = {}) {
  const all = new Processes()
  const started: Started[] = []
  const open = new Set<Started>()
  const most = new Map<string, number>()
  const runningOf = (tenant: string) => [...open].filter((each) => each.tenant === tenant).length
  const workOn = (node: number) =>
    job('work', {
      run: (_input: undefined, { tenant }) =>
        new Promise<void>((resolve) => {
          const each: Started = {
            tenant,
            node,
            end: () => {
              open.delete(each)
              resolve()
            },
          }
          open.add(each)
          started.push(each)
          most.set(tenant, Math.max(most.get(tenant) ?? 0, runningOf(tenant)))
        }),
    })
  const apps = []
  for (let node = 0; node < count; node += 1) {
    apps.push((await all.node({ jobs: [workOn(node)], node: { slots: 10 }, ...options })).app)
  }
  const [app] = apps
  if (!app) throw new Error('There is no node.')
  const enqueue = async (tenant: string, runs: number) => {
    await app.enqueueMany('work', Array<undefined>(runs).fill(undefined), { tenant })
    await all.settle()
  }
  const endOne = async (tenant: string, node?: number) => {
    const each = [...open].find((one) => one.tenant === tenant && (node === undefined || one.node === node))
    if (!each) throw new Error(`Nothing of ${tenant} runs.`)
    each.end()
    await all.settle()
  }
  const endAll = async () => {
    while (open.size > 0) {
      for (const each of open) each.end()
      await all.pass('1s')
    }
  }
  return { all, apps, app, started, open, most, runningOf, enqueue, endOne, endAll }
}

describe('how many executions of a tenant run at once', () => {
  it('is the limit over all nodes, and every execution runs in the end', async () => {
    const { all, most, runningOf, started, enqueue, endAll } = await nodesOf(2, { tenantConcurrency: 6 })
    await using _ = all
    await enqueue('flood', 40)
    expect(runningOf('flood')).toBe(6)
    await endAll()
    expect(most.get('flood')).toBe(6)
    expect(started).toHaveLength(40)
  })

  it('does not keep another tenant waiting: its first one starts at once', async () => {
    const { all, runningOf, enqueue, endAll } = await nodesOf(2, { tenantConcurrency: 10 })
    await using _ = all
    await enqueue('flood', 500)
    await enqueue('small', 1)
    expect([runningOf('flood'), runningOf('small')]).toEqual([10, 1])
    await endAll()
  })

  it('does not matter for turns: the last slot goes at once to a tenant that runs nothing, the next ones in turn', async () => {
    const { all, runningOf, enqueue, endOne, endAll } = await nodesOf(1)
    await using _ = all
    await enqueue('flood', 100)
    expect(runningOf('flood')).toBe(10)
    await enqueue('small', 2)
    await endOne('flood')
    expect([runningOf('flood'), runningOf('small')]).toEqual([9, 1])
    await endOne('flood')
    expect([runningOf('flood'), runningOf('small')]).toEqual([8, 1])
    await endOne('flood')
    await endOne('flood')
    expect(runningOf('small')).toBe(2)
    await endAll()
  })

  it('is changed while they run: fewer after a while, more at once', async () => {
    const { all, app, runningOf, enqueue, endOne, endAll } = await nodesOf(2)
    await using _ = all
    await app.setTenant('acme', { concurrency: 8 })
    await enqueue('acme', 60)
    expect(runningOf('acme')).toBe(8)
    await app.setTenant('acme', { concurrency: 3 })
    for (const expected of [7, 6, 5, 4, 3, 3, 3]) {
      await endOne('acme')
      expect(runningOf('acme')).toBe(expected)
    }
    await app.setTenant('acme', { concurrency: 5 })
    await all.settle()
    expect(runningOf('acme')).toBe(5)
    await app.setTenant('acme', { concurrency: 'unlimited' })
    await all.settle()
    expect(runningOf('acme')).toBe(20)
    await endAll()
  })

  it('may be none: what runs goes on, nothing begins, and all of it once it may', async () => {
    const { all, app, started, runningOf, enqueue, endAll } = await nodesOf(1)
    await using _ = all
    await enqueue('acme', 2)
    await app.setTenant('acme', { concurrency: 0 })
    await enqueue('acme', 3)
    expect(runningOf('acme')).toBe(2)
    await endAll()
    await all.pass('1m')
    expect(started).toHaveLength(2)
    await app.setTenant('acme', { concurrency: null })
    await all.settle()
    expect(runningOf('acme')).toBe(3)
    await endAll()
  })

  it('a place that gets free on one node is used by another one that has room', async () => {
    const { all, apps, started, runningOf, enqueue, endOne, endAll } = await nodesOf(2, { tenantConcurrency: 1 })
    await using _ = all
    await enqueue('acme', 3)
    const [first] = started
    expect(started).toHaveLength(1)
    // Who is going takes nothing more.
    const stopped = apps[first!.node]!.stop()
    await endOne('acme')
    await all.until(stopped)
    await all.pass('5s')
    expect(runningOf('acme')).toBe(1)
    expect(started[1]?.node).toBe(1 - first!.node)
    await endAll()
    expect(started).toHaveLength(3)
  })

  it('holds for what was missed in an outage too', async () => {
    const store = scenarioStore()
    let running = 0
    let most = 0
    const runs: number[] = []
    const tick = job('tick', {
      schedule: { trigger: cron('* * * * *'), misfire: { policy: 'fireAll' } },
      run: (_input: undefined, { scheduledAt, signal }) =>
        new Promise<void>((resolve, reject) => {
          runs.push(scheduledAt ?? 0)
          running += 1
          most = Math.max(most, running)
          ends.push(() => {
            running -= 1
            resolve()
          })
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
        }),
    })
    const ends: (() => void)[] = []
    const before = await testPontual({ store, jobs: [tick], startAt: at('2026-03-02T10:00:30Z') })
    await before.stop()
    const after = await testPontual({ store, jobs: [tick], startAt: at('2026-03-02T10:30:30Z'), tenantConcurrency: 4 })
    while (runs.length < 30 || ends.length > 0) {
      for (const end of ends.splice(0)) end()
      await after.settle()
    }
    expect(most).toBe(4)
    expect(new Set(runs.slice(0, 30)).size).toBe(30)
    await after.stop()
  })

  it('is told with the limits, tenant by tenant', async () => {
    const { all, app, enqueue, endAll } = await nodesOf(1, { tenantConcurrency: 3 })
    await using _ = all
    await app.setTenant('b', { concurrency: 1 })
    await app.setTenant('c', { concurrency: 'unlimited' })
    for (const tenant of ['a', 'b', 'c']) await enqueue(tenant, 5)
    expect(await app.tenants()).toEqual([
      { tenant: 'a', concurrency: null, limit: 3, running: 3 },
      { tenant: 'b', concurrency: 1, limit: 1, running: 1 },
      { tenant: 'c', concurrency: 'unlimited', limit: null, running: 5 },
    ])
    expect((await app.tenants({ limit: 1, after: 'a' })).map(({ tenant }) => tenant)).toEqual(['b'])
    await endAll()
  })

  it.each<[string, () => object, string]>([
    ['below none', () => ({ concurrency: -1 }), 'concurrency must be'],
    ['half of one', () => ({ concurrency: 0.5 }), 'concurrency must be'],
    ['a word', () => ({ concurrency: 'many' }), 'concurrency must be'],
    ['nothing', () => ({}), 'concurrency must be'],
    ['an option that does not exist', () => ({ concurency: 3 }), 'Did you mean "concurrency"?'],
  ])('is refused where it is %s', async (_case, options, message) => {
    const { all, app } = await nodesOf(1)
    await using _ = all
    await expect(app.setTenant('acme', options() as { concurrency: number })).rejects.toThrow(message)
  })
})

import { describe, expect, it } from 'vitest'
import { job } from '../../../src/job/type/job-type.ts'
import { testPontual } from '../../../src/testing.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { Gate } from './gate.ts'
import { Processes } from './processes.ts'

const work = job('work', { run: () => 'done' })

describe('health', () => {
  it('is healthy while it runs and the store answers', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work], node: { slots: 7 } })
    expect(await node.app.health()).toEqual({
      status: 'healthy',
      reason: null,
      isRunning: true,
      stale: 0,
      storageLatencyMs: 0,
      slots: 7,
      running: 0,
      clockOffsetMs: 0,
      punctuality: { count: 0, onTime: 1, p50Ms: 0, p99Ms: 0, maxMs: 0 },
    })
  })

  it('is degraded, with the count, while nodes are gone whose work nobody has taken', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const long = job('long', { run: () => gate.opened })
    const node = await all.node({ staleCheckInterval: '10m' })
    const dead = await all.node({ jobs: [long] })
    await dead.app.enqueueMany(long, [undefined, undefined])
    await all.settle()
    dead.freeze()
    await all.pass('29s')
    expect(await node.app.health()).toMatchObject({ status: 'healthy', stale: 0 })
    await all.pass('2s')
    expect(await node.app.health()).toMatchObject({
      status: 'degraded',
      stale: 2,
      reason: 'Executions held by nodes that are gone: 2.',
    })
    await node.app.releaseStale()
    expect(await node.app.health()).toMatchObject({ status: 'healthy', stale: 0 })
  })

  it('is unhealthy before the start and after the stop', async () => {
    await using all = new Processes()
    const node = all.process({ jobs: [work] })
    const stopped = { status: 'unhealthy', isRunning: false, reason: 'The scheduler does not run.', stale: 0 }
    expect(await node.app.health()).toMatchObject(stopped)
    await node.app.start()
    expect(await node.app.health()).toMatchObject({ status: 'healthy' })
    await node.app.stop()
    expect(await node.app.health()).toMatchObject({ status: 'unhealthy', isRunning: false })
  })

  it('is unhealthy while the store throws, and healthy again afterwards', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work] })
    node.link.isAway = true
    expect(await node.app.health()).toMatchObject({
      status: 'unhealthy',
      reason: 'The store is away.',
      isRunning: true,
      stale: null,
      storageLatencyMs: null,
    })
    node.link.isAway = false
    expect(await node.app.health()).toMatchObject({ status: 'healthy' })
  })

  it('is unhealthy where the store cannot even be opened', async () => {
    await using all = new Processes()
    const node = all.process({ node: { slots: 3 } })
    node.link.isAway = true
    expect(await node.app.health()).toMatchObject({
      status: 'unhealthy',
      reason: 'The store is away.',
      isRunning: false,
      slots: 3,
      running: 0,
    })
  })

  it('tells how long the store took to answer', async () => {
    await using all = new Processes()
    const node = await all.node()
    const gate = new Gate()
    node.link.intercept = (verb, send) => (verb === 'nodes.countStale' ? gate.opened.then(send) : send())
    const health = node.app.health()
    await all.pass('120ms')
    gate.open()
    expect(await health).toMatchObject({ status: 'healthy', storageLatencyMs: 120 })
  })

  it('tells what runs', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const long = job('long', { run: () => gate.opened })
    const node = await all.node({ jobs: [long] })
    await node.app.enqueueMany(long, [undefined, undefined, undefined])
    await all.settle()
    expect(await node.app.health()).toMatchObject({ running: 3, slots: 10 })
    gate.open()
    await all.settle()
    expect(await node.app.health()).toMatchObject({ running: 0 })
  })

  it('costs the store at most two questions a second while there is nothing to do', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work] })
    await node.app.schedule(work, { name: 'yearly', trigger: cron('0 0 1 6 *') })
    await all.pass('2s')
    const before = node.link.asked.length
    await all.pass('10m')
    expect(node.link.asked.length - before).toBeLessThanOrEqual(1_200)
  })

  it('tells how punctual it is', async () => {
    await using t = await testPontual({ jobs: [work] })
    await t.app.schedule(work, { name: 'often', trigger: cron('* * * * *') })
    await t.advance('1h')
    const { punctuality } = await t.app.health()
    expect(punctuality).toEqual({ count: 60, onTime: 1, p50Ms: 0, p99Ms: 0, maxMs: 0 })
  })
})

import { describe, expect, it } from 'vitest'
import { Gate } from '../../../test/suites/scenarios/gate.ts'
import { Processes } from '../../../test/suites/scenarios/processes.ts'
import { job } from '../../job/type/job-type.ts'
import { createService } from '../service.ts'
import { readHealth } from './health.ts'

const work = job('work', { run: () => 'done' })

describe('the health of a service', () => {
  it('is that of its node', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work] })
    expect(await readHealth(node.app)).toMatchObject({ status: 'healthy', nodes: 1, isRunning: true, stale: 0 })
  })

  it('of a process that runs no node is that of the nodes there are', async () => {
    await using all = new Processes()
    const onlooker = all.process({ jobs: [work] })
    expect(await readHealth(onlooker.app)).toMatchObject({ status: 'unhealthy', nodes: 0 })
    const node = await all.node({ jobs: [work] })
    expect(await readHealth(onlooker.app)).toMatchObject({ status: 'healthy', nodes: 1, isRunning: false })
    await node.app.stop()
    expect(await readHealth(onlooker.app)).toMatchObject({ status: 'unhealthy', nodes: 0 })
  })

  it('is degraded, with the count, while nobody has taken the work of one that is gone', async () => {
    await using all = new Processes()
    const gate = new Gate()
    const long = job('long', { run: () => gate.opened })
    const onlooker = all.process({ jobs: [work] })
    const node = await all.node({ jobs: [work], staleCheckInterval: '10m' })
    const dead = await all.node({ jobs: [long] })
    await dead.app.enqueue(long)
    await all.settle()
    dead.freeze()
    await all.pass('31s')
    const degraded = { status: 'degraded', stale: 1, nodes: 1, reason: 'Executions held by nodes that are gone: 1.' }
    expect(await readHealth(onlooker.app)).toMatchObject(degraded)
    expect(await readHealth(node.app)).toMatchObject(degraded)
  })

  it('is unhealthy while the store is away, and says nothing of what the store says', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work] })
    node.link.isAway = true
    expect(await readHealth(node.app)).toMatchObject({
      status: 'unhealthy',
      reason: 'Storage does not answer.',
      stale: null,
      storageLatencyMs: null,
      nodes: null,
    })
  })

  it('is unhealthy where a store takes more than five seconds, and is asked once a second at most', async () => {
    await using all = new Processes()
    const node = await all.node({ jobs: [work] })
    const { operations } = createService(node.app, { duties: false })
    const gate = new Gate()
    node.link.intercept = (verb, send) => (verb === 'nodes.countStale' ? gate.opened.then(send) : send())
    const before = node.link.asked.filter((verb) => verb === 'nodes.countStale').length
    const asked = Promise.all([operations.health(), operations.health()])
    await all.pass('5s')
    expect(await asked).toMatchObject([{ status: 'unhealthy' }, { status: 'unhealthy' }])
    expect(node.link.asked.filter((verb) => verb === 'nodes.countStale')).toHaveLength(before + 1)
    gate.open()
    expect(await operations.health()).toMatchObject({ status: 'healthy' })
  })
})

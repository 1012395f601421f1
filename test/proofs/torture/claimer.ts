import { setTimeout as sleep } from 'node:timers/promises'
import { systemEnv } from '../../../src/clock.ts'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'

const LEASE_MS = 1_500
const RENEW_MS = 300
const failure = { name: 'Error', message: 'Not this time.' } as const

/** Claims, holds for a while, and ends in one way or another, again and again. */
export async function claimUntil(store: EngineStore, isOver: () => boolean): Promise<void> {
  const jobTypes = ['work']
  const queues = ['default']
  let nodeId = ''
  const register = async () => {
    nodeId = systemEnv.uuid(systemEnv.now())
    await store.nodes.register({ id: nodeId, name: 'claimer', slots: 8, queues, jobTypes, leaseMs: LEASE_MS })
  }
  await register()
  let renewedAt = performance.now()
  const held = new Set<Promise<void>>()
  while (!isOver()) {
    if (performance.now() - renewedAt > RENEW_MS) {
      renewedAt = performance.now()
      if (!(await store.nodes.renew(nodeId, LEASE_MS))) await register()
    }
    const request = {
      nodeId,
      limit: 1 + Math.floor(systemEnv.random() * 6),
      queues,
      jobTypes,
      aged: systemEnv.random() < 0.3 ? 1 : 0,
    }
    const { isNodeAlive, executions, again } = await store.leases.claim(request)
    if (!isNodeAlive) await register()
    for (const each of executions) {
      const done = hold(store, each).finally(() => held.delete(done))
      held.add(done)
    }
    await sleep(again === 'now' ? 1 : 5 * (1 + systemEnv.random()))
  }
  await Promise.all(held)
  await store.nodes.remove(nodeId)
}

async function hold(store: EngineStore, { executionId, epoch }: ClaimedExecution): Promise<void> {
  await sleep(5 + 35 * systemEnv.random())
  const chance = systemEnv.random()
  if (chance < 0.1) {
    await store.leases.release([{ executionId, epoch }])
  } else if (chance < 0.2) {
    await store.leases.retry([{ executionId, epoch, status: 'FAILED', error: failure, delayMs: 50 }])
  } else {
    const end = { output: null, error: null, faultsJobId: null, healsJobId: null }
    await store.leases.finish([{ executionId, epoch, status: 'SUCCESS', ...end }])
  }
}

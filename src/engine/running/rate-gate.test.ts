import { expect, it } from 'vitest'
import { job } from '../../job/type/job-type.ts'
import { silentLogger } from '../../logger.ts'
import type { Claim, ClaimedExecution } from '../../store/leases.ts'
import { memory } from '../../store/memory/memory.ts'
import { ManualEnv } from '../../testing/manual-env.ts'
import { RateGate } from './rate-gate.ts'

it('takes any number of tenants that rest at once, and opens when the first of them may go on', async () => {
  const env = new ManualEnv({ startAt: 1_000, seed: 1, isBusy: () => false })
  const store = await memory().open({ env, logger: silentLogger })
  const type = job('mail', { rateLimit: { limit: 1, per: '1h' }, run: () => null })
  let opened = 0
  const acquire = (requests: readonly unknown[]) =>
    Promise.resolve(requests.map(() => ({ granted: 1, at: 1_000, nextAt: 61_000 })))
  const gate = new RateGate({
    deps: { env, time: env, store: { ...store, rates: { ...store.rates, acquire } } } as never,
    types: new Map([[type.id, type]]),
    onOpen: () => {
      opened += 1
    },
  })
  gate.start()
  const runs = Array.from({ length: 200_000 }, (_, index) => ({
    claimed: { body: { jobType: 'mail', tenant: `tenant ${index}` } } as ClaimedExecution,
  }))
  expect((await gate.admit(runs)).admitted).toHaveLength(200_000)
  expect(gate.resting).toHaveLength(200_000)
  await env.moveTo(60_999)
  expect(opened).toBe(0)
  await env.moveTo(61_000)
  expect(opened).toBe(1)
  expect(gate.resting).toEqual([])
})

it('stays open if a claim was answered after a start that the store got back later', async () => {
  const env = new ManualEnv({ startAt: 1_000, seed: 1, isBusy: () => false })
  const store = await memory().open({ env, logger: silentLogger })
  const type = job('mail', { rateLimit: { limit: 1, per: '1h' }, run: () => null })
  let opened = 0
  const gate = new RateGate({
    deps: { env, time: env, store } as never,
    types: new Map([[type.id, type]]),
    onOpen: () => {
      opened += 1
    },
  })
  gate.start()
  const body = { jobType: 'mail', tenant: 'acme' }
  const first = { executionId: 'first', epoch: 1, body } as ClaimedExecution
  await gate.admit([{ claimed: first }])
  expect(gate.resting).toHaveLength(1)

  const { terms } = gate
  const starts = [{ jobType: 'mail', tenant: 'acme', at: null, nextAt: 61_000, executionIds: [] }]
  const claim: Claim = { now: 1_000, isNodeAlive: true, executions: [], isLimited: true, again: null, starts }
  await gate.giveBack([{ claimed: first }])
  const before = opened
  gate.learn(claim, terms, 1_000)
  expect([gate.resting, opened]).toEqual([[], before + 1])
  gate.learn(claim, gate.terms, 1_000)
  expect(gate.resting).toHaveLength(1)
})

import { expect, it } from 'vitest'
import { job } from '../job/job-type.ts'
import { silentLogger } from '../logger.ts'
import type { ClaimedExecution } from '../store/leases.ts'
import { memory } from '../store/memory/memory.ts'
import { ManualEnv } from '../testing/manual-env.ts'
import { RateGate } from './rate-gate.ts'

it('takes any number of tenants that rest at once, and opens when the first of them may go on', async () => {
  const env = new ManualEnv({ startAt: 1_000, seed: 1, isBusy: () => false })
  const store = await memory().open({ env, logger: silentLogger })
  const type = job('mail', { rateLimit: { limit: 1, per: '1h' }, run: () => null })
  let opened = 0
  const acquire = (requests: readonly unknown[]) =>
    Promise.resolve(requests.map(() => ({ granted: 1, at: 1_000, nextAt: 61_000 })))
  const gate = new RateGate({
    around: { env, time: env, store: { ...store, rates: { ...store.rates, acquire } } } as never,
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

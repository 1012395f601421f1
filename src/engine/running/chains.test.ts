import { describe, expect, it } from 'vitest'
import { systemEnv } from '../../clock.ts'
import { retryRules } from '../../job/rules/retry.ts'
import { job } from '../../job/type/job-type.ts'
import { silentLogger } from '../../logger.ts'
import { UnknownPredecessorError } from '../../store/executions.ts'
import type { ClaimedExecution } from '../../store/leases.ts'
import { memory } from '../../store/memory/memory.ts'
import { instantOfUuid, requireUuid } from '../../uuid.ts'
import { StoreTime } from '../node/store-time.ts'
import { Chains, followerId } from './chains.ts'
import { Settlement } from './settlement.ts'

function claimed(): ClaimedExecution {
  const id = systemEnv.uuid(systemEnv.now())
  const body = {
    id,
    tenant: 'acme',
    jobId: null,
    jobType: 'import',
    queue: 'default',
    priority: 'MEDIUM',
    origin: 'enqueue',
    payload: null,
    scheduledAt: null,
    maxAttempts: 1,
    idempotencyKey: null,
    options: null,
    createdAt: 0,
  } as const
  return { executionId: id, epoch: 1, attempt: 1, body }
}

describe('declared followers', () => {
  it('of those that begin together are stored, also where one of these was removed', async () => {
    const store = await memory().open({ env: systemEnv, logger: silentLogger })
    const settlement = new Settlement({ env: systemEnv, logger: silentLogger, store })
    const time = new StoreTime(systemEnv, silentLogger)
    const defaultRetry = retryRules({ retries: 0 })
    const chains = new Chains({ store, time, settlement, types: new Map(), defaultRetry })
    const importing = job('import', { onSuccess: 'report', run: () => 1 })
    const [first, removed, last] = [claimed(), claimed(), claimed()]
    await store.executions.enqueue([first, last].map(({ body }) => ({ body, runAt: null })))
    const begun = await Promise.allSettled([first, removed, last].map((each) => chains.begin(each, importing)))
    expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(begun[1]).toMatchObject({ reason: expect.any(UnknownPredecessorError) as unknown })
    const waiting = await store.executions.list({ statuses: ['WAITING'], limit: 9 })
    expect(new Set(waiting.map(({ after }) => after[0]?.id))).toEqual(new Set([first.executionId, last.executionId]))
    await store.close()
  })

  it('have ids of their own, the same whoever makes them, with the time of what they follow', () => {
    const id = '01953a1e-7c00-7abc-8def-0123456789ab'
    const ids = [
      followerId(id, 'a', 'success'),
      followerId(id, 'a', 'failure'),
      followerId(id, 'b', 'success'),
      followerId('01953a1e-7c00-7abc-8def-0123456789ac', 'a', 'success'),
    ]
    expect(new Set(ids).size).toBe(4)
    expect(followerId(id, 'a', 'success')).toBe(ids[0])
    for (const each of ids) {
      expect(requireUuid(each, 'id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(instantOfUuid(each)).toBe(instantOfUuid(id))
    }
  })
})

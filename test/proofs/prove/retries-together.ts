import { SECOND_MS } from '../../../src/duration.ts'
import { job } from '../../../src/index.ts'
import { testPontual } from '../../../src/testing.ts'
import type { Proof } from './proof.ts'

const DOWN_MS = 60_000
const WAIT = '60s'

export interface RetryReport {
  readonly failed: number
  readonly retries: number
  /** The largest share of all first retries that came within one second. */
  readonly fullestSecond: number
  /** How many seconds had any. */
  readonly seconds: number
}

/** All fail in the same second, since what they need is away for a minute; each is tried again after a wait of chance. */
export async function failTogether(count: number, proof: Proof): Promise<RetryReport> {
  const dueAt = new Map<string, number>()
  const seconds = new Map<number, number>()
  let retries = 0
  const order = job('order', {
    retry: { retries: 50, initial: WAIT, factor: 1, jitter: 'full' },
    run: (_input: undefined, { executionId, attempt }) => {
      const now = t.now()
      if (attempt > 1) {
        retries += 1
        const due = dueAt.get(executionId) ?? Number.POSITIVE_INFINITY
        proof.require(now >= due, () => `Attempt ${attempt} of ${executionId} came ${due - now} ms early.`)
      }
      if (attempt === 2) {
        const second = Math.floor((now - startAt) / SECOND_MS)
        seconds.set(second, (seconds.get(second) ?? 0) + 1)
      }
      if (now < startAt + DOWN_MS) throw new Error('The other side is away.')
    },
  })
  await using t = await testPontual({ jobs: [order], node: { slots: 10_000 } })
  const startAt = t.now()
  t.app.on('execution.retried', ({ executionId, delayMs }) => dueAt.set(executionId, t.now() + delayMs))
  await t.app.enqueueMany(
    order,
    Array.from({ length: count }, () => undefined),
  )
  await t.settle()
  proof.require(dueAt.size === count, () => `${dueAt.size} of ${count} have failed in the first second.`)
  await t.advance(3 * DOWN_MS)
  const { QUEUED, RUNNING } = await t.app.counts()
  proof.require(QUEUED + RUNNING === 0, () => `${QUEUED} wait and ${RUNNING} run when all is well again.`)
  return { failed: count, retries, fullestSecond: Math.max(...seconds.values()) / count, seconds: seconds.size }
}

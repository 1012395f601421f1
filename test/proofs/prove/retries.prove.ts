import { afterAll, describe, it } from 'vitest'
import { SECOND_MS } from '../../../src/duration.ts'
import { job } from '../../../src/index.ts'
import { testPontual } from '../../../src/testing.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const DOWN_MS = 60_000

const WAIT = '60s'

interface RetryReport {
  readonly failed: number
  readonly retries: number
  /** The largest share of all first retries that came within one second. */
  readonly fullestSecond: number
  /** How many seconds had any. */
  readonly seconds: number
}

/** All fail in the same second, since what they need is away for a minute; each is tried again after a wait of chance. */
async function failTogether(count: number, proof: Proof): Promise<RetryReport> {
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

const ASKED = 50_000
const LARGEST_SHARE = 5

describe('a retry', () => {
  const proof = new Proof('retries')
  afterAll(() => proof.keep())

  it('I22: never comes before it is due, and what failed together does not come back together', () =>
    proof.part(async () => {
      const report = await failTogether(countOf('RETRIES', ASKED), proof)
      const about = (what: string) => ({ section: 'faults', invariants: ['I22'], what }) as const
      proof.count(about('executions that failed together, on virtual time'), report.failed, ASKED)
      proof.note(about('retries until all had succeeded, none early'), report.retries)
      const fullest = Math.round(report.fullestSecond * 10_000) / 100
      proof.bound(about('of the first retries in the fullest second'), fullest, LARGEST_SHARE, '%')
      proof.note(about('seconds over which they were spread'), report.seconds)
    }))
})

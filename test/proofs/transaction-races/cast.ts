import type { Job } from '../../../src/job/job.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { Held } from '../../../src/store/leases.ts'
import { type Bench, failure, LEASE_MS, MINUTE, success } from '../../suites/conformance/bench.ts'
import { begun, item } from '../../suites/conformance/durable-entries.ts'

/** Whom verbs act on: each has something of everything, so that any two meet. */
export interface Cast {
  /** An execution of `job`, with the epoch that its first holder has or would have. */
  readonly plain: Held
  /** A durable execution. */
  readonly run: Held
  /** Another execution of the same tenant, ready. */
  readonly other: Held
  /** A node whose lease is over, and which may hold something. */
  readonly lapsed: string
  /** A node that lives. */
  readonly alive: string
  /** A job that is due. */
  readonly job: Job
  /** A job that waits for its approval. */
  readonly unapproved: Job
  /** All executions there are, and those that verbs may make. */
  readonly executionIds: string[]
}

export const TENANT = 'acme'

/** Where the plain execution and the durable one stand when verbs meet. */
export type Setting = 'held' | 'ready' | 'postponed' | 'ended'

export const SETTINGS: readonly Setting[] = ['held', 'ready', 'postponed', 'ended']

/** Puts everything in its place; the same each time, whatever the store. */
export async function buildCast(bench: Bench, setting: Setting): Promise<Cast> {
  const job = bench.job({ nextFireAt: bench.now + MINUTE })
  const unapproved = bench.job({ status: 'PENDING_APPROVAL', resumeStatus: 'ACTIVE' })
  await bench.put(job, unapproved)
  await bench.store.tenants.limit([{ tenant: TENANT, concurrency: 2 }])
  const { lapsed, plain, run } = await buildHeld(bench, setting, job)
  bench.advance(MINUTE)
  const alive = await bench.node()
  const other = bench.execution({ tenant: TENANT })
  await bench.store.executions.enqueue([other])
  const executionIds = [plain.executionId, run.executionId, other.body.id]
  return { plain, run, other: heldOnce(other), lapsed, alive, job, unapproved, executionIds }
}

async function buildHeld(bench: Bench, setting: Setting, job: Job): Promise<Pick<Cast, 'lapsed' | 'plain' | 'run'>> {
  const { executions, leases, histories } = bench.store
  const plain = bench.execution({ jobId: job.id, maxAttempts: 2 })
  const run = bench.execution({ options: { durable: true } })
  await executions.enqueue([plain, run])
  const lapsed = await bench.node({ leaseMs: LEASE_MS })
  const both = { lapsed, plain: heldOnce(plain), run: heldOnce(run) }
  if (setting === 'ready') return both
  await bench.claim(lapsed)
  await histories.record([item(both.run, begun(1))])
  if (setting === 'postponed') {
    await leases.retry([{ ...both.plain, status: 'FAILED', error: failure, delayMs: 1_000 }])
    await histories.park([{ ...both.run, dueAt: null }])
  } else if (setting === 'ended') {
    await leases.finish([success(both.plain), success(both.run)])
  }
  return both
}

function heldOnce({ body }: NewExecution): Held {
  return { executionId: body.id, epoch: 1 }
}

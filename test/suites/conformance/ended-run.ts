import type { ExecutionBody, Failure, FinalStatus } from '../../../src/job/execution/execution.ts'
import { type Bench, failure, success } from './bench.ts'

export interface EndedRun {
  readonly status?: FinalStatus
  readonly waitMs?: number
  readonly runMs?: number
  readonly error?: Failure | null
  readonly body?: Partial<ExecutionBody>
}

/** An execution that waits, runs, and ends, on a node of its own. Returns its id. */
export async function endedRun(bench: Bench, run: EndedRun = {}): Promise<string> {
  const { status = 'SUCCESS', waitMs = 0, runMs = 0, error = failure, body = {} } = run
  const id = await bench.enqueue(body)
  const nodeId = await bench.node()
  bench.advance(waitMs)
  const held = await bench.claimOne(nodeId)
  bench.advance(runMs)
  await bench.store.leases.finish([success(held, { status, error: status === 'SUCCESS' ? null : error })])
  await bench.store.nodes.remove(nodeId)
  return id
}

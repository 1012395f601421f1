import { systemEnv } from '../../../src/clock.ts'
import type { NewExecution } from '../../../src/store/executions.ts'
import type { ClaimedExecution } from '../../../src/store/leases.ts'
import type { EngineStore } from '../../../src/store/store.ts'
import { failure, success } from '../../suites/conformance/bench.ts'
import { begun, item, MISMATCH, settled } from '../../suites/conformance/durable-entries.ts'

/** How often each kind of write was sent, and how often it was taken. */
export type LateWrites = Readonly<Record<string, { readonly sent: number; readonly taken: number }>>

/** All that a holder may write of executions, sent by one who holds them no more, all at once. */
export async function writeLate(store: EngineStore, lost: readonly ClaimedExecution[]): Promise<LateWrites> {
  const { leases, histories, logs } = store
  const held = lost.map(({ executionId, epoch }) => ({ executionId, epoch }))
  const taken: Record<string, Promise<number>> = {
    result: count(leases.finish(held.map((each) => success(each, { output: '"late"' })))),
    failure: count(leases.finish(held.map((each) => success(each, { status: 'FAILED', error: failure })))),
    retry: count(leases.retry(held.map((each) => ({ ...each, status: 'FAILED', error: failure, delayMs: 0 })))),
    release: count(leases.release(held)),
    progress: count(leases.progress(held.map((each) => ({ ...each, fraction: 0.5, note: 'late' })))),
    log: logs.append(held.map((each) => logLine(each))).then((refused) => held.length - refused.length),
    checkpoint: count(histories.checkpoint(held.map((each) => ({ ...each, state: '"late"' })))),
    record: histories
      .record(held.map((each) => item(each, settled(1))))
      .then((answers) => countOf(answers, 'recorded')),
    child: histories
      .startChildren(lost.map((each) => ({ ...item(each, begun(1)), child: childOf(each) })))
      .then((answers) => countOf(answers, true)),
    park: histories
      .park(held.map((each) => ({ ...each, dueAt: null })))
      .then((answers) => answers.filter((answer) => answer !== 'lost').length),
    divergence: count(histories.diverge(held.map((each) => ({ ...each, divergence: MISMATCH })))),
    'new input': count(histories.continueAs(held.map((each) => ({ ...each, entry: settled(0, { kind: 'input' }) })))),
    transaction: Promise.all(
      held.map((each) => histories.transact(each, () => Promise.resolve(item(each, settled(2))))),
    ).then((answers) => answers.filter((answer) => answer !== null).length),
  }
  const writes = Object.entries(taken).map(
    async ([kind, answer]) => [kind, { sent: held.length, taken: await answer }] as const,
  )
  return Object.fromEntries(await Promise.all(writes))
}

async function count(accepted: Promise<readonly string[]>): Promise<number> {
  return (await accepted).length
}

function countOf<Answer>(answers: readonly Answer[], wanted: Answer): number {
  return answers.filter((answer) => answer === wanted).length
}

function logLine({ executionId, epoch }: { readonly executionId: string; readonly epoch: number }) {
  const place = { executionId, epoch, sequence: epoch * 2 ** 32 + 1, attempt: 1 }
  return { ...place, at: systemEnv.now(), level: 'info', message: 'late', fields: null } as const
}

function childOf({ body }: ClaimedExecution): NewExecution {
  const createdAt = systemEnv.now()
  return { body: { ...body, id: systemEnv.uuid(createdAt), jobType: 'child', options: null, createdAt }, runAt: null }
}

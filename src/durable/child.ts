import type { Child, ChildOptions } from '../job/durable-context.ts'
import type { ChildEnd } from '../job/history.ts'
import type { AnyJobType } from '../job/job-type.ts'
import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import { ChildFailedError } from './errors.ts'
import type { Run } from './run.ts'
import { errorOf } from './unwinding.ts'

/** What it takes to start another job as a child. */
export interface ChildWork {
  readonly job: AnyJobType
  readonly payload: string | null
  readonly options: ChildOptions
}

export function startPlan(run: Run, work: ChildWork, verb: string): CallPlan {
  return {
    kind: 'start',
    name: work.job.id,
    verb,
    begin: (call) => void start(run, call, work),
    valueOf: ({ childId }): Child<unknown> => {
      const executionId = childId ?? ''
      return { executionId, result: () => run.call(resultPlan(run, work.job.id, executionId, { cancels: false })) }
    },
  }
}

async function start(run: Run, call: Call, { job, payload, options }: ChildWork): Promise<void> {
  const id = run.host.uuid()
  const at = Math.max(run.now, run.host.now())
  const entry = call.entry({ status: 'COMPLETED', childId: id, input: payload, endedAt: at, calls: run.sequence })
  const placed = run.ledger.place(entry)
  run.enter()
  try {
    if (await run.host.startChild(placed.entries, { id, job, payload, options })) run.ledger.confirm(placed)
    else run.stop({ kind: 'lost' })
  } catch (error) {
    run.ledger.withdraw(placed)
    run.settle(call, { status: 'FAILED', error: encodeValue(errorOf(error), 'Error') })
  } finally {
    run.leave()
  }
}

/** Waits for the end of a child. One that `cancels` is ended when its run is given up. */
export function resultPlan(
  run: Run,
  jobType: string,
  childId: string,
  { cancels }: { readonly cancels: boolean },
): CallPlan {
  let stopTaking = () => {}
  return {
    kind: 'child',
    name: jobType,
    verb: cancels ? 'call' : 'start',
    begin(call) {
      run.ledger.putBeside(call.entry({ childId }))
      stopTaking = run.inbox.takeEnd(childId, (end) => run.whenLive(() => settle(run, call, jobType, end)))
    },
    giveUp() {
      stopTaking()
      if (cancels) void run.host.cancelChild(childId, { unlessStarted: false }).catch(() => {})
    },
  }
}

function settle(run: Run, call: Call, jobType: string, { executionId, status, output, error }: ChildEnd): void {
  const ended = { childId: executionId, takesChild: executionId }
  if (status === 'SUCCESS') return run.settle(call, { status: 'COMPLETED', output, ...ended })
  const failure = new ChildFailedError(jobType, executionId, status, error)
  run.settle(call, { status: 'FAILED', error: encodeValue(failure, 'Error'), ...ended })
}

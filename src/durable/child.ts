import { PontualError } from '../errors.ts'
import type { Child, ChildOptions } from '../job/activity/durable-context.ts'
import type { ChildEnd } from '../job/activity/history.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import { errorOf } from './error-of.ts'
import { ChildFailedError } from './errors.ts'
import type { Run } from './run.ts'
import type { Step } from './step.ts'

/** What it takes to start another job as a child. */
export interface ChildWork {
  readonly job: AnyJobType
  readonly payload: string | null
  readonly options: ChildOptions
  /** Whether its run waits for it: such a one is ended when its run is given up. */
  readonly isCalled: boolean
}

export function startPlan(run: Run, work: ChildWork): CallPlan {
  const { job, isCalled } = work
  return {
    kind: 'start',
    name: job.id,
    verb: isCalled ? 'call' : 'start',
    begin: (call) => void start(run, call, work),
    valueFrom: ({ childId }): Child<unknown> => {
      const executionId = childId ?? ''
      let result: Step | null = null
      const wait = () => {
        result ??= run.call(resultPlan(run, job.id, executionId, isCalled))
        return result
      }
      return { executionId, result: wait }
    },
  }
}

async function start(run: Run, call: Call, { job, payload, options, isCalled }: ChildWork): Promise<void> {
  const id = run.host.uuid()
  call.isSettled = true
  const settled = {
    status: 'COMPLETED',
    childId: id,
    input: payload,
    endedAt: run.time(),
    calls: run.sequence,
  } as const
  const placed = run.ledger.place(call.entry(settled))
  run.work.enter()
  try {
    if (!(await run.host.startChild(placed.entries, { id, job, payload, options }))) return run.stop({ kind: 'lost' })
    run.ledger.confirm(placed)
    if (isCalled && call.isGivenUp) endChild(run, id)
  } catch (thrown) {
    const error = errorOf(thrown)
    if (!isRefusal(error)) return run.breakOff('A child could not be started', { jobType: job.id, error })
    run.ledger.withdraw(placed)
    call.isSettled = false
    run.settle(call, { status: 'FAILED', input: payload, error: encodeValue(error, 'Error') })
  } finally {
    run.work.leave()
  }
}

/** Whether something was refused for what it is. Else nobody knows whether it was stored: whoever takes the run up next finds out. */
export function isRefusal(error: Error): boolean {
  return error instanceof PontualError && !error.code.startsWith('store.')
}

/** Waits for the end of a child. */
function resultPlan(run: Run, jobType: string, childId: string, isCalled: boolean): CallPlan {
  return {
    kind: 'child',
    name: jobType,
    verb: isCalled ? 'call' : 'start',
    begin(call) {
      run.note(call, { childId })
      call.stopWaiting = run.inbox.takeEnd(childId, (end) => run.gate.whenLive(() => settle(run, call, jobType, end)))
    },
    giveUp() {
      if (isCalled) endChild(run, childId)
    },
  }
}

/** Nobody waits for it any more. */
export function endChild(run: Run, id: string): void {
  const { host } = run
  run.gate.whenLive(() => {
    host.cancelChild(id, { unlessStarted: false }).catch((error: unknown) => {
      host.logger.warn('A child that nobody waits for could not be cancelled', { child: id, error })
    })
  })
}

function settle(run: Run, call: Call, jobType: string, { executionId, status, output, error }: ChildEnd): void {
  const ended = { childId: executionId, takesChild: executionId }
  if (status === 'SUCCESS') {
    run.settle(call, { status: 'COMPLETED', output, ...ended })
    return
  }
  const failure = new ChildFailedError(jobType, executionId, status, error)
  run.settle(call, { status: 'FAILED', error: encodeValue(failure, 'Error'), ...ended })
}

import { PontualError } from '../errors.ts'
import type { Child, ChildOptions } from '../job/activity/durable-context.ts'
import type { ChildEnd } from '../job/activity/history.ts'
import type { AnyJobType } from '../job/type/job-type.ts'
import type { Call, CallPlan, Step } from './call.ts'
import { encodeValue } from './codec.ts'
import { ChildFailedError, errorOf } from './errors.ts'
import type { Run } from './run.ts'

export interface ChildWork {
  readonly job: AnyJobType
  readonly payload: string | null
  readonly options: ChildOptions
  /** The run waits for it (`ctx.call`): the child is cancelled when the call is given up. */
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
  const { effects, host } = run
  const id = host.uuid()
  const completion = effects.place(call, { status: 'COMPLETED', childId: id, input: payload })
  effects.enter()
  try {
    if (!(await host.startChild(completion.entries, { id, job, payload, options }))) return run.stop({ kind: 'lost' })
    effects.confirm(completion)
    if (isCalled && call.isGivenUp) endChild(run, id)
  } catch (thrown) {
    const error = errorOf(thrown)
    if (!isRefusal(error)) return effects.breakOff('A child could not be started', { jobType: job.id, error })
    effects.withdraw(completion, call)
    effects.settle(call, { status: 'FAILED', input: payload, error: encodeValue(error, 'Error') })
  } finally {
    effects.leave()
  }
}

/** True if the store rejected the request itself. After any other error the write is in doubt: the next node that takes up the run reads what was stored. */
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
      run.effects.note(call, () => ({ childId }))
      call.stopWaiting = run.inbox.takeEnd(childId, (end) =>
        run.effects.whenLive(() => settle(run, call, jobType, end)),
      )
    },
    giveUp() {
      if (isCalled) endChild(run, childId)
    },
  }
}

/** Cancels a child whose call was given up. */
export function endChild(run: Run, id: string): void {
  const { host } = run
  run.effects.whenLive(() => {
    host.cancelChild(id, { unlessStarted: false }).catch((error: unknown) => {
      host.logger.warn('A child that nobody waits for could not be cancelled', { child: id, error })
    })
  })
}

function settle(run: Run, call: Call, jobType: string, { executionId, status, output, error }: ChildEnd): void {
  const ended = { childId: executionId, takesChild: executionId }
  if (status === 'SUCCESS') {
    run.effects.settle(call, { status: 'COMPLETED', output, ...ended })
    return
  }
  const failure = new ChildFailedError(jobType, executionId, status, error)
  run.effects.settle(call, { status: 'FAILED', error: encodeValue(failure, 'Error'), ...ended })
}

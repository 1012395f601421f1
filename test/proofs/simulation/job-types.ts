import { type AnyJobType, type JobContext, job } from '../../../src/job/type/job-type.ts'
import { orderType } from './order-type.ts'
import { noteFor, type Surroundings, type Task, work } from './user-code.ts'
import { type CodeChange, isKnownTo, TYPES_OF_ONE_VERSION } from './versions.ts'

const RETRIES = 3

/** How many attempts of `limited` may start within a time, of each tenant. */
export const RATE = { limit: 2, perMs: 5_000 } as const

/** The job types of one process. Whatever they do stands in the ledger. */
export function simulatedTypes(around: Surroundings, change: CodeChange, hasTwoVersions: boolean): AnyJobType[] {
  const task = taskType(around, 'task')
  const { version } = around.machine
  return [
    task,
    taskType(around, 'tick'),
    taskType(around, 'spread', { jitter: 'full' }),
    taskType(around, 'limited', { rateLimit: { limit: RATE.limit, per: RATE.perMs } }),
    ...TYPES_OF_ONE_VERSION.filter((id) => !hasTwoVersions || isKnownTo(version, id)).map((id) => taskType(around, id)),
    sensitiveType(around),
    orderType(around, change, task),
  ]
}

interface TaskRules {
  readonly jitter?: 'none' | 'full'
  readonly rateLimit?: { readonly limit: number; readonly per: number }
}

function taskType(around: Surroundings, id: string, { jitter = 'none', rateLimit }: TaskRules = {}): AnyJobType {
  return job(id, {
    retry: { retries: RETRIES, initial: '1s', factor: 2, jitter },
    rateLimit,
    run: async (given: Task | null, context: JobContext) => {
      // What stands behind another may be given what that has returned.
      const task = given && typeof given === 'object' ? given : EASY
      const note = noteFor(around, context)
      note('begun', { step: id })
      context.logger.info('begun')
      context.progress(0.5)
      await work(around, task.isDeaf ? null : context.signal, task.runMs)
      if (task.killsAt === context.attempt || (task.isPoison && task.killsAt > 0)) {
        around.machine.kill()
        await new Promise(() => {})
      }
      if (context.attempt <= task.failures) throw new Error('as planned')
      note('ended')
      return context.attempt
    },
  })
}

const EASY: Task = { runMs: 10, failures: 0, killsAt: 0, isDeaf: false }

/** Its input is what was approved. */
function sensitiveType(around: Surroundings): AnyJobType {
  return job('sensitive', {
    sensitive: true,
    run: (input: { readonly version: number }, context) => {
      noteFor(around, context)('performed', { value: input.version })
    },
  })
}

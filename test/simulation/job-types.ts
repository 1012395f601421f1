import type { AnyJobType, JobContext } from '../../src/job/job-type.ts'
import { job } from '../../src/job/job-type.ts'
import type { Ledger } from './ledger.ts'
import type { Machine } from './machine.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What a plain execution is to do. */
export interface Task {
  readonly runMs: number
  /** It fails in its first so many attempts. */
  readonly failures: number
  /** In this attempt it takes its process along; 0: in none. */
  readonly killsAt: number
  /** Whether it hears that it is to end. */
  readonly isDeaf: boolean
}

/** What a durable execution is to do. */
export interface Order {
  readonly steps: number
  readonly stepMs: number
  readonly sleepMs: number
  readonly signals: number
  /** How many attempts of its first step fail. */
  readonly failures: number
}

interface Surroundings {
  readonly machine: Machine
  readonly time: VirtualTime
  readonly ledger: Ledger
}

const RETRIES = 3

/** The job types of one process. Whatever they do stands in the ledger. */
export function simulatedTypes(around: Surroundings): AnyJobType[] {
  return [taskType(around, 'task'), taskType(around, 'tick'), sensitiveType(around), orderType(around)]
}

function taskType(around: Surroundings, id: string): AnyJobType {
  return job(id, {
    retry: { retries: RETRIES, initial: '1s', factor: 2, jitter: 'none' },
    run: async (task: Task, context: JobContext) => {
      const note = noteFor(around, context)
      note('begun')
      context.logger.info('begun')
      context.progress(0.5)
      await work(around, task.isDeaf ? null : context.signal, task.runMs)
      if (task.killsAt === context.attempt) {
        around.machine.kill()
        await new Promise(() => {})
      }
      if (context.attempt <= task.failures) throw new Error('as planned')
      note('ended')
      return context.attempt
    },
  })
}

/** Its input is what was approved. */
function sensitiveType(around: Surroundings): AnyJobType {
  return job('sensitive', {
    sensitive: true,
    run: (input: { readonly version: number }, context) => {
      noteFor(around, context)('performed', { value: input.version })
    },
  })
}

function orderType(around: Surroundings): AnyJobType {
  return job('order', {
    durable: true,
    run: async (order: Order, ctx) => {
      const { executionId, attempt } = ctx
      const note = noteFor(around, { executionId, attempt })
      const step = (name: string, failures: number) =>
        ctx.run(
          name,
          async ({ attempt: tries, signal }) => {
            note('performed', { step: name, value: tries })
            await work(around, signal, order.stepMs)
            if (tries <= failures) throw new Error('as planned')
            return name
          },
          { retry: { attempts: RETRIES + 1, initial: '1s', factor: 2 } },
        )
      await step('first', order.failures)
      const names = Array.from({ length: order.steps }, (_, index) => `step ${index + 1}`)
      await Promise.all(names.map((name) => step(name, 0)))
      if (order.sleepMs > 0) {
        // Read where it stays the same in every replay.
        const from = await ctx.run('look at the clock', () => around.time.now)
        await ctx.sleep(order.sleepMs)
        note('slept', { step: 'sleep', value: around.time.now - from - order.sleepMs })
      }
      const heard: unknown[] = []
      for (let count = 0; count < order.signals; count += 1) {
        heard.push(await ctx.signal('go'))
        note('heard', { step: `signal ${count + 1}`, value: heard.at(-1) })
      }
      await step('last', 0)
      return heard
    },
  })
}

function noteFor({ machine, time, ledger }: Surroundings, context: { executionId: string; attempt: number }) {
  const { executionId, attempt } = context
  return (
    kind: 'begun' | 'ended' | 'performed' | 'slept' | 'heard',
    more: { readonly step?: string; readonly value?: unknown } = {},
  ) => {
    // What a process does after its death nobody sees.
    if (!machine.isDead) ledger.note({ at: time.now, machine: machine.name, executionId, attempt, kind, ...more })
  }
}

/** Takes its time on the process's own clock, and ends early where it is told to. */
function work({ machine }: Surroundings, signal: AbortSignal | null, forMs: number): Promise<void> {
  const env = machine.env()
  return new Promise((resolve, reject) => {
    const cancel = env.after(forMs, resolve)
    const abort = () => {
      cancel()
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

import type { DurableContext } from '../../../src/job/activity/durable-context.ts'
import { type AnyJobType, job } from '../../../src/job/type/job-type.ts'
import { noteFor, type Surroundings, type Task, work } from './user-code.ts'
import { type CodeChange, type Stage, stagesOf } from './versions.ts'

/** What a durable execution is to do. */
export interface Order {
  readonly steps: number
  readonly stepMs: number
  readonly sleepMs: number
  readonly signals: number
  /** How many attempts of its first step fail. */
  readonly failures: number
  /** Whether it calls another job, and waits for it. */
  readonly hasChild: boolean
}

const RETRIES = 3

/** A durable job: its stages stand in the order that this version of the code gives them. */
export function orderType(around: Surroundings, change: CodeChange, child: AnyJobType): AnyJobType {
  const stages = stagesOf(around.machine.version, change)
  return job('order', {
    durable: true,
    run: async (order: Order, ctx) => {
      const heard: unknown[] = []
      const perform = performer(around, ctx, order, child, heard)
      for (const stage of stages) await perform[stage]()
      return heard
    },
  })
}

function performer(
  around: Surroundings,
  ctx: DurableContext,
  order: Order,
  child: AnyJobType,
  heard: unknown[],
): Readonly<Record<Stage, () => Promise<unknown>>> {
  const { clock } = around
  const { executionId, attempt } = ctx
  const note = noteFor(around, { executionId, attempt })
  const step = (name: string, failures = 0) =>
    ctx.run(
      name,
      async ({ attempt: tries, signal }) => {
        note('performed', { step: name, value: tries })
        await work(around, signal, order.stepMs)
        if (tries <= failures) throw new Error('as planned')
        return name
      },
      { retry: { retries: RETRIES, initial: '1s', factor: 2 } },
    )
  return {
    extra: () => step('extra'),
    first: () => step('first', order.failures),
    begin: () => step('begin', order.failures),
    steps: () => Promise.all(Array.from({ length: order.steps }, (_, index) => step(`step ${index + 1}`))),
    sleep: async () => {
      if (order.sleepMs === 0) return
      await ctx.run('look at the clock', () => clock.now)
      note('sleeps', { value: order.sleepMs })
      await ctx.sleep(order.sleepMs)
      note('slept', { value: order.sleepMs })
    },
    signals: async () => {
      for (let count = 0; count < order.signals; count += 1) {
        heard.push(await ctx.signal('go'))
        note('heard', { step: `signal ${count + 1}`, value: heard.at(-1) })
      }
    },
    child: async () => {
      if (!order.hasChild) return
      const input: Task = { runMs: 100, failures: 0, killsAt: 0, isDeaf: false }
      // It may fail for good where its nodes were lost again and again.
      await ctx.call(child, input).catch(() => 'failed')
    },
    last: () => step('last'),
  }
}

import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AnyJobType, type JobContext, job } from '../../../../src/index.ts'
import type { Effect } from '../history/lines.ts'
import type { HistoryWriter } from '../history/writer.ts'
import { ACTIVITIES, BOOKINGS, type Order, PLAIN_TYPES, type PlainType, type Task } from './workload.ts'

const RETRY = { retries: 9, initial: '200ms', factor: 1 } as const

/**
 * A durable order: activities alone and beside each other, a transaction, a sleep, signals. Each performance has a mark that nothing else has, so that what is recorded
 * can be held against what was done. What stands outside of activities is written again whenever the code is replayed.
 */
function orderType(history: HistoryWriter, by: string) {
  return job('order', {
    durable: true,
    run: async (order: Order, ctx) => {
      const { executionId, attempt, jobType, tenant } = ctx
      const note = (effect: Effect['effect'], more: Partial<Pick<Effect, 'name' | 'dueAt' | 'detail'>> = {}) =>
        history.write({ kind: 'effect', effect, executionId, attempt, jobType, tenant, ...more })
      const perform = (name: string, failures = 0) =>
        ctx.run(
          name,
          async ({ attempt: tries, signal }) => {
            const mark = `${by} ${randomUUID()}`
            note('performed', { name, detail: { mark, tries } })
            await sleep(order.stepMs, undefined, { signal })
            if (tries <= failures) throw new Error('as planned')
            return mark
          },
          { retry: RETRY },
        )
      note('began')
      const [first, ...others] = ACTIVITIES
      const last = others.pop() ?? first
      const marks: Record<string, string> = { [first]: await perform(first, order.failures) }
      await Promise.all(
        others.map(async (name) => {
          marks[name] = await perform(name)
        }),
      )
      await ctx.transaction('book', async (transaction) => {
        await transaction.query(`insert into ${BOOKINGS} values ($1, $2)`, [executionId, `${by} ${randomUUID()}`])
      })
      const dueAt = ctx.now() + order.sleepMs
      await ctx.sleep(order.sleepMs)
      note('woke', { name: 'sleep', dueAt })
      const heard: unknown[] = []
      for (let number = 1; number <= order.signals; number += 1) {
        const payload = await ctx.signal('go')
        note('heard', { name: `signal ${number}`, detail: { payload } })
        heard.push(payload)
      }
      marks[last] = await perform(last)
      note('ended')
      return { marks, heard }
    },
  })
}

/** The job types of one process. Whatever they do stands in the history before they do anything else. */
export function torturedTypes(history: HistoryWriter, by: string): AnyJobType[] {
  const plain = Object.keys(PLAIN_TYPES) as PlainType[]
  return [...plain.map((id) => plainType(id, history, by)), orderType(history, by)] as AnyJobType[]
}

function plainType(id: PlainType, history: HistoryWriter, by: string) {
  return job(id, {
    retry: PLAIN_TYPES[id],
    run: async (task: Task, context: JobContext) => {
      const { executionId, attempt, jobType, tenant, scheduledAt, signal, logger } = context
      const whose = { kind: 'effect', executionId, attempt, jobType, tenant, dueAt: scheduledAt ?? undefined } as const
      history.write({ ...whose, effect: 'began' })
      if (id === 'poison') process.kill(process.pid, 'SIGKILL')
      if (id === 'long' || id === 'deaf') logger.info('begun', { attempt, by })
      // What is thrown says who throws it, so that whoever reads what was recorded knows whose it is.
      await sleep(task.runMs, undefined, id === 'deaf' ? {} : { signal }).catch(() => {
        throw new Error(`aborted [${by} ${attempt}]`)
      })
      if (attempt <= task.failures) throw new Error(`as planned [${by} ${attempt}]`)
      const output = { attempt, by }
      history.write({ ...whose, effect: 'ended', detail: { output } })
      return output
    },
  })
}

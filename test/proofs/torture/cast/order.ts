import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { job } from '../../../../src/index.ts'
import type { Effect } from '../history/lines.ts'
import type { HistoryWriter } from '../history/writer.ts'
import { ACTIVITIES, BOOKINGS, type Order } from './workload.ts'

const RETRY = { retries: 9, initial: '200ms', factor: 1 } as const

/**
 * A durable order: activities alone and beside each other, a transaction, a sleep, signals. Each performance has a mark that nothing else has, so that what is recorded
 * can be held against what was done. What stands outside of activities is written again whenever the code is replayed.
 */
export function orderType(history: HistoryWriter, by: string) {
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

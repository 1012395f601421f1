import { setTimeout as sleep } from 'node:timers/promises'
import { systemEnv } from '../../../src/clock.ts'
import { job } from '../../../src/index.ts'

/** An activity was performed: whose, the number of the call, and what it gives, which nothing else does. */
export interface Effect {
  readonly executionId: string
  readonly number: number
  readonly mark: string
}

const ACTIVITY_MS = 30
const PAUSE_MS = 400
/** How its activities stand: one after the other, side by side, and in branches. */
const IN_A_ROW = numbers(1, 20)
const SIDE_BY_SIDE = [numbers(21, 25), numbers(26, 30), numbers(31, 35), numbers(36, 40)]
const BRANCHES = [numbers(41, 45), numbers(46, 50)]

/** A run of fifty activities, a wait without a slot and a transaction. It returns the marks of its activities, in the order of their numbers. */
export function fiftyActivities(note: (effect: Effect) => void) {
  return job('fifty-activities', {
    durable: true,
    run: async (_input: undefined, ctx) => {
      const { executionId } = ctx
      const perform = (number: number) =>
        ctx.run(`activity-${number}`, async () => {
          const mark = systemEnv.uuid(systemEnv.now())
          note({ executionId, number, mark })
          await sleep(ACTIVITY_MS * systemEnv.random())
          return mark
        })
      const inTurn = async (these: readonly number[]) => {
        const marks: string[] = []
        for (const number of these) marks.push(await perform(number))
        return marks
      }
      const marks = await inTurn(IN_A_ROW)
      for (const these of SIDE_BY_SIDE) marks.push(...(await Promise.all(these.map(perform))))
      await ctx.sleep(PAUSE_MS)
      await ctx.transaction((transaction) => transaction.query('insert into booked values ($1)', [executionId]))
      return [...marks, ...(await Promise.all(BRANCHES.map(inTurn))).flat()]
    },
  })
}

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

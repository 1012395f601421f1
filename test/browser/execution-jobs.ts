import { z } from 'zod'
import { PontualError } from '../../src/errors.ts'
import type { DurableContext } from '../../src/job/activity/durable-context.ts'
import { type AnyJobType, job } from '../../src/job/type/job-type.ts'
import { cron } from '../../src/time/triggers/cron.ts'

/** What somebody might try to smuggle into a page. */
export const HOSTILE = '<img src=x onerror=alert(1)>'
const ESCAPE = String.fromCharCode(27)
const NEVER = { trigger: cron('0 0 29 2 *') } as const

/** Lets work of a job wait until a test says so. */
export class Latch {
  #open: () => void = () => {}
  readonly opened = new Promise<void>((resolve) => {
    this.#open = resolve
  })

  open(): void {
    this.#open()
  }
}

export interface ExecutionStage {
  readonly jobs: readonly AnyJobType[]
  /** What `slow` waits for. */
  readonly latch: Latch
  /** From now on the code of `reserve` does not fit what it did before. */
  changeCode(): void
}

/** Jobs whose executions show everything that the page of an execution can show. */
export function executionJobs(): ExecutionStage {
  const latch = new Latch()
  let firstStep = 'charge'

  const bill = job('bill', {
    input: z.strictObject({
      month: z.string(),
      amount: z.number().min(0).default(10),
      isUrgent: z.boolean().optional(),
    }),
    retry: { retries: 0 },
    schedule: { ...NEVER, input: { month: '2026-03' } },
    run: ({ month, amount }, { logger }) => {
      logger.info('Asking the supplier', { month, note: HOSTILE })
      logger.warn(`${ESCAPE}[31mIt answers slowly${ESCAPE}[0m`, { seconds: 12 })
      if (month === 'bad') throw new PontualError('supplier.away', `connect ECONNREFUSED ${HOSTILE} ${'x'.repeat(300)}`)
      logger.info('Billed')
      return { month, amount, text: HOSTILE }
    },
  })

  const slow = job('slow', {
    schedule: NEVER,
    run: async (_input: undefined, { logger, progress, signal }) => {
      progress(0.4, 'page 4 of 10')
      logger.info('Begun')
      await Promise.race([latch.opened, new Promise((resolve) => signal.addEventListener('abort', resolve))])
      logger.info('Going on')
      return 'done'
    },
  })

  const talkative = job('talkative', {
    schedule: NEVER,
    run: (_input: undefined, { logger }) => {
      for (let line = 1; line <= 50_000; line += 1)
        logger.info(`Line ${line}`, line % 1_000 === 0 ? { line } : undefined)
    },
  })

  const label = job('label', { run: ({ order }: { order: string }) => `label of ${order}` })

  const order = job('order', {
    durable: true,
    schedule: { ...NEVER, input: { id: 'o-1' } },
    run: async ({ id }: { id: string }, context: DurableContext) => {
      const found = await context.run(
        'check-stock',
        async ({ attempt, logger }) => {
          logger.info('Looking', { attempt })
          if (attempt === 1) throw new PontualError('stock.busy', `The stock is busy ${HOSTILE}`)
          return { id, inStock: 3 }
        },
        { retry: { retries: 2, initial: 10 } },
      )
      await context.sleep(20)
      const printed = await context.call(label, { order: id })
      context.log.info('Waiting for a decision')
      const decision = await context.signal<{ approved: boolean }>('decision')
      await context.run('ship', () => ({ shipped: decision.approved }))
      return { found, printed, decision }
    },
  })

  const reserve = job('reserve', {
    durable: true,
    schedule: { ...NEVER, input: { seats: 2 } },
    run: async ({ seats }: { seats: number }, context: DurableContext) => {
      await context.run(firstStep, () => ({ paid: seats * 10 }))
      await context.run('confirm', () => 'confirmed')
      return 'reserved'
    },
  })

  return {
    jobs: [bill, slow, talkative, label, order, reserve],
    latch,
    changeCode: () => {
      firstStep = 'take-deposit'
    },
  }
}

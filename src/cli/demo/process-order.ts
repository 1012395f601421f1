import { z } from 'zod'
import { PontualError } from '../../errors.ts'
import type { ActivityContext } from '../../job/activity.ts'
import type { DurableContext } from '../../job/durable-context.ts'
import { type AnyJobType, type JobType, job } from '../../job/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import type { IssuedInvoice } from './issue-invoice.ts'
import { type Pace, takeStep } from './pace.ts'

const PRICES_CENTS = { roteador: 42_900, modem: 18_900, chip: 2_000, cabo: 4_500 } as const
/** Orders of more than this wait for somebody's yes. */
const APPROVED_FROM_CENTS = 100_000

const item = z.strictObject({
  sku: z.enum(['roteador', 'modem', 'chip', 'cabo']),
  quantity: z.int().min(1).max(50),
})

const orderInput = z
  .strictObject({
    customer: z.string().min(3).max(80).default('Padaria Aurora'),
    items: z
      .array(item)
      .min(1)
      .max(10)
      .default([{ sku: 'modem', quantity: 1 }]),
    payment: z.enum(['pix', 'cartão', 'boleto']).default('cartão'),
  })
  .prefault({})

type Order = z.output<typeof orderInput>

const decision = z.object({ approved: z.boolean(), by: z.string().max(80).optional() })

/** An order that nobody sends through without having looked at it. */
export const LARGE_ORDER = {
  customer: 'Hospital Santa Clara',
  items: [
    { sku: 'roteador', quantity: 12 },
    { sku: 'cabo', quantity: 40 },
  ],
  payment: 'boleto',
} as const

type IssueInvoice = JobType<{ order: string; customer: string; totalCents: number }, IssuedInvoice>

/**
 * `ProcessarPedido`: takes an order from the stock to the door. Durable: each step is recorded, the payment is tried again until it goes through, a large
 * order waits for the signal `aprovação` for up to an hour, and the invoice is a child of its own.
 */
export function processOrder(invoice: IssueInvoice, pace: Pace): AnyJobType {
  return job('ProcessarPedido', {
    durable: true,
    input: orderInput,
    schedule: [
      { trigger: cron('*/5 * * * *'), misfire: { policy: 'skipToNext' }, overlap: { atMost: 5 } },
      {
        name: 'ProcessarPedidoGrande',
        trigger: cron('0 * * * *'),
        misfire: { policy: 'skipToNext' },
        overlap: 'skip',
        input: { ...LARGE_ORDER, items: [...LARGE_ORDER.items] },
      },
    ],
    run: async (order: Order, context: DurableContext) => {
      const totalCents = order.items.reduce((sum, { sku, quantity }) => sum + PRICES_CENTS[sku] * quantity, 0)
      await context.run('reservar-estoque', (activity) => reserve(order, pace, activity))
      await context.run('cobrar', (activity) => charge(totalCents, pace, activity), { retry: { initial: '2s' } })
      if (totalCents > APPROVED_FROM_CENTS && !(await isApproved(context))) {
        await context.run('estornar', (activity) => refund(totalCents, pace, activity))
        return { status: 'recusado', totalCents }
      }
      context.log.info('Waiting for the parcel to be packed')
      await context.sleep('5s')
      const { customer } = order
      const { number } = await context.call(invoice, { order: context.executionId, customer, totalCents })
      await context.run('despachar', (activity) => dispatch(number, pace, activity))
      return { status: 'despachado', totalCents, invoice: number }
    },
  })
}

async function isApproved(context: DurableContext): Promise<boolean> {
  context.log.info('Waiting for the signal "aprovação"', { accepted: '{ "approved": true }' })
  const answer = await context.signal('aprovação', decision, { timeout: '1h' })
  if (answer === null) context.log.warn('Nobody has answered for an hour')
  return answer?.approved ?? false
}

async function reserve({ items }: Order, pace: Pace, { signal, logger }: ActivityContext) {
  for (const { sku, quantity } of items) {
    await takeStep(pace, signal)
    logger.info('Reserved', { sku, quantity })
  }
  return { reserved: items.length }
}

/** The gateway of the demo answers the third time it is asked. */
async function charge(totalCents: number, pace: Pace, { signal, logger, attempt, idempotencyKey }: ActivityContext) {
  await takeStep(pace, signal)
  if (attempt < 3) throw new PontualError('demo.gateway_away', 'The payment gateway did not answer in time.')
  logger.info('Charged', { totalCents, attempt })
  return { authorization: idempotencyKey.slice(0, 12) }
}

async function refund(totalCents: number, pace: Pace, { signal, logger }: ActivityContext) {
  await takeStep(pace, signal)
  logger.warn('Paid back', { totalCents })
  return { refundedCents: totalCents }
}

async function dispatch(invoice: string, pace: Pace, { signal, logger }: ActivityContext) {
  await takeStep(pace, signal)
  logger.info('Handed to the carrier', { invoice })
  return { carrier: 'Correios' }
}

import { z } from 'zod'
import { PontualError } from '../../errors.ts'
import type { ActivityContext } from '../../job/activity/activity.ts'
import type { DurableContext } from '../../job/activity/durable-context.ts'
import { type AnyJobType, type JobType, job } from '../../job/type/job-type.ts'
import { cron } from '../../time/triggers/cron.ts'
import { type Pace, takeStep } from './data.ts'
import type { IssuedInvoice } from './finance-jobs.ts'
import type { DemoTexts } from './texts.ts'

type Texts = DemoTexts['processOrder']

const PRICES_CENTS = { router: 42_900, modem: 18_900, sim: 2_000, cable: 4_500 } as const
/** Orders above this total wait for an approval. */
const APPROVED_FROM_CENTS = 100_000

const decision = z.object({ approved: z.boolean(), by: z.string().max(80).optional() })

interface Order {
  readonly customer: string
  readonly items: readonly { readonly sku: string; readonly quantity: number }[]
  readonly payment: string
}

/** An order that waits for an approval. */
export function largeOrder({ largeCustomer, products, payments }: Texts) {
  const items = [
    { sku: products.router, quantity: 12 },
    { sku: products.cable, quantity: 40 },
  ]
  return { customer: largeCustomer, items, payment: payments.invoice }
}

function orderInput({ customer, products, payments }: Texts) {
  const item = z.strictObject({ sku: z.enum(Object.values(products)), quantity: z.int().min(1).max(50) })
  return z
    .strictObject({
      customer: z.string().min(3).max(80).default(customer),
      items: z
        .array(item)
        .min(1)
        .max(10)
        .default([{ sku: products.modem, quantity: 1 }]),
      payment: z.enum(Object.values(payments)).default(payments.card),
    })
    .prefault({})
}

type IssueInvoice = JobType<{ order: string; customer: string; totalCents: number }, IssuedInvoice>

/**
 * `ProcessOrder`: reserves, charges and ships an order. Durable: each step is recorded, the payment is retried until it succeeds, a large order waits for the
 * signal `approval` for up to an hour, and the invoice is a child execution.
 */
export function processOrder({ processOrder: texts }: DemoTexts, invoice: IssueInvoice, pace: Pace): AnyJobType {
  const { steps, statuses } = texts
  return job(texts.name, {
    durable: true,
    input: orderInput(texts),
    schedule: [
      { trigger: cron('*/5 * * * *'), misfire: { policy: 'skipToNext' }, overlap: { atMost: 5 } },
      {
        name: texts.largeName,
        trigger: cron('0 * * * *'),
        misfire: { policy: 'skipToNext' },
        overlap: 'skip',
        input: largeOrder(texts),
      },
    ],
    run: async (order: Order, context: DurableContext) => {
      const totalCents = totalOf(order, texts)
      await context.run(steps.reserve, (activity) => reserve(order, texts, pace, activity))
      await context.run(steps.charge, (activity) => charge(totalCents, texts, pace, activity), {
        retry: { initial: '2s' },
      })
      if (totalCents > APPROVED_FROM_CENTS && !(await isApproved(texts, context))) {
        await context.run(steps.refund, (activity) => refund(totalCents, texts, pace, activity))
        return { status: statuses.declined, totalCents }
      }
      context.log.info(texts.waitingForPacking)
      await context.sleep('5s')
      const { customer } = order
      const { number } = await context.call(invoice, { order: context.executionId, customer, totalCents })
      await context.run(steps.dispatch, (activity) => dispatch(number, texts, pace, activity))
      return { status: statuses.dispatched, totalCents, invoice: number }
    },
  })
}

function totalOf({ items }: Order, { products }: Texts): number {
  const prices = new Map(
    Object.entries(PRICES_CENTS).map(([product, cents]) => [products[product as keyof typeof PRICES_CENTS], cents]),
  )
  return items.reduce((sum, { sku, quantity }) => sum + (prices.get(sku) ?? 0) * quantity, 0)
}

async function isApproved(texts: Texts, context: DurableContext): Promise<boolean> {
  context.log.info(texts.waitingForApproval, { accepted: '{ "approved": true }' })
  const answer = await context.signal(texts.signal, decision, { timeout: '1h' })
  if (answer === null) context.log.warn(texts.approvalTimedOut)
  return answer?.approved ?? false
}

async function reserve({ items }: Order, { reserved }: Texts, pace: Pace, { signal, logger }: ActivityContext) {
  for (const { sku, quantity } of items) {
    await takeStep(pace, signal)
    logger.info(reserved, { sku, quantity })
  }
  return { reserved: items.length }
}

/** The gateway of the demo responds to the third request. */
async function charge(totalCents: number, texts: Texts, pace: Pace, context: ActivityContext) {
  const { signal, logger, attempt, idempotencyKey } = context
  await takeStep(pace, signal)
  if (attempt < 3) throw new PontualError('demo.gateway_away', texts.gatewayUnavailable)
  logger.info(texts.charged, { totalCents, attempt })
  return { authorization: idempotencyKey.slice(0, 12) }
}

async function refund(totalCents: number, { refunded }: Texts, pace: Pace, { signal, logger }: ActivityContext) {
  await takeStep(pace, signal)
  logger.warn(refunded, { totalCents })
  return { refundedCents: totalCents }
}

async function dispatch(invoice: string, { shipped, carrier }: Texts, pace: Pace, { signal, logger }: ActivityContext) {
  await takeStep(pace, signal)
  logger.info(shipped, { invoice })
  return { carrier }
}

// An order of four activities that can be killed at any moment and goes on where it stopped. Each activity takes three seconds; kill the program meanwhile
// (Ctrl+\, kill -9, the plug) and start it again: what was done is not done again.
//
// `node main.mjs 4712` is another order; quantity 20 (`node main.mjs 4712 20`) is more than there is in stock, and an amount over 1,000
// (`node main.mjs 4713 1 5000`) is declined: the reservation is then given back.

import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { activity, job, pontual } from 'pontual'
import { pglite } from 'pontual/pglite'

const PACE_MS = Number(process.env.ORDER_PACE_MS ?? 3_000)
const FOLDER = process.env.ORDER_FOLDER ?? fileURLToPath(new URL('./.data', import.meta.url))

class CardDeclined extends Error {
  name = 'CardDeclined'
}

/** Stands for a call of another system: says that it begins, takes its time, and says that it is done. */
async function callOut(what, { attempt, signal }) {
  console.log(`  ${what}, attempt ${attempt} …`)
  await sleep(PACE_MS, undefined, { signal })
  console.log(`  ${what}: done`)
}

const checkStock = activity('check-stock', {
  run: async ({ quantity }, context) => {
    await callOut('check-stock', context)
    return { available: quantity <= 10 }
  },
})

const reserveStock = activity('reserve-stock', {
  run: async (_order, context) => {
    await callOut('reserve-stock', context)
    // The other system sees the same key however often it is asked: it reserves once.
    return { reservation: `R-${context.idempotencyKey}` }
  },
  compensate: async (_order, context) => {
    await callOut('give the reservation back', context)
  },
})

const processPayment = activity('process-payment', {
  timeout: '1m',
  retry: { retries: 4, initial: '1s', nonRetryable: [CardDeclined] },
  run: async ({ amount }, context) => {
    await callOut('process-payment', context)
    if (amount > 1_000) throw new CardDeclined(`The card does not cover ${amount}.`)
    return { transaction: `T-${context.idempotencyKey}` }
  },
})

const confirmOrder = activity('confirm-order', {
  run: async ({ orderId }, context) => {
    await callOut('confirm-order', context)
    return { confirmed: orderId }
  },
})

const processOrder = job('process-order', {
  durable: true,
  run: async (order, ctx) => {
    const { available } = await ctx.run(checkStock, order)
    if (!available) throw new Error(`There are not ${order.quantity} of ${order.productId} in stock.`)
    const { reservation } = await ctx.run(reserveStock, order)
    const { transaction } = await ctx.run(processPayment, order)
    return await ctx.run(confirmOrder, { orderId: order.orderId, reservation, transaction })
  },
})

const [orderId = '4711', quantity = '2', amount = '90'] = process.argv.slice(2)
// A node that was killed is given up after three seconds in place of thirty.
const takeover = { staleThreshold: '3s', renewalInterval: '1s', staleCheckInterval: '1s' }
const app = pontual({ store: pglite(FOLDER), jobs: [processOrder], ...takeover })
try {
  await app.start()
} catch (error) {
  // Somebody has the database open: one process at a time may, and the message says which one does.
  if (error.code !== 'store.locked') throw error
  console.error(error.message)
  process.exit(1)
}

const order = { orderId, productId: 'lamp', quantity: Number(quantity), amount: Number(amount) }
// The same order is enqueued once, however often this program is started.
const { id, isNew } = await app.enqueue(processOrder, order, { idempotencyKey: `order-${orderId}` })
console.log(`Order ${orderId} ${isNew ? 'begins' : 'goes on'} (execution ${id})`)

const { status, output, error, attempt } = await app.waitFor(id)
console.log(`Order ${orderId}: ${status} in attempt ${attempt}`, output ?? error?.message)
for (const entry of await app.history(id)) {
  console.log(`  ${entry.sequence} ${entry.kind} ${entry.name}: ${entry.status}, replayed ${entry.replayed}×`)
}
await app.stop()

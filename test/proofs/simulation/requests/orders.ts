import type { Order } from '../order-type.ts'
import type { Act, Asking } from './asking.ts'
import { put } from './tasks.ts'

export const enqueueOrder: Act = async (asking) => {
  const { chance } = asking
  const input: Order = {
    steps: chance.between(0, 4),
    stepMs: chance.pick([0, 50, 2_000]),
    sleepMs: chance.pick([0, 1, 1_000, 20_000]),
    signals: chance.isIn(0.5) ? chance.between(1, 2) : 0,
    failures: chance.isIn(0.2) ? chance.between(1, 2) : 0,
    hasChild: chance.isIn(0.3),
  }
  await put(asking, { type: 'order', key: `order ${asking.nextNumber()}`, input })
}

export const signalAny: Act = async (asking) => {
  const { promised, chance } = asking
  const orders = [...promised.enqueued].filter(([key]) => key.includes(' order ')).map(([, id]) => id)
  if (orders.length > 0) await sendSignal(asking, chance.pick(orders))
}

/** Sends the next signal to an order. */
export async function sendSignal(asking: Asking, id: string): Promise<void> {
  const { app, promised, time, persist } = asking
  const number = asking.nextNumber()
  const begunAt = time.now
  await persist(() => app.signal(id, 'go', number, { idempotencyKey: `signal ${number}` }))
  const sent = { number, begunAt, acknowledgedAt: time.now }
  promised.signalled.set(id, [...(promised.signalled.get(id) ?? []), sent])
}

import type { Pontual } from '../../../src/index.ts'
import type { CrewMember } from './crew.ts'
import { order } from './job-types.ts'

/** So many at once. A third of what a node holds of a batch it takes up itself and forgets, so that many leave room and only few fill it. */
const BATCHES = [2_000, 200]
const MOST_BATCHES = 12

/** A run that is kept takes about 17 KB, so that what is full is told from what is not: one of the small batches leaves a hundred of them with each node. */
const FULL_BYTES = 0.3 * 2 ** 20

/**
 * A node keeps up to a thousand durable runs that wait, also those that went on elsewhere. Until it has as many its memory grows, and that is no leak: so there are
 * durable runs until more of them add nothing.
 */
export async function fillCaches(app: Pontual, crew: readonly CrewMember[], tenant: string): Promise<void> {
  for (const size of BATCHES) {
    let before = await retainedBytes(crew)
    for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
      await runOrders(app, size, tenant)
      const after = await retainedBytes(crew)
      if (after.every((bytes, index) => bytes - (before[index] ?? 0) < FULL_BYTES)) break
      before = after
    }
  }
}

async function retainedBytes(crew: readonly CrewMember[]): Promise<number[]> {
  return await Promise.all(crew.map(async (member) => (await member.state()).retainedBytes))
}

async function runOrders(app: Pontual, count: number, tenant: string): Promise<void> {
  const inputs = Array.from({ length: count }, (_, n) => ({ n }))
  for (const { id } of await app.enqueueMany(order, inputs, { tenant })) await app.waitFor(id, { timeout: '10m' })
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pontual } from '../../src/index.ts'
import type { CrewMember } from './crew.ts'
import { order } from './job-types.ts'

const BATCH = 2_000
const MOST_BATCHES = 12

/** A run that is kept takes about 20 KB, so that what is full is told from what is not. */
const FULL_BYTES = 0.3 * 2 ** 20

/**
 * A node keeps up to a thousand durable runs that wait, also those that went on elsewhere. Until it has as many its memory grows, and that is no leak: so there are
 * durable runs until more of them add nothing.
 */
export async function fillCaches(app: Pontual, crew: readonly CrewMember[], tenant: string): Promise<void> {
  let before = crew.map(() => 0)
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    await app.enqueueMany(
      order,
      Array.from({ length: BATCH }, (_, n) => ({ n })),
      { tenant },
    )
    await untilFewWait(app)
    const after = await Promise.all(crew.map(async (member) => (await member.state()).retainedBytes))
    if (after.every((bytes, index) => bytes - (before[index] ?? 0) < FULL_BYTES)) return
    before = after
  }
}

/** What fires by itself may wait. */
async function untilFewWait(app: Pontual): Promise<void> {
  for (;;) {
    const { QUEUED, RUNNING, WAITING } = await app.counts()
    if (QUEUED + RUNNING + WAITING < BATCH / 20) return
    await sleep(500)
  }
}

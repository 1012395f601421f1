import { setTimeout as sleep } from 'node:timers/promises'
import type { Pontual } from '../../../src/index.ts'
import { Chance } from '../../harness/chance.ts'
import type { Proof } from './proof.ts'

const QUEUED = 100
const END_MS = 120_000

/** Keeps some work waiting, of every length. Resolves to how much there was. */
export async function feed(app: Pontual, isOver: () => boolean): Promise<number> {
  const chance = new Chance(99)
  let fed = 0
  while (!isOver()) {
    const missing = QUEUED - (await app.counts()).QUEUED
    if (missing > 0) {
      const inputs = Array.from({ length: missing }, () => ({ ms: chance.pick([5, 50, 200, 400]) }))
      await app.enqueueMany('work', inputs, { retry: { retries: 1_000, intervals: [0] } })
      fed += missing
    }
    await sleep(100)
  }
  return fed
}

/** Once nothing goes wrong any more everything has to end. */
export async function untilAllEnded(app: Pontual, proof: Proof, endMs = END_MS): Promise<void> {
  const until = performance.now() + endMs
  for (;;) {
    const { QUEUED: queued, RUNNING: running } = await app.counts()
    if (queued + running === 0) return
    if (performance.now() > until) return proof.violate(`${queued} wait and ${running} run long after all is well.`)
    await sleep(200)
  }
}

import type pg from 'pg'
import type { Stage } from '../stage.ts'
import { connectByHand, leave } from './by-hand.ts'
import type { Fault } from './fault.ts'

const TOO_MANY = '53300'
const AT_ONCE = 10
const TRY_AGAIN_MS = 100

/** Somebody takes every connection that the server has, and then those of the nodes are cut: when they come back, none is free. */
export const connectionsExhausted: Fault = {
  name: 'connections exhausted',
  async strike(stage, chance, signal) {
    const refusedBefore = await stage.server.refusals(TOO_MANY)
    const hog = new Hog(stage)
    try {
      await hog.takeAll(signal)
      for (const { wire } of stage.nodes) wire.cut()
      for (const wire of stage.clientWires) wire.cut()
      const until = performance.now() + chance.between(1_000, stage.leaseMs + 2_000)
      while (performance.now() < until && !signal.aborted) {
        await hog.takeAll(signal)
        await stage.wait(TRY_AGAIN_MS)
      }
    } finally {
      await hog.giveBack()
    }
    const refused = Math.max(0, (await stage.server.refusals(TOO_MANY)) - refusedBefore - hog.refused)
    return { 'times that all connections were taken': refused > 0 ? 1 : 0, 'connections refused with 53300': refused }
  },
}

/** Takes what is left, and what others give back. */
class Hog {
  readonly #stage: Stage
  readonly #held: pg.Client[] = []
  refused = 0

  constructor(stage: Stage) {
    this.#stage = stage
  }

  async takeAll(signal: AbortSignal): Promise<void> {
    for (let isFull = false; !isFull && !signal.aborted; ) {
      const taken = await Promise.all(Array.from({ length: AT_ONCE }, () => connectByHand(this.#stage)))
      this.#held.push(...taken.filter((client) => client !== null))
      const missing = taken.filter((client) => client === null).length
      this.refused += missing
      isFull = missing > 0
    }
  }

  async giveBack(): Promise<void> {
    await Promise.all(this.#held.splice(0).map(leave))
  }
}

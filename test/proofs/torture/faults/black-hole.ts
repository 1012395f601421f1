import type { Fault } from './fault.ts'
import { toSomeWires } from './victims.ts'

/** Connections stay, and nothing passes, for longer than the deadline of a call and sometimes than a lease. What was on its way arrives afterwards, all at once. */
export const blackHole: Fault = {
  name: 'black hole',
  weight: 2,
  canOverlap: true,
  strike: (stage, chance) =>
    toSomeWires(stage, chance, async (wires) => {
      const begunAt = performance.now()
      for (const wire of wires) wire.set('stalled')
      const isLong = chance.isIn(0.5)
      await stage.wait(isLong ? stage.leaseMs + chance.between(500, 3_000) : chance.between(500, stage.leaseMs))
      // Not where the time was over before.
      const isPastLease = performance.now() - begunAt > stage.leaseMs
      return {
        'wires that let nothing pass': wires.length,
        ...(isPastLease && { 'of these past the lease': wires.length }),
      }
    }),
}

import type { Fault } from './fault.ts'
import { toSomeWires } from './victims.ts'

/** Everything arrives, later. */
export const slowNetwork: Fault = {
  name: 'slow network',
  canOverlap: true,
  strike: (stage, chance) =>
    toSomeWires(stage, chance, async (wires) => {
      for (const wire of wires) wire.set({ delayMs: chance.between(50, 2_000) })
      await stage.wait(chance.between(1_000, 5_000))
      return { 'wires that were slow': wires.length }
    }),
}

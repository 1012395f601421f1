import type { Fault } from './fault.ts'
import { toSomeWires } from './victims.ts'

/** All connections of some processes are cut, again and again, and sometimes no new one is let through for a while. */
export const connectionsCut: Fault = {
  name: 'connections cut',
  weight: 2,
  canOverlap: true,
  strike: (stage, chance, signal) =>
    toSomeWires(stage, chance, async (wires) => {
      let cut = 0
      for (let round = chance.between(1, 6); round > 0 && !signal.aborted; round--) {
        for (const wire of wires) cut += wire.cut()
        if (chance.isIn(0.3)) {
          for (const wire of wires) wire.set('gone')
          await stage.wait(chance.between(200, 2_000))
          for (const wire of wires) wire.set('open')
        }
        await stage.wait(chance.between(50, 800))
      }
      return { 'connections cut': cut }
    }),
}

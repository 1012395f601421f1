import type { Fault } from './fault.ts'
import { nodesUp, pickSome } from './victims.ts'

/** `kill -9`: whatever they were about, the leases of others and their own run out. */
export const nodesKilled: Fault = {
  name: 'nodes killed',
  weight: 3,
  canOverlap: true,
  async strike(stage, chance) {
    const victims = pickSome(chance, nodesUp(stage))
    await Promise.all(victims.map((node) => node.kill(() => stage.wait(chance.between(0, 2_000)))))
    return { 'nodes killed': victims.length }
  },
}

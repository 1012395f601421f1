import type { Fault } from './fault.ts'

/** Every process of the server stands still, as a machine does that is moved or swaps: connections stay, and nobody answers. */
export const serverFrozen: Fault = {
  name: 'server stands still',
  canOverlap: true,
  async strike(stage, chance) {
    await stage.server.freeze(() => stage.wait(chance.between(1_000, stage.leaseMs * 2)))
    return { 'pauses of the whole server': 1 }
  },
}

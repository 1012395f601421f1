import type { Fault } from './fault.ts'
import { nodesUp, pickSome } from './victims.ts'

/** SIGSTOP until their leases have run out and others have their work: what they write after SIGCONT has to be refused. */
export const nodesStopped: Fault = {
  name: 'nodes stopped past their lease',
  weight: 2,
  canOverlap: true,
  async strike(stage, chance) {
    // Somebody has to be there to take the work over.
    const victims = pickSome(chance, nodesUp(stage)).slice(0, Math.max(1, stage.nodes.length - 1))
    const pauses = victims.map(async (node) => {
      const [{ pid }, begunAt] = [node, performance.now()]
      await node.stop(stage.leaseMs + chance.between(1_000, 2_500))
      // The time may have been over before, or somebody has killed it meanwhile.
      return performance.now() - begunAt > stage.leaseMs && node.pid === pid
    })
    const isPastLease = await Promise.all(pauses)
    return { 'pauses past the lease': isPastLease.filter(Boolean).length }
  },
}

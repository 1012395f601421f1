import type { Fault } from './fault.ts'

/** SIGTERM to one after the other, as a deployment does. */
export const nodesRestarted: Fault = {
  name: 'rolling restart',
  canOverlap: true,
  async strike(stage, chance, signal) {
    let restarts = 0
    for (const node of stage.nodes) {
      if (signal.aborted) break
      const { stoppedMs } = await node.restart()
      // One that was not there had not to be stopped.
      if (stoppedMs > 0) restarts += 1
      await stage.wait(chance.between(0, 500))
    }
    return { 'restarts by SIGTERM': restarts }
  },
}

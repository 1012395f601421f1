import type { Stage } from '../stage.ts'
import type { Fault } from './fault.ts'

const EXECUTIONS_A_MINUTE = 5_000
const MOST_EXECUTIONS = 50_000
const SHARE_OF_LATER_ONES = 0.1
/** What falls due does so a moment after it was stored, when surely no node is there. */
const DUE_IN_MS = 1_000

const struck = new WeakSet<Stage>()

/** Every node is down while a crowd of executions falls due, and then all come back at once. The crowd is large once in a run. */
export const outage: Fault = {
  name: 'outage of all nodes',
  weight: 0.3,
  async strike(stage, chance) {
    const share = struck.has(stage) ? SHARE_OF_LATER_ONES : 1
    struck.add(stage)
    const count = Math.ceil(Math.min(MOST_EXECUTIONS, EXECUTIONS_A_MINUTE * stage.minutes) * share)
    let accepted = 0
    const crowd = async () => {
      const begunAt = performance.now()
      const stored = await stage.flood(count, DUE_IN_MS)
      await stage.wait(DUE_IN_MS + chance.between(0, 2_000))
      // Where the time was over before, they fall due when the nodes are back.
      if (performance.now() - begunAt > DUE_IN_MS) accepted = stored
    }
    // All wait for the same: none is back before the last has fallen due.
    let over: Promise<void> | null = null
    const meanwhile = () => {
      over ??= crowd()
      return over
    }
    await Promise.all(stage.nodes.map((node) => node.kill(meanwhile)))
    return { 'outages of all nodes': 1, 'executions that fell due in an outage': accepted }
  },
}

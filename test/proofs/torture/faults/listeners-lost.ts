import type { Stage } from '../stage.ts'
import { countByHand } from './by-hand.ts'
import type { Fault } from './fault.ts'

const PATIENCE_MS = 3_000
const TRY_AGAIN_MS = 300

/** The last that a listener has asked: to listen, or that a message of its own comes back to it. */
const terminateListeners = `
select count(*) filter (where pg_terminate_backend(pid))::int as count
from pg_stat_activity
where datname = current_database()
  and backend_type = 'client backend'
  and (query like 'listen %' or query = 'select pg_notify($1, $2)')`

/** Nobody hears any more of what is new: the connections that listen are ended, or their other side is gone without a word. Polling has to find the work. */
export const listenersLost: Fault = {
  name: 'listeners lost',
  weight: 2,
  canOverlap: true,
  async strike(stage, chance, signal) {
    const isSilent = chance.isIn(0.5)
    let lost = 0
    // A node that has just come up listens a moment later.
    const until = performance.now() + PATIENCE_MS
    while (lost === 0 && performance.now() < until && !signal.aborted) {
      lost = isSilent ? stallAll(stage) : await countByHand(stage, terminateListeners)
      if (lost === 0) await stage.wait(TRY_AGAIN_MS)
    }
    await stage.wait(chance.between(500, 3_000))
    return { [isSilent ? 'listeners that heard nothing any more' : 'listeners ended']: lost }
  },
}

function stallAll({ nodes, clientWires }: Stage): number {
  const wires = [...nodes.map(({ wire }) => wire), ...clientWires]
  return wires.reduce((sum, wire) => sum + wire.stallListeners(), 0)
}

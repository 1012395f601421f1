import type { Chance } from '../../../harness/chance.ts'
import type { Stage } from '../stage.ts'
import { byHand } from './by-hand.ts'
import type { Fault } from './fault.ts'

const WAYS = ['kill', 'immediate', 'backend'] as const

/** The server loses its memory, several times in a row, also before it is well again. */
export const serverKilled: Fault = {
  name: 'server killed',
  weight: 3,
  canOverlap: true,
  async strike(stage, chance, signal) {
    const planned = chance.between(1, 4)
    let crashes = 0
    for (let round = 0; round < planned && !signal.aborted; round++) {
      if (await crash(stage, chance)) crashes += 1
      await stage.wait(chance.between(50, 1_500))
    }
    return { 'crashes of the server': crashes }
  },
}

async function crash(stage: Stage, chance: Chance): Promise<boolean> {
  const way = chance.pick(WAYS)
  if (way === 'backend') return await killBackend(stage)
  await stage.server.crash(way, () => stage.wait(chance.between(0, 1_000)))
  return true
}

/** One process of it that is killed takes all others with it: the server drops its memory and recovers from its log. It may be about that already. */
async function killBackend(stage: Stage): Promise<boolean> {
  const isKilled = await byHand(stage, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return rows[0] !== undefined && process.kill(rows[0].pid, 'SIGKILL')
  })
  return isKilled ?? false
}

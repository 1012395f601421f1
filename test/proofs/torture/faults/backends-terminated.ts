import { countByHand } from './by-hand.ts'
import type { Fault } from './fault.ts'

const terminateSome = `
select count(*) filter (where pg_terminate_backend(pid))::int as count
from pg_stat_activity
where datname = current_database()
  and backend_type = 'client backend'
  and application_name <> 'torture'
  and random() < $1::float8`

/** Somebody ends connections on the server, whatever they are doing. */
export const backendsTerminated: Fault = {
  name: 'backends terminated',
  canOverlap: true,
  async strike(stage, chance, signal) {
    let ended = 0
    for (let round = chance.between(2, 6); round > 0 && !signal.aborted; round--) {
      const share = chance.between(1, 10) / 10
      ended += await countByHand(stage, terminateSome, [share])
      await stage.wait(chance.between(50, 600))
    }
    return { 'backends terminated': ended }
  },
}

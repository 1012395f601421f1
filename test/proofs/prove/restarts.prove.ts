import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { restartInTurn } from './rolling-restarts.ts'

const ASKED = 500

describe('a restart', () => {
  const proof = new Proof('restarts')
  afterAll(() => proof.keep())

  it('I30: under load loses nothing, and spends no attempt', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await restartInTurn(database.url, countOf('RESTARTS', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I30'], what }) as const
      proof.count(about('restarts of one of four nodes by SIGTERM under load'), report.restarts, ASKED)
      proof.note(about('attempts handed back unspent'), report.handedBack)
      proof.note(about('slowest end after SIGTERM, with a grace of 150 ms'), Math.round(report.slowestMs), 'ms')
      proof.note(
        { ...about('executions under restarts, all succeeded with their first attempt'), section: 'lost' },
        report.ended,
      )
    }))
})

import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { tortureDurable } from '../torture/durable.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const ASKED = 10_000
/** It ends by then, with as many deaths as there were. */
const FOR_MS = Number(process.env['PONTUAL_PROVE_MINUTES'] ?? 50) * 60_000

describe('durable runs on nodes that are killed', () => {
  const proof = new Proof('durable')
  afterAll(() => proof.keep())

  it('I13: all end, and no activity whose result is recorded is performed again', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const options = { url: database.url, runs: 150, nodes: 4, slots: 30, lifeMs: 1_000 }
      const report = await tortureDurable({ ...options, kills: countOf('KILLS', ASKED), forMs: FOR_MS })
      await database.drop()
      for (const violation of report.violations) proof.violate(violation)
      const about = (what: string) => ({ section: 'faults', invariants: ['I13'], what }) as const
      proof.count(about('kill -9 of nodes with runs of fifty activities under way'), report.kills, ASKED)
      proof.note(about('runs that were under way on a node that was killed'), report.interrupted)
      proof.note(about('activities performed again, none of them recorded before'), report.performedAgain)
      proof.note({ ...about('durable runs, all ended with every result once'), section: 'lost' }, report.ended)
      proof.require(report.interrupted > report.kills, () => `Only ${report.interrupted} runs were interrupted.`)
    }))
})

import { afterAll, describe, it } from 'vitest'
import { countOf } from './count-of.ts'
import { crashUnderLoad } from './crashes.ts'
import { Proof } from './proof.ts'

const CRASHES = 1_000
const ENQUEUES = 200_000
/** It ends by then, with as many crashes as there were. */
const FOR_MS = Number(process.env['PONTUAL_PROVE_MINUTES'] ?? 50) * 60_000

describe('a server that crashes', () => {
  const proof = new Proof('crashes')
  afterAll(() => proof.keep())

  it('I8: under load loses nothing that was acknowledged', () =>
    proof.part(async () => {
      const asked = { crashes: countOf('CRASHES', CRASHES), enqueues: countOf('ENQUEUES', ENQUEUES), forMs: FOR_MS }
      const report = await crashUnderLoad(asked, proof)
      const about = (what: string) => ({ section: 'faults', invariants: ['I8'], what }) as const
      proof.count(about('crashes of a PostgreSQL server with fsync on, under load'), report.crashes, CRASHES)
      proof.note(about('of these that met enqueues under way'), report.met)
      proof.require(report.met * 2 > report.crashes, () => `Only ${report.met} of ${report.crashes} met an enqueue.`)
      proof.count(
        { ...about('enqueues acknowledged in between, none lost'), section: 'lost' },
        report.acknowledged,
        ENQUEUES,
      )
      proof.note({ ...about('of these that had run by then'), section: 'lost' }, report.ended)
      proof.note(about('enqueues whose callers were told that the store is away'), report.refused)
    }))
})

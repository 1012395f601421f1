import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { cutAfterCommit } from './keys-and-cuts.ts'
import { Proof } from './proof.ts'

const ASKED = 10_000

describe('a key', () => {
  const proof = new Proof('keys')
  afterAll(() => proof.keep())

  it('I9: stands for one execution, also where the connection is cut right after what was asked has left', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const report = await cutAfterCommit(database.url, countOf('CUTS', ASKED), proof)
      await database.drop()
      const { answered, sent, torn } = report.cuts
      const about = (what: string) => ({ section: 'faults', invariants: ['I9'], what }) as const
      proof.count(about('connections cut after a request with a key had left'), answered + sent + torn, ASKED)
      proof.note(about('of these after its commit'), answered)
      proof.note({ ...about('keys, with one execution each'), section: 'lost' }, report.keys)
      proof.note(
        { ...about('requests for something else with the same key, all refused'), section: 'inputs' },
        report.refused,
      )
    }))
})

import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { pauseHolders } from './pauses.ts'
import { Proof } from './proof.ts'

const ASKED = 300
const LATE_WRITES = 250

describe('a process that was stopped past its lease', () => {
  const proof = new Proof('pauses')
  afterAll(() => proof.keep())

  it('I6: writes nothing any more, whatever it tries', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { pauses, sent } = await pauseHolders(database.url, countOf('PAUSES', ASKED), proof)
      await database.drop()
      const about = (what: string) => ({ section: 'faults', invariants: ['I6'], what }) as const
      proof.count(about('SIGSTOP of a holder for its lease and a second, then SIGCONT'), pauses, ASKED)
      const all = [...sent.values()].reduce((sum, each) => sum + each, 0)
      proof.count(about('late writes sent, none taken'), all, LATE_WRITES)
      for (const [kind, each] of sent) proof.note(about(`of these of the kind ${kind}`), each)
    }))
})

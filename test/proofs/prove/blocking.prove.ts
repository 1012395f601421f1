import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { blockLoops } from './blocked-loops.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

const BLOCKS = 300
/** Long enough for as many. */
const MINUTES = 15

describe('a node that lives', () => {
  const proof = new Proof('blocking')
  afterAll(() => proof.keep())

  it('I11: keeps its work, though handlers block the event loop for nine tenths of the lease on a saturated machine', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { blocks, beside } = await blockLoops(database.url, countOf('MINUTES', MINUTES) * 60_000, proof)
      await database.drop()
      const about = (what: string) => ({ section: 'load', invariants: ['I11'], what }) as const
      proof.count(about('handlers that blocked the event loop for nine tenths of the lease, none lost'), blocks, BLOCKS)
      proof.note(about('executions beside them, none lost'), beside)
      proof.gap('I11: a day of it; this takes a quarter of an hour.')
    }))
})

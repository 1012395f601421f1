import { afterAll, describe, it } from 'vitest'
import { createDatabase } from '../../harness/postgres/database.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'
import { raceForEnds } from './races-for-an-end.ts'

const ASKED = 100_000

describe('an end', () => {
  const proof = new Proof('ends')
  afterAll(() => proof.keep())

  it('I7: is one and final, whoever races for it, in all 24 orders', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const { races, won } = await raceForEnds(database.url, countOf('RACES', ASKED), proof)
      await database.drop()
      const invariants = ['I7']
      const what = 'races of completion, timeout, cancel and rescue for one execution, over four connections'
      proof.count({ section: 'faults', invariants, what }, races, ASKED)
      for (const [winner, ends] of Object.entries(won)) {
        proof.note({ section: 'faults', invariants, what: `of these won by the ${winner}` }, ends)
        proof.require(ends > 0, () => `The ${winner} never won: they do not race.`)
      }
    }))
})

import { afterAll, describe, it } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { createDatabase } from '../../harness/postgres/database.ts'
import { tryEverything } from '../../http/lifecycle/four-eyes.ts'
import { countOf } from './count-of.ts'
import { Proof } from './proof.ts'

/** How many people have a go at a sensitive job; each is a dozen waves of what they try at once. */
const WORLDS = 10_000
const ON_POSTGRES = WORLDS / 25

describe('I26: nothing runs that a second person has not approved', () => {
  const proof = new Proof('approval')
  afterAll(() => proof.keep())

  async function prove(openStore: () => StoreSource, worlds: number, asked: number, where: string): Promise<void> {
    const seen = await tryEverything(openStore, worlds)
    const about = (what: string) => ({ section: 'inputs', invariants: ['I26'], what: `${what}, ${where}` }) as const
    proof.count(about('sensitive jobs that several people approve, edit and run at once'), worlds, asked)
    proof.note(about('executions of them, each as a second person had approved it'), seen.executions)
    proof.require(seen.executions > worlds / 10, () => `Only ${seen.executions} executions ${where}.`)
  }

  it('in memory', () => proof.part(() => prove(() => memory(), countOf('WORLDS', WORLDS), WORLDS, 'in memory')))

  it('on PostgreSQL, with two nodes', () =>
    proof.part(async () => {
      const database = await createDatabase()
      const worlds = Math.ceil(countOf('WORLDS', WORLDS) / 25)
      await prove(() => postgres(database.url), worlds, ON_POSTGRES, 'on PostgreSQL')
      await database.drop()
    }))
})

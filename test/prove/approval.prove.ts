import { describe, expect, test } from 'vitest'
import { postgres } from '../../src/postgres.ts'
import { memory } from '../../src/store/memory/memory.ts'
import { tryEverything } from '../lifecycle/four-eyes.ts'
import { createDatabase } from '../postgres/database.ts'

/** How many people have a go at a sensitive job; each is a dozen waves of what they try at once. */
const WORLDS = Number(process.env['PONTUAL_PROVE_WORLDS'] ?? 10_000)

describe('I26: nothing runs that a second person has not approved', () => {
  test('in memory', async () => {
    const seen = await tryEverything(() => memory(), WORLDS)
    console.log(seen)
    expect(seen.executions).toBeGreaterThan(WORLDS / 10)
  })

  test('on PostgreSQL, with two nodes', async () => {
    const database = await createDatabase()
    const seen = await tryEverything(() => postgres(database.url), Math.ceil(WORLDS / 25))
    await database.drop()
    console.log(seen)
    expect(seen.executions).toBeGreaterThan(WORLDS / 250)
  })
})

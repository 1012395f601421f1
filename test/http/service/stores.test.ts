import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { postgres } from '../../../src/postgres.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { openStage } from './stage.ts'
import { tellStory } from './story.ts'

let expected: unknown[]
beforeAll(async () => {
  await using stage = await openStage()
  expected = await tellStory(stage)
})

async function expectSameStory(store: StoreSource): Promise<void> {
  await using stage = await openStage({ store })
  const told = await tellStory(stage)
  for (const [place, answer] of told.entries()) expect({ place, answer }).toEqual({ place, answer: expected[place] })
  expect(told).toHaveLength(expected.length)
}

describe('a service', { timeout: 120_000 }, () => {
  it('answers on PGlite as it does in memory', async () => {
    const store = pglite()
    try {
      await expectSameStory(store)
    } finally {
      await store.dispose()
    }
  })

  describe.skipIf(isPostgresSkipped())('on PostgreSQL', () => {
    let database: TestDatabase
    beforeAll(async () => {
      database = await createDatabase()
    })
    afterAll(async () => await database.drop())

    it('answers as it does in memory', async () => {
      await expectSameStory(postgres(database.url))
    })
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { pglite } from '../../../src/pglite.ts'
import { postgres } from '../../../src/postgres.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'
import { randomCommands } from './random-commands.ts'
import { World } from './world.ts'

/** Random commands, given to all stores alike for so long. A failure tells its seed and the shortest way to it. */
export function describeModel(forMs: number): void {
  const isSkipped = isPostgresSkipped()

  describe('memory, PGlite and PostgreSQL', () => {
    let database: TestDatabase | undefined
    let world: World | undefined
    beforeAll(async () => {
      database = isSkipped ? undefined : await createDatabase()
      const { url } = database ?? {}
      world = new World({
        memory: () => memory(),
        ...(url !== undefined && { PostgreSQL: () => postgres(url) }),
        PGlite: () => pglite(),
      })
      await world.open()
    })
    afterAll(async () => {
      await world?.close()
      await database?.drop()
    })

    it(
      'give the same answers to whatever they are asked',
      async () => {
        const property = fc.asyncProperty(randomCommands, async (commands) => {
          await world?.run(commands)
        })
        const limits = { interruptAfterTimeLimit: forMs, markInterruptAsFailure: false }
        await fc.assert(property, { numRuns: 1_000_000, ...limits })
      },
      2 * forMs + 60_000,
    )
  })
}

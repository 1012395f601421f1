import { onTestFinished } from 'vitest'
import { postgres } from '../../../src/postgres.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import * as testing from '../../../src/testing.ts'
import { createDatabase, isPostgresSkipped, type TestDatabase } from '../../harness/postgres/database.ts'

/** Set by `npm test -- others`, which runs scenarios a second time, on the PostgreSQL of the system. */
const isOnStockServer = process.env['PONTUAL_SCENARIO_STORE'] === 'stock' && !isPostgresSkipped('stock')

/** An empty store for a scenario: in memory, or a database of its own on the PostgreSQL of the system. */
export function scenarioStore(): StoreSource {
  return isOnStockServer ? onStockServer() : memory()
}

/** `testPontual` on the store of a scenario. */
export function testPontual(options: testing.TestOptions = {}): Promise<testing.TestPontual> {
  return testing.testPontual({ store: scenarioStore(), ...options })
}

function onStockServer(): StoreSource {
  let database: Promise<TestDatabase> | undefined
  onTestFinished(async () => await (await database)?.drop())
  return {
    kind: 'postgres',
    open: async (deps) => {
      database ??= createDatabase('stock')
      return await postgres((await database).url, { maxConnections: 4 }).open(deps)
    },
  }
}

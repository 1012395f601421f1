import type { Driver, Statement } from '../../../src/store/driver/driver.ts'
import { scopedDriver } from '../../../src/store/driver/tenant-scope.ts'
import type { HeldCommit } from './held-commit.ts'

/** Hints go beside what they tell of, and nobody waits for them. */
const BESIDE = 'notify'

/**
 * A driver whose statements each run in a transaction of their own, as they do anyway; between what a statement did and its commit stands whatever `commit` says at that
 * moment, if anything.
 */
export function gatedDriver(driver: Driver, commit: () => HeldCommit | null): Driver {
  const transaction: Driver['transaction'] = async (work, options) => {
    const held = commit()
    if (!held) return await driver.transaction(work, options)
    return await driver.transaction(async (database) => {
      const result = await work(database)
      await held.pass()
      return result
    }, options)
  }
  const query = async <Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]> => {
    if (!commit() || statement.name === BESIDE) return await driver.query<Row>(statement, values)
    return await transaction((database) => database.query<Row>(statement, values))
  }
  return { ...scopedDriver(driver, { query, transaction }), close: () => driver.close() }
}

import type { Statement, Transaction } from '../../driver/driver.ts'
import type { TransactionClient } from '../../executions.ts'
import type { RecordItem } from '../../histories.ts'
import type { Held } from '../../leases.ts'
import type { Parts } from '../parts.ts'
import { recordOn } from './record.ts'

const holdRun: Statement = {
  name: 'holdRun',
  text: `
select execution_id
from pontual.leases
where execution_id = $1::uuid
  and epoch = $2::int
for key share`,
}

/** Of the caller's work, which is done once: the driver would do it again where the server has undone it for the sake of another. */
class WorkFailedError extends Error {}

/** The caller's SQL and what is recorded of it, in one transaction. */
export async function transact(
  { driver, testTime }: Parts,
  held: Held,
  work: (client: TransactionClient) => Promise<RecordItem>,
): Promise<RecordItem | null> {
  let isBegun = false
  try {
    return await driver.transaction(async (database) => {
      if (isBegun) throw new WorkFailedError('The server has undone a transaction at its commit.')
      const leases = await database.query(holdRun, [held.executionId, held.epoch])
      if (leases.length === 0) return null
      isBegun = true
      return await perform(database, work, testTime())
    })
  } catch (error) {
    throw error instanceof WorkFailedError ? (error.cause ?? error) : error
  }
}

async function perform(
  database: Transaction,
  work: (client: TransactionClient) => Promise<RecordItem>,
  testTime: number | null,
): Promise<RecordItem | null> {
  try {
    const query = async (text: string, values: readonly unknown[] = []) => {
      return { rows: await database.query({ name: 'transact', text, isOnce: true }, values) }
    }
    const item = await work({ query })
    const [answer] = await recordOn(database, [item], testTime)
    if (answer === 'recorded') return item
    throw new Error(`What a transaction was to be recorded with was ${answer}.`)
  } catch (cause) {
    throw new WorkFailedError('The work of a transaction failed.', { cause })
  }
}

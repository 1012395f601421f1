import type { Logger } from '../../../logger.ts'
import type { Driver, Statement } from '../../driver/driver.ts'
import { sqlStateOf } from '../../unavailable.ts'
import type { Parts } from '../parts.ts'

/** Tables whose rows are spread over months by id, and one by time. */
type PartitionedTable = 'executions' | 'results' | 'attempts' | 'execution_logs' | 'history_entries' | 'audit_entries'

interface MissingPartition {
  readonly table: PartitionedTable
  readonly year: number
  readonly month: number
}

/** Last month, this one and the three to come, as far as they have no partition yet; of the audit log the first one may hold several. */
const findMissingPartitions: Statement = {
  name: 'findMissingPartitions',
  text: `
select
  partitioned.name as "table",
  date_part('year', month) as year,
  date_part('month', month) as month
from unnest(array['executions', 'results', 'attempts', 'execution_logs', 'history_entries', 'audit_entries'])
  as partitioned (name)
cross join (
  select date_trunc('month', pontual.clock($1::float8) at time zone 'UTC') + months * interval '1 month' as month
  from generate_series(-1, 3) as months
) as around
where to_regclass('pontual.' || partitioned.name || to_char(month, '_YYYY_MM')) is null
  and not (
    partitioned.name = 'audit_entries'
    and to_regclass('pontual.audit_entries_first') is not null
    and exists (
      select
      from pontual.archive_parts()
      where part = 'audit_entries_first'
        and to_at > month at time zone 'UTC'
    )
  )
order by month, partitioned.name`,
}

const addPartition: Statement = {
  name: 'addPartition',
  text: `
select pontual.add_partition($1::text, make_date($2::int, $3::int, 1)::timestamp)`,
}

/** To create a table may take long on a busy server, and nobody waits for it. */
const DEADLINE_MS = 60_000

/** Rows of the month lie in the default partition already. */
const CHECK_VIOLATION = '23514'

/** That, or someone uses the tables for long, or has just made the partition. */
const TRY_LATER: ReadonlySet<string> = new Set([CHECK_VIOLATION, '55P03', '42P07'])

/**
 * Makes room for the months to come. A month that has to wait is kept in the default partition meanwhile; one whose rows lie there already
 * is told of.
 */
export async function maintain(
  { driver, testTime }: Pick<Parts, 'driver' | 'testTime'>,
  onOccupied: (table: string, month: string) => void = () => {},
): Promise<void> {
  const missing = await driver.query<MissingPartition>(findMissingPartitions, [testTime()])
  for (const partition of missing) {
    const hindrance = await tryToAdd(driver, partition)
    if (hindrance === CHECK_VIOLATION) onOccupied(partition.table, monthOf(partition))
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** The same again and again. A role that may only read and write finds the room that another role has made, and says so once. */
export function maintainer(parts: Parts, logger: Logger): () => Promise<void> {
  let hasWarned = false
  const occupied = new Set<string>()
  const onOccupied = (table: string, month: string) => {
    if (occupied.has(month)) return
    occupied.add(month)
    const message =
      'Rows of a month lie in the default partition, so that it gets none of its own: was the clock of the server wrong?'
    logger.warn(message, { table, month })
  }
  return async () => {
    try {
      await maintain(parts, onOccupied)
    } catch (error) {
      if (sqlStateOf(error) !== INSUFFICIENT_PRIVILEGE) throw error
      const message = 'This role may not create partitions: run "pontual migrate" now and then with one that may'
      if (!hasWarned) logger.warn(message, { error })
      hasWarned = true
    }
  }
}

/** The state that says why it has to wait; null where it is done. */
async function tryToAdd(driver: Driver, partition: MissingPartition): Promise<string | null> {
  try {
    const values = [partition.table, partition.year, partition.month]
    await driver.transaction((transaction) => transaction.query(addPartition, values), { deadlineMs: DEADLINE_MS })
    return null
  } catch (error) {
    const state = sqlStateOf(error)
    if (state === null || !TRY_LATER.has(state)) throw error
    return state
  }
}

function monthOf({ year, month }: MissingPartition): string {
  return `${Number(year).toString().padStart(4, '0')}-${Number(month).toString().padStart(2, '0')}`
}

import type { NewAuditEntry } from '../../audit.ts'
import type { Statement } from '../../driver/driver.ts'
import type { NewExecution } from '../../executions.ts'
import type { ContinueItem } from '../../histories.ts'
import { enqueueWithin } from '../executions/enqueue.ts'
import { tellFreed } from '../executions/follow-up.ts'
import { distinctHeld, HELD } from '../executions/held.ts'
import { type FieldOf, named } from '../named-statement.ts'
import type { Parts } from '../parts.ts'
import { writeAudit } from '../service/write-audit.ts'
import { recordOn } from './record.ts'

const forgetRuns = named<FieldOf<typeof HELD>>(
  'forgetRuns',
  `
select pontual.forget_runs($held.execution_id::uuid[], $held.epoch::int[]) as accepted`,
)

const cutHistory: Statement = {
  name: 'cutHistory',
  text: `
select pontual.cut_history($1::uuid, $2::int) as "isCut"`,
}

const copyHistory: Statement = {
  name: 'copyHistory',
  text: `
select pontual.copy_history($1::uuid, $2::int, $3::uuid)`,
}

/** Not to be removed before its history is copied. */
const keepExecution: Statement = {
  name: 'keepExecution',
  text: `
select id
from pontual.executions
where id = $1::uuid
for key share`,
}

/** Begins runs anew, with another input. */
export async function continueAs({ driver, testTime }: Parts, items: readonly ContinueItem[]): Promise<string[]> {
  const distinct = distinctHeld(items)
  if (distinct.length === 0) return []
  return await driver.transaction(async (database) => {
    const [row] = await database.query<{ accepted: string[] }>(forgetRuns, forgetRuns.values(HELD.of(distinct)))
    const accepted = row?.accepted ?? []
    if (accepted.length === 0) return []
    await recordOn(
      database,
      distinct.map(({ executionId, epoch, entry }) => ({ executionId, epoch, entries: [entry] })),
      testTime(),
    )
    return accepted
  })
}

/** Lets a run that is DIVERGED go on from an earlier point. */
export async function cut(
  parts: Parts,
  executionId: string,
  sequence: number,
  audit?: NewAuditEntry,
): Promise<boolean> {
  const isCut = await parts.driver.transaction(async (database) => {
    const [row] = await database.query<{ isCut: boolean }>(cutHistory, [executionId, sequence])
    if (row?.isCut && audit) await writeAudit(database, [audit], parts.testTime())
    return row?.isCut ?? false
  })
  if (isCut) tellFreed(parts, [executionId])
  return isCut
}

/** Stores an execution that begins as another one did. */
export async function fork(
  parts: Parts,
  executionId: string,
  sequence: number,
  execution: NewExecution,
  audit?: NewAuditEntry,
): Promise<boolean> {
  const { driver, lanes, hints, cursor, testTime } = parts
  await lanes.idsOf([execution.body])
  const isForked = await driver.transaction(async (database) => {
    const known = await database.query(keepExecution, [executionId])
    if (known.length === 0) return false
    const [answer] = await enqueueWithin(parts, [execution], database)
    if (!answer?.isNew) return true
    await database.query(copyHistory, [executionId, sequence, answer.id])
    if (audit) await writeAudit(database, [audit], testTime())
    return true
  })
  cursor.noticed(execution.body.id)
  if (isForked) hints.send('ready')
  return isForked
}

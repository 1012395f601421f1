import type { Predecessor } from '../../../job/execution/execution.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import {
  type EnqueueOptions,
  type EnqueueResult,
  type NewExecution,
  UnknownPredecessorError,
} from '../../executions.ts'
import { IdempotencyError, requireSameInput } from '../../idempotency.ts'
import type { Parts } from '../parts.ts'
import { inTransaction } from './caller-transaction.ts'
import { enqueueWithin } from './enqueue.ts'
import { type Settled, settleLinks, tellFreed } from './follow-up.ts'

const findTenants: Statement = {
  name: 'findTenants',
  text: `
select executions.id, tenants.name as tenant
from pontual.executions
join pontual.lanes on lanes.id = executions.lane
join pontual.tenants on tenants.id = lanes.tenant_id
where executions.id = any($1::uuid[])
union all
select archived.id, archived.tenant
from unnest($1::uuid[]) as asked (id)
cross join lateral pontual.archived_end(asked.id) as archived`,
}

/** Those that were stored as due at the end of time wait for others, and some are to be looked at: one of theirs may have ended already. */
const linkExecutions: Statement = {
  name: 'linkExecutions',
  text: `
with input as materialized (
  select *
  from unnest($3::uuid[], $4::int[], $5::uuid[], $6::text[], $7::bool[])
    as input (successor_id, place, predecessor_id, condition, is_declared)
),
linked as (
  insert into pontual.links (successor_id, place, predecessor_id, condition, is_declared)
  select successor_id, place, predecessor_id, condition, is_declared
  from input
),
counted as (
  select successor_id, count(*)::int as awaits
  from input
  group by successor_id
),
waiting as (
  update pontual.delayed
  set
    awaits = counted.awaits,
    due_at = case when execution_id = any($8::uuid[]) then pontual.clock($1::float8) else 'infinity' end
  from counted
  where execution_id = any($3::uuid[])
    and execution_id = successor_id
)
select pg_notify('pontual', $2::text)
where $2::text is not null`,
}

const beginWhole: Statement = { name: 'beginWhole', text: 'savepoint pontual_whole' }
const endWhole: Statement = { name: 'endWhole', text: 'release savepoint pontual_whole' }
const undoWhole: Statement = { name: 'undoWhole', text: 'rollback to savepoint pontual_whole' }

/** The last instant that JavaScript knows. */
const END_OF_TIME = 8.64e15

interface Link extends Predecessor {
  readonly successorId: string
  readonly place: number
  readonly isDeclared: boolean
}

/**
 * Stores executions of which some stand behind others, in one transaction.
 *
 * An end that comes at the same moment is not missed. Either it sees the link; or the link is newer than what it sees, and then whoever looks at the
 * successor afterwards finds it (see `settle_links`). In a transaction of one's own that is done before the commit. In a caller's it is done after
 * it, by whichever node promotes what is due: a predecessor that is locked until the caller commits would hold up everybody who ends work with it.
 */
export async function enqueueAfter(
  parts: Parts,
  executions: readonly NewExecution[],
  { transaction }: EnqueueOptions = {},
): Promise<EnqueueResult[]> {
  const { driver, lanes, hints, cursor } = parts
  if (transaction !== undefined) {
    const database = inTransaction(transaction, driver.schema)
    const work = () => store(parts, executions, database)
    const hasKeys = executions.some(({ body }) => body.idempotencyKey !== null)
    return (await (hasKeys ? asWhole(database, work) : work())).results
  }
  // Looked up ahead: inside a transaction it might wait for a connection that others hold who wait for the same.
  await lanes.idsOf(executions.map(({ body }) => body))
  const { results, settled } = await driver.transaction((database) => store(parts, executions, database, true))
  tellFreed({ cursor, hints }, settled?.freed ?? [])
  if (settled?.isUnsure) hints.send('jobs')
  return results
}

async function store(
  parts: Parts,
  executions: readonly NewExecution[],
  database: Queryable,
  mayLook = false,
): Promise<{ readonly results: EnqueueResult[]; readonly settled: Settled | null }> {
  await requirePredecessors(executions, database)
  const waiting = executions.map((each) => (isFollower(each) ? { ...each, runAt: END_OF_TIME } : each))
  const results = await enqueueWithin(parts, waiting, database)
  for (const [index, { body }] of executions.entries()) requireSameInput(body, results[index] ?? body)
  const { links, uncertain } = linksOf(executions, results)
  if (links.length === 0) return { results, settled: null }
  await database.query(linkExecutions, [
    parts.testTime(),
    uncertain.length > 0 && !mayLook ? 'jobs' : null,
    links.map(({ successorId }) => successorId),
    links.map(({ place }) => place),
    links.map(({ id }) => id),
    links.map(({ on }) => on),
    links.map(({ isDeclared }) => isDeclared),
    uncertain,
  ])
  const settled = mayLook && uncertain.length > 0 ? await settleLinks(database, uncertain, parts.testTime()) : null
  return { results, settled }
}

/** Leaves nothing of what is refused in a caller's transaction, which may go on. */
async function asWhole<Answer>(database: Queryable, work: () => Promise<Answer>): Promise<Answer> {
  await database.query(beginWhole)
  try {
    const answer = await work()
    await database.query(endWhole)
    return answer
  } catch (error) {
    if (error instanceof IdempotencyError) await database.query(undoWhole)
    throw error
  }
}

export function isFollower({ after = [] }: NewExecution): boolean {
  return after.length > 0
}

/** Each is known already, or stands earlier in the list: so that there is no circle. */
async function requirePredecessors(executions: readonly NewExecution[], database: Queryable): Promise<void> {
  const ids = new Set(executions.flatMap(({ after = [] }) => after.map(({ id }) => id)))
  const rows = await database.query<{ id: string; tenant: string }>(findTenants, [[...ids]])
  const tenants = new Map(rows.map(({ id, tenant }) => [id, tenant]))
  for (const { body, after = [] } of executions) {
    for (const { id } of after) {
      if (tenants.get(id) !== body.tenant) throw new UnknownPredecessorError(id, body.tenant)
    }
    if (!tenants.has(body.id)) tenants.set(body.id, body.tenant)
  }
}

/**
 * The links of what is new. One whose key was taken stands for the one that has it, also as a predecessor. One that is new in the same transaction
 * cannot have ended.
 */
function linksOf(
  executions: readonly NewExecution[],
  results: readonly EnqueueResult[],
): { readonly links: Link[]; readonly uncertain: string[] } {
  const answers = new Map(executions.map(({ body }, index) => [body.id, results[index]]))
  const links: Link[] = []
  const uncertain: string[] = []
  for (const [index, { body, after = [], isDeclared = false }] of executions.entries()) {
    if (!results[index]?.isNew) continue
    for (const [place, { id, on }] of after.entries()) {
      links.push({ successorId: body.id, place, id: answers.get(id)?.id ?? id, on, isDeclared })
    }
    if (after.some(({ id }) => !answers.get(id)?.isNew)) uncertain.push(body.id)
  }
  return { links, uncertain }
}

import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { priorityRank } from '../../../job/rules/priority.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import type { NewExecution } from '../../executions.ts'
import { listOf } from './held.ts'

/**
 * Executions that differ in their input only, and may run at once: what most are. The inputs are one JSON array, whose elements are kept as they are
 * written; a list of texts would have to be quoted and read once more on either side.
 */
export const enqueueAlike: Statement = {
  name: 'enqueueAlike',
  text: `
with stored as (
  insert into pontual.executions (
    id,
    lane,
    priority,
    origin,
    payload,
    max_attempts,
    options,
    created_at
  )
  select input.id, $4::bigint, $5::int, 'enqueue', input.payload::text, $6::int, $7::text, pontual.from_ms(created_at)
  from rows from (unnest($1::uuid[]), unnest($2::float8[]), json_array_elements($3::json))
    as input (id, created_at, payload)
  on conflict (id) do nothing
  returning id
),
readied as (
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id)
  select $4::bigint, 0, 0, $5::int, id
  from stored
),
notified as (
  select pg_notify('pontual', $8::text)
  where $8::text is not null
)
select case when count(*) < cardinality($1::uuid[]) then array(select id from stored) end as stored
from stored
where (select count(*) from notified) >= 0`,
}

/** The server reads JSON level by level, and gives up where there are many thousands. */
const MAX_DEPTH = 1_000
const BLANK = 0x20

/** Whether one statement for executions that are alike takes them. */
export function areAlike(executions: readonly NewExecution[], lanes: readonly number[]): boolean {
  const [first] = executions
  return (
    first !== undefined &&
    executions.every((each, index) => isPlain(each) && lanes[index] === lanes[0] && isLike(each.body, first.body))
  )
}

function isPlain({ body, runAt, delayMs, after }: NewExecution): boolean {
  const { jobId, origin, scheduledAt, idempotencyKey } = body
  const isNow = runAt === null && !delayMs && !after
  const isOfItsOwn = jobId === null && scheduledAt === null && idempotencyKey === null && origin === 'enqueue'
  return isNow && isOfItsOwn && isAnElement(body.payload)
}

/** Whether it comes out of an array as it went in. */
function isAnElement(payload: string | null): boolean {
  if (payload === null) return true
  // Blanks around an element belong to the array.
  if (payload.charCodeAt(0) <= BLANK || payload.charCodeAt(payload.length - 1) <= BLANK) return false
  // What the durable codec has marked with a letter is no JSON, and neither is what stands for what cannot be read.
  if (/^[A-Z!]/.test(payload)) return false
  if (payload.length < 2 * MAX_DEPTH) return true
  let depth = 0
  for (const character of payload) {
    if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    // A bracket within a text counts too: then it is sent the other way, which is as good.
    if (depth > MAX_DEPTH) return false
  }
  return true
}

function isLike(a: ExecutionBody, b: ExecutionBody): boolean {
  // Without an input there is no element, which is not the same as null.
  const haveInput = (a.payload === null) === (b.payload === null)
  return haveInput && a.priority === b.priority && a.maxAttempts === b.maxAttempts && a.options === b.options
}

/** The values of the statement: made ahead, so that the next ones are ready when the server is. */
export function alikeValues(executions: readonly NewExecution[], lane: number | undefined): readonly unknown[] {
  const bodies = executions.map(({ body }) => body)
  const [first] = bodies
  const ids = new Array<string>(bodies.length)
  const createdAt = new Array<number>(bodies.length)
  const payloads = new Array<string | null>(bodies.length)
  for (const [index, body] of bodies.entries()) {
    ids[index] = body.id
    createdAt[index] = body.createdAt
    payloads[index] = body.payload
  }
  return [
    listOf(ids),
    listOf(createdAt),
    first?.payload == null ? null : `[${payloads.join(',')}]`,
    lane,
    priorityRank(first?.priority ?? 'MEDIUM'),
    first?.maxAttempts,
    first?.options ? JSON.stringify(first.options) : null,
  ]
}

/** Returns the ids of those that are new, null where all of them are. */
export async function storeAlike(
  database: Queryable,
  values: readonly unknown[],
  hint: string | null,
): Promise<readonly string[] | null> {
  const [row] = await database.query<{ stored: readonly string[] | null }>(enqueueAlike, [...values, hint])
  return row?.stored ?? null
}

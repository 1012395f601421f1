import type { ExecutionBody } from '../../../job/execution/execution.ts'
import { priorityRank } from '../../../job/rules/priority.ts'
import type { Queryable } from '../../driver/driver.ts'
import type { NewExecution } from '../../executions.ts'
import { listOf, named } from '../named-statement.ts'

/** Executions that differ only in their id, time and input. */
export interface AlikeFields {
  readonly ids: string
  readonly createdAt: string
  /** One JSON array; null where they have no input. */
  readonly payloads: string | null
  readonly lane: number
  readonly priority: number
  readonly maxAttempts: number
  readonly options: string | null
}

/**
 * Executions that differ in their input only, and may run at once: what most are. The inputs are one JSON array, whose elements are kept as they are
 * written; a list of texts would have to be quoted and read once more on either side.
 */
export const enqueueAlike = named<AlikeFields & { readonly hint: string | null }>(
  'enqueueAlike',
  `
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
  select input.id, $lane::bigint, $priority::int, 'enqueue', input.payload::text, $maxAttempts::int, $options::text, pontual.from_ms(created_at)
  from rows from (unnest($ids::uuid[]), unnest($createdAt::float8[]), json_array_elements($payloads::json))
    as input (id, created_at, payload)
  on conflict (id) do nothing
  returning id
),
readied as (
  insert into pontual.ready (lane, attempt, epoch, priority, execution_id)
  select $lane::bigint, 0, 0, $priority::int, id
  from stored
),
notified as (
  select pg_notify('pontual', $hint::text)
  where $hint::text is not null
)
select case when count(*) < cardinality($ids::uuid[]) then array(select id from stored) end as stored
from stored
where (select count(*) from notified) >= 0`,
)

/** The server reads JSON level by level, and gives up where there are many thousands. */
const MAX_DEPTH = 1_000
const BLANK = 0x20

function areAlike(executions: readonly NewExecution[], lanes: readonly number[], first: ExecutionBody): boolean {
  return executions.every((each, index) => isPlain(each) && lanes[index] === lanes[0] && isLike(each.body, first))
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

/** The fields of the statement: made ahead, so that the next ones are ready when the server is. null if the executions are not alike. */
export function alikeFields(executions: readonly NewExecution[], lanes: readonly number[]): AlikeFields | null {
  const first = executions[0]?.body
  const lane = lanes[0]
  if (!first || lane === undefined || !areAlike(executions, lanes, first)) return null
  const ids = new Array<string>(executions.length)
  const createdAt = new Array<number>(executions.length)
  const payloads = new Array<string | null>(executions.length)
  for (const [index, { body }] of executions.entries()) {
    ids[index] = body.id
    createdAt[index] = body.createdAt
    payloads[index] = body.payload
  }
  return {
    ids: listOf(ids),
    createdAt: listOf(createdAt),
    payloads: first.payload === null ? null : `[${payloads.join(',')}]`,
    lane,
    priority: priorityRank(first.priority),
    maxAttempts: first.maxAttempts,
    options: first.options ? JSON.stringify(first.options) : null,
  }
}

/** Returns the ids of those that are new, null where all of them are. */
export async function storeAlike(
  database: Queryable,
  fields: AlikeFields,
  hint: string | null,
): Promise<readonly string[] | null> {
  const values = enqueueAlike.values({ ...fields, hint })
  const [row] = await database.query<{ stored: readonly string[] | null }>(enqueueAlike, values)
  return row?.stored ?? null
}

import { PontualError } from '../../../errors.ts'
import type { Queryable, Statement } from '../../driver/driver.ts'
import type { EnqueueOptions, EnqueueResult, NewExecution } from '../../executions.ts'
import { type FieldOf, named, RowList } from '../named-statement.ts'
import { notifiedIf, type Parts } from '../parts.ts'
import { inTransaction } from './caller-transaction.ts'
import { type AlikeFields, alikeFields, storeAlike } from './enqueue-alike.ts'
import { EXECUTION_COLUMNS, type ExecutionRow, insertDelayed, insertExecutions, insertReady } from './execution-rows.ts'

interface EnqueuedRow extends ExecutionRow, NewExecution {
  /** Tenants and job types are sent only if a row has an idempotency key. */
  readonly hasKeys: boolean
}

const INPUT = new RowList<'input', EnqueuedRow>('input', {
  ...EXECUTION_COLUMNS,
  run_at: ['float8', ({ runAt }) => runAt],
  delay_ms: ['float8', ({ delayMs }) => delayMs],
  tenant: ['text', ({ body, hasKeys }) => (hasKeys ? body.tenant : null)],
  job_type: ['text', ({ body, hasKeys }) => (hasKeys ? body.jobType : null)],
})

interface EnqueueFields extends FieldOf<typeof INPUT> {
  readonly testTime: number | null
  readonly hint: string | null
}

/**
 * Keys are taken in their order, so that two who take the same ones do not wait for each other in a circle. A list of ids that the planner cannot
 * measure is a filter "is true": as a join it might become a loop over both sides.
 */
export const enqueueExecutions = named<EnqueueFields>(
  'enqueueExecutions',
  `
with clock as materialized (
  select pontual.clock($testTime::float8) as now
),
input as materialized (
  select
    input.*,
    coalesce(pontual.from_ms(run_at), now + coalesce(delay_ms, 0) * interval '1 millisecond') as due_at,
    now
  from unnest(${INPUT.lists}) with ordinality as input (${INPUT.columns}, place)
  cross join clock
),
keyed as (
  insert into pontual.idempotency_keys (tenant, job_type, key, execution_id)
  select tenant, job_type, idempotency_key, id
  from input
  where idempotency_key is not null
    and (select true from pontual.executions where executions.id = input.id) is null
  order by tenant collate "C", job_type collate "C", idempotency_key collate "C", place
  on conflict (tenant, job_type, key) do nothing
  returning execution_id
),
stored as (${insertExecutions('input')}
  where idempotency_key is null
    or id in (select execution_id from keyed)
  on conflict (id) do nothing
  returning id
),
readied as (${insertReady('input', 'select id from stored')}
),
postponed as (${insertDelayed('input', 'select id from stored')}
),
${notifiedIf('$hint', 'readied')}
select id
from stored
where (select count(*) from notified) >= 0`,
)

/** A key may be given back between two looks at it; nobody gives back so many. */
const TRIES = 20

export async function enqueue(
  parts: Parts,
  executions: readonly NewExecution[],
  { transaction }: EnqueueOptions = {},
): Promise<EnqueueResult[]> {
  if (executions.length === 0) return []
  if (transaction !== undefined) {
    return await enqueueWithin(parts, executions, inTransaction(transaction, parts.driver.schema))
  }
  const bodies = executions.map(({ body }) => body)
  const chunks = chunksOf(executions, await parts.lanes.idsOf(bodies))
  const hint = parts.hints.due('ready')
  const results =
    chunks.length === 1
      ? await enqueueAll({ ...parts, database: parts.driver, hint }, chunks)
      : await parts.driver.transaction((database) => enqueueAll({ ...parts, database, hint }, chunks))
  // Others sleep until the next instant they know of, and this may be an earlier one.
  if (executions.some(({ runAt, delayMs = 0 }) => runAt !== null || delayMs > 0)) parts.hints.send('jobs')
  return results
}

/** Enqueues in an open transaction. */
export async function enqueueWithin(
  parts: Parts,
  executions: readonly NewExecution[],
  database: Queryable,
): Promise<EnqueueResult[]> {
  if (executions.length === 0) return []
  const bodies = executions.map(({ body }) => body)
  // PGlite has one connection: it answers nothing outside the open transaction.
  const isAlone = parts.driver.kind === 'pglite'
  const lanes = await (isAlone ? parts.lanes.idsWithin(database, bodies) : parts.lanes.idsOf(bodies))
  return await enqueueAll({ ...parts, database, hint: 'ready' }, chunksOf(executions, lanes))
}

interface Enqueuing extends Pick<Parts, 'testTime' | 'cursor'> {
  readonly database: Queryable
  readonly hint: string | null
}

async function enqueueAll(enqueuing: Enqueuing, chunks: readonly Chunk[]): Promise<EnqueueResult[]> {
  const results: EnqueueResult[] = []
  let alike = alikeOf(chunks[0])
  for (const [index, chunk] of chunks.entries()) {
    const answer = alike ? enqueueAlike(enqueuing, chunk, alike) : enqueueChunk(enqueuing, chunk)
    // While the server is at work.
    alike = alikeOf(chunks[index + 1])
    for (const result of await answer) results.push(result)
  }
  return results
}

/** null where the executions are not alike. */
function alikeOf(chunk: Chunk | undefined): AlikeFields | null {
  return chunk ? alikeFields(chunk.executions, chunk.lanes) : null
}

async function enqueueAlike(enqueuing: Enqueuing, chunk: Chunk, alike: AlikeFields): Promise<readonly EnqueueResult[]> {
  const { database, hint, cursor } = enqueuing
  const stored = await storeAlike(database, alike, hint)
  for (const { body } of chunk.executions) cursor.noticed(body.id, chunk.lanes[0])
  if (stored === null) return chunk.executions.map(({ body }) => ({ id: body.id, isNew: true, payload: null }))
  return await enqueueChunk(enqueuing, chunk, new Set(stored))
}

/** Where some are stored already, the rest. */
async function enqueueChunk(
  enqueuing: Enqueuing,
  { executions, lanes }: Chunk,
  already?: Set<string>,
): Promise<EnqueueResult[]> {
  const results = new Array<EnqueueResult>(executions.length)
  let open = Array.from(executions.keys())
  for (let tries = 0; tries < TRIES; tries++) {
    const distinct = distinctPlaces(open, executions)
    const stored =
      (tries === 0 && already) ||
      (await store(
        enqueuing,
        distinct.map((place) => executions[place]!),
        distinct.map((place) => lanes[place]!),
      ))
    const others: number[] = []
    for (const place of open) {
      const { id } = executions[place]!.body
      // What the batch holds twice is new once.
      if (stored.delete(id)) results[place] = { id, isNew: true, payload: null }
      else others.push(place)
    }
    if (others.length === 0) return results
    const holders = await holdersOf(
      enqueuing.database,
      others.map((place) => executions[place]!),
    )
    open = others.filter((place) => {
      const holder = holders.get(executions[place]!.body.id)
      if (holder) results[place] = { id: holder.id, isNew: false, payload: holder.payload }
      return !holder
    })
    if (open.length === 0) return results
  }
  throw new PontualError(
    'store.enqueue_contended',
    `${open.length} executions could not be enqueued: their idempotency keys were taken and given back ${TRIES} times meanwhile.`,
    { ids: open.map((place) => executions[place]?.body.id) },
  )
}

/** Where each id is met first. */
function distinctPlaces(places: readonly number[], executions: readonly NewExecution[]): number[] {
  const seen = new Set<string>()
  return places.filter((place) => {
    const { id } = executions[place]!.body
    return !seen.has(id) && seen.add(id)
  })
}

/** Returns the ids of those that are new. */
async function store(
  { database, hint, cursor, testTime }: Enqueuing,
  executions: readonly NewExecution[],
  lanes: readonly number[],
): Promise<Set<string>> {
  const hasKeys = executions.some(({ body }) => body.idempotencyKey !== null)
  const input = INPUT.of(executions.map((each, place) => ({ ...each, lane: lanes[place]!, hasKeys })))
  const values = enqueueExecutions.values({ testTime: testTime(), hint, ...input })
  const rows = await database.query<{ id: string }>(enqueueExecutions, values)
  for (const { id } of rows) cursor.noticed(id)
  return new Set(rows.map(({ id }) => id))
}

/** One statement takes no more: its text of values is built in memory, here and there. */
const CHUNK = 2_000

const CHUNK_CHARACTERS = 8_388_608

/** Executions for one statement, with their lanes. */
interface Chunk {
  readonly executions: readonly NewExecution[]
  readonly lanes: readonly number[]
}

function chunksOf(executions: readonly NewExecution[], lanes: readonly number[]): Chunk[] {
  const chunks: Chunk[] = []
  let from = 0
  let characters = 0
  for (const [index, { body }] of executions.entries()) {
    const length = body.payload?.length ?? 0
    if (index - from >= CHUNK || (characters + length > CHUNK_CHARACTERS && index > from)) {
      chunks.push({ executions: executions.slice(from, index), lanes: lanes.slice(from, index) })
      from = index
      characters = 0
    }
    characters += length
  }
  chunks.push({ executions: executions.slice(from), lanes: lanes.slice(from) })
  return chunks
}

/** Who has the id, or else the key, of an execution that was not stored. */
const findHolders: Statement = {
  name: 'findHolders',
  text: `
select
  asked.id as "askedId",
  holder.id,
  holder.payload
from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) as asked (id, tenant, job_type, key)
cross join lateral (
  select coalesce(
    (select id from pontual.executions where id = asked.id),
    (
      select execution_id
      from pontual.idempotency_keys
      where tenant = asked.tenant
        and job_type = asked.job_type
        and key = asked.key
    )
  ) as id
  offset 0
) as known
cross join lateral (
  select id, payload
  from pontual.executions
  where id = known.id
  union all
  select id, payload
  from pontual.archived_end(known.id)
  limit 1
) as holder`,
}

interface Holder {
  readonly id: string
  readonly payload: string | null
}

interface HolderRow extends Holder {
  readonly askedId: string
}

/** By the id that was asked for. */
async function holdersOf(
  database: Queryable,
  executions: readonly NewExecution[],
): Promise<ReadonlyMap<string, Holder>> {
  const bodies = executions.map(({ body }) => body)
  const rows = await database.query<HolderRow>(findHolders, [
    bodies.map(({ id }) => id),
    bodies.map(({ tenant }) => tenant),
    bodies.map(({ jobType }) => jobType),
    bodies.map(({ idempotencyKey }) => idempotencyKey),
  ])
  return new Map(rows.map((row) => [row.askedId, row]))
}

import { once } from 'node:events'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import type { TableName } from './rows.ts'

const BATCH = 5_000

const ms = (column: string) => `case when isfinite(${column}) then (extract(epoch from ${column}) * 1000)::float8 end`

/** What stands in each table, by the names of `Rows`; nothing is asked of the product's own functions and views. */
const TABLES: Readonly<Record<Exclude<TableName, 'bookings'>, string>> = {
  executions: `select executions.id, tenants.name as tenant, lanes.job_type as "jobType", executions.job_id as "jobId", origin,
    payload, ${ms('scheduled_at')} as "scheduledAt", max_attempts as "maxAttempts", idempotency_key as "idempotencyKey",
    coalesce(options like '%"durable":true%', false) as "isDurable", ${ms('created_at')} as "createdAt"
    from pontual.executions
    join pontual.lanes on lanes.id = executions.lane
    join pontual.tenants on tenants.id = lanes.tenant_id`,
  ready: `select execution_id as "executionId", epoch, null as "dueAt" from pontual.ready`,
  delayed: `select execution_id as "executionId", epoch, ${ms('due_at')} as "dueAt" from pontual.delayed`,
  leases: `select execution_id as "executionId", node_id as "nodeId", epoch, tenant_slot as "tenantSlot",
    job_slot as "jobSlot" from pontual.leases`,
  results: `select execution_id as "executionId", status, attempt, epoch, is_reported as "isReported", node_id as "nodeId",
    ${ms('started_at')} as "startedAt", ${ms('finished_at')} as "finishedAt", output, error from pontual.results`,
  attempts: `select execution_id as "executionId", attempt, epoch, status, node_id as "nodeId",
    ${ms('started_at')} as "startedAt", ${ms('ended_at')} as "endedAt", error from pontual.attempts`,
  occurrences: `select job_id as "jobId", ${ms('scheduled_at')} as "scheduledAt", execution_id as "executionId", decision,
    ${ms('recorded_at')} as "recordedAt" from pontual.occurrences`,
  missed: `select job_id as "jobId", ${ms('from_at')} as "fromAt", ${ms('to_at')} as "toAt", count::float8, decision, cause
    from pontual.missed`,
  jobs: `select id, tenant, name, status, job_type as "jobType", ${ms('next_fire_at')} as "nextFireAt",
    ${ms('created_at')} as "createdAt" from pontual.jobs`,
  nodes: 'select id, name from pontual.nodes',
  signals: 'select id::float8, execution_id as "executionId", name, is_taken as "isTaken" from pontual.signals',
  history: `select execution_id as "executionId", sequence, epoch, kind, status, name, output, ${ms('due_at')} as "dueAt"
    from pontual.history_entries`,
  audit: `select tenant, sequence::float8, ${ms('at')} as at, job_id as "jobId", execution_id as "executionId", operation,
    user_id as "userId", old_values as "oldValues", new_values as "newValues", encode(previous_hash, 'hex') as "previousHash",
    encode(hash, 'hex') as hash from pontual.audit_entries order by tenant, sequence`,
  heads: `select tenant, sequence::float8, encode(hash, 'hex') as hash from pontual.audit_heads`,
  keys: `select tenant, job_type as "jobType", key, execution_id as "executionId" from pontual.idempotency_keys`,
  changes: `select id::float8, ${ms('at')} as at, kind, execution_id as "executionId", epoch, node_id as "nodeId", detail
    from torture.changes order by id`,
}

/** Writes all that a checker needs of a database to `<folder>/database/<table>.jsonl`, as it stands at one instant. */
export async function dumpDatabase(
  url: string,
  folder: string,
  { bookings }: { readonly bookings: string },
): Promise<void> {
  const target = join(folder, 'database')
  mkdirSync(target, { recursive: true })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    const booked = `select execution_id as "executionId", mark from ${bookings}`
    for (const [table, query] of Object.entries({ ...TABLES, bookings: booked })) {
      await dumpTable(client, query, join(target, `${table}.jsonl`))
    }
    await client.query('commit')
  } finally {
    await client.end()
  }
}

async function dumpTable(client: pg.Client, query: string, path: string): Promise<void> {
  const file = createWriteStream(path)
  await client.query(
    `declare dumped no scroll cursor for select row_to_json(dumped)::text as line from (${query}) as dumped`,
  )
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${BATCH} from dumped`)
    if (rows.length === 0) break
    if (!file.write(`${rows.map(({ line }) => line).join('\n')}\n`)) await once(file, 'drain')
  }
  await client.query('close dumped')
  file.end()
  await finished(file)
}

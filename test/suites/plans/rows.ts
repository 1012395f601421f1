import type pg from 'pg'
import { type Bench, MINUTE } from '../conformance/bench.ts'

/** How many rows of others there are in a table that grows. */
const OTHERS = 20_000

/** Fills all tables that grow with rows of other executions, jobs and tenants than those of a test. */
export async function fillTables(client: pg.Client, bench: Bench): Promise<void> {
  const id = `('${bench.uuid().slice(0, 8)}-0000-7000-8000-' || to_char(n, 'FM000000000000'))::uuid`
  const others = `from generate_series(1, ${OTHERS}) as n`
  const now = `to_timestamp(${bench.now / 1_000})`
  const insert = (table: string, columns: string, values: string, from = others) =>
    client.query(`insert into pontual.${table} (${columns}) select ${values} ${from}`)

  await client.query(`insert into pontual.tenants (name) values ('acme') on conflict do nothing`)
  await insert('tenants', 'name', `'tenant-' || n`, 'from generate_series(1, 2000) as n')
  await client.query(
    `insert into pontual.lanes (id, tenant_id, queue, job_type)
    select (tenants.id::bigint << 20) + 1000, tenants.id, 'default', 'other'
    from pontual.tenants`,
  )
  const lane = (tenant: string) => `((select id from pontual.tenants where name = ${tenant})::bigint << 20) + 1000`
  const anyLane = lane(`case when n % 2 = 0 then 'acme' else 'tenant-' || (n % 2000 + 1) end`)
  const job = `('${bench.uuid().slice(0, 8)}-0000-7000-9000-' || to_char(n % 5000 + 1, 'FM000000000000'))::uuid`
  await insert(
    'jobs',
    'id, tenant, name, status, origin, job_type, definition, trigger_now, times_triggered, version, created_at, updated_at',
    `${job}, case when n % 5 = 0 then 'acme' else 'tenant-' || (n % 2000 + 1) end, 'other-' || n, 'ACTIVE', 'runtime', 'other', '{"jobType": "other"}', '{}', 0, 1, ${now}, ${now}`,
    'from generate_series(1, 5000) as n',
  )
  await insert(
    'executions',
    'id, lane, priority, job_id, origin, max_attempts, created_at, scheduled_at',
    `${id}, ${anyLane}, 2, ${job}, 'schedule', 1, ${now}, ${now} - n * interval '1 second'`,
  )
  const status = `case when n % 10 < 8 then 'SUCCESS' when n % 10 = 8 then 'FAILED' else 'TIMEOUT' end`
  // What the log would say of them is of no interest, and writing it takes long.
  await client.query(`set session_replication_role = replica`)
  await insert(
    'results',
    'execution_id, status, attempt, epoch, is_reported, started_at, finished_at, error',
    `${id}, ${status}, 1, 1, true, ${now}, ${now} - n * interval '0.1 second', '{"name":"Error","message":"other"}'`,
  )
  await client.query(`reset session_replication_role`)
  await insert(
    'attempts',
    'execution_id, attempt, epoch, status, node_id, started_at, ended_at',
    `${id}, 1, 1, ${status.replace("'SUCCESS'", "'FAILED'")}, ${id}, ${now}, ${now}`,
  )
  await insert(
    'occurrences',
    'job_id, scheduled_at, execution_id, decision, recorded_at',
    `${job}, ${now} - n * interval '1 second', ${id}, 'fired', ${now}`,
  )
  await insert('execution_logs', 'execution_id, sequence, attempt, at, level, message', `${id}, 1, 1, ${now}, 1, 'x'`)
  await insert('execution_numbers', 'execution_id, number', `${id}, n`)
  await insert('execution_counters', 'job_id, ended', `${job}, 1`, 'from generate_series(1, 5000) as n')
  await insert('idempotency_keys', 'tenant, job_type, key, execution_id', `'acme', 'other', 'other-' || n, ${id}`)
  await insert(
    'notification_events',
    'id, tenant, kind, at, facts, planned_at',
    `${id}::text, 'tenant-' || (n % 2000 + 1), 'job.failed', ${now}, '{}', ${now}`,
  )
  await insert(
    'notification_deliveries',
    'id, tenant, event_id, channel, status, attempts, created_at, due_at, expires_at',
    `${id}::text, 'tenant-' || (n % 2000 + 1), ${id}::text, 'mail', 'SENT', 1, ${now}, ${now}, ${now}`,
  )
  await insert(
    'alerts',
    'id, tenant, scope, kind, job_id, execution_id, since, opened_at, closed_at, outcome, is_opening_told, is_closing_told',
    `${id}, 'tenant-' || (n % 2000 + 1), 'tenant', 'jobFailed', ${job}, ${id}, ${now}, ${now}, ${now}, 'recovered', true, true`,
  )
  // Of a lane that no node of a test serves, and later than any of theirs.
  const farLane = lane(`'tenant-' || (n % 2000 + 1)`)
  const waiting = id.replace('-7000-8000-', '-7000-a000-')
  await insert('ready', 'lane, attempt, epoch, priority, execution_id', `${farLane}, 1, 0, 2, ${waiting}`)
  await insert(
    'delayed',
    'execution_id, due_at, lane, attempt, epoch, priority',
    `${waiting.replace('-a000-', '-b000-')}, ${now} + interval '1 year', ${farLane}, 1, 0, 2`,
  )
  await insert(
    'nodes',
    'id, name, slots, queues, job_types, lease_ms, started_at, renewed_at, expires_at',
    `${id}, 'other', 2000, '{}', '{}', 30000, ${now}, ${now}, 'infinity'`,
    'from generate_series(1, 1) as n',
  )
  await insert(
    'leases',
    'execution_id, node_id, claimed_at, lane, attempt, epoch, priority',
    `${waiting.replace('-a000-', '-9000-')}, (select id from pontual.nodes where name = 'other'), ${now}, ${farLane}, 1, 1, 2`,
    'from generate_series(1, 2000) as n',
  )
  await fillOfRuns(insert, id)
  await fillOfService(insert, id, now)
  bench.advance(MINUTE)
}

type Insert = (table: string, columns: string, values: string, from?: string) => Promise<unknown>

/** What is stored of durable executions. */
async function fillOfRuns(insert: Insert, id: string): Promise<void> {
  await insert(
    'history_entries',
    'execution_id, sequence, epoch, calls, attempt, started_at, kind, status, name, child_id',
    `${id}, 1, 1, 1, 1, now(), 'activity', 'RUNNING', 'x', ${id}`,
  )
  await insert(
    'links',
    'successor_id, place, predecessor_id, condition, is_declared, is_child',
    `${id}, -1, ${id}, 'end', false, true`,
  )
  await insert('signals', 'execution_id, name, idempotency_key, sent_at', `${id}, 'x', 'k', now()`)
  await insert('cancellations', 'execution_id, reason, requested_at', `${id}, null, now()`)
  await insert('replays', 'execution_id, epoch, replayed_at', `${id}, 1, now()`)
  await insert('checkpoints', 'execution_id, state, saved_at', `${id}, '1', now()`)
}

/** What a service stores besides. */
async function fillOfService(insert: Insert, id: string, now: string): Promise<void> {
  await insert(
    'api_keys',
    'id, tenant, name, secret_hash, profile, permissions, owner_id, created_at',
    `${id}, 'globex', 'x', ${id}, 'Admin', '{}', 'x', now()`,
  )
  await insert(
    'sessions',
    'secret_hash, tenant, user_id, profile, permissions, source, created_at, expires_at',
    `${id}, 'globex', 'x', 'Admin', '{}', 'jwt', now(), 'infinity'`,
  )
  await insert(
    'requests',
    'tenant, user_id, key, fingerprint, resource_id, begun_at, expires_at',
    `'acme', 'ana', ${id}, '', '', now(), 'infinity'`,
  )
  await insert(
    'audit_entries',
    'tenant, sequence, at, operation, job_id, previous_hash, hash',
    `case when n % 2 = 0 then 'acme' else 'tenant-' || (n % 2000 + 1) end, n, date_trunc('milliseconds', ${now}), 'x', ${id}, '', ''`,
  )
}

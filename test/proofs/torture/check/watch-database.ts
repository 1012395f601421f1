import pg from 'pg'

/** Milliseconds of the epoch, null where it is never. */
const ms = (column: string) => `case when isfinite(${column}) then extract(epoch from ${column}) * 1000 end`

/** What is written down of each table: for which event, and what of a row `changed`. */
const WATCHED: readonly {
  readonly table: string
  readonly event: 'insert' | 'update' | 'delete'
  readonly told: string
}[] = [
  {
    table: 'leases',
    event: 'insert',
    told: `'claimed', execution_id, epoch, node_id,
        jsonb_build_object('attempt', attempt, 'tenant', lane >> 20, 'jobId', job_id)`,
  },
  { table: 'leases', event: 'delete', told: `'left', execution_id, epoch, node_id, null` },
  { table: 'nodes', event: 'insert', told: `'joined', null, null, id, jsonb_build_object('name', name)` },
  ...(['insert', 'update'] as const).map((event) => ({
    table: 'tenants',
    event,
    told: `'limited', null, null, null, jsonb_build_object('tenant', id, 'name', name, 'most', concurrency)`,
  })),
  ...(['insert', 'update'] as const).map((event) => ({
    table: 'history_entries',
    event,
    told: `'recorded', execution_id, epoch, null, jsonb_build_object('sequence', sequence, 'kind', kind,
        'name', name, 'status', status, 'output', left(output, 500), 'dueAt', ${ms('due_at')})`,
  })),
  {
    table: 'delayed',
    event: 'insert',
    told: `'delayed', execution_id, epoch, null, jsonb_build_object('dueAt', ${ms('due_at')},
        'isParked', is_parked, 'isDiverged', divergence is not null)`,
  },
  ...(['update', 'delete'] as const).map((event) => ({
    table: 'results',
    event,
    told: `'rewritten', execution_id, epoch, node_id, null`,
  })),
]

const TABLE = `
create schema torture;
create table torture.changes (
  id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  kind text not null,
  execution_id uuid,
  epoch integer,
  node_id uuid,
  detail jsonb
)`

/**
 * Has the server write down itself who claims what, what is recorded and which limits hold, in the transaction in which that changes: what is there at the end
 * does not tell who held what meanwhile. Numbers are in the order in which the locks were had that keep those apart who change the same.
 */
export async function watchDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(TABLE)
    for (const watched of WATCHED) for (const statement of triggerFor(watched)) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** As its owner: who changes a row of a tenant may not write here. */
function triggerFor({ table, event, told }: (typeof WATCHED)[number]): readonly string[] {
  const name = `torture.note_${table}_${event}`
  const rows = event === 'delete' ? 'old' : 'new'
  return [
    `create function ${name}() returns trigger language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into torture.changes (kind, execution_id, epoch, node_id, detail)
  select ${told}
  from changed;
  return null;
end
$$`,
    `create trigger torture_${table}_${event}
after ${event} on pontual.${table}
referencing ${rows} table as changed
for each statement execute function ${name}()`,
  ]
}

/**
 * Counts from now on what is said to the server: the returned function resolves to `{ calls }`, with `begin` and `commit` among them and without what the
 * benchmark itself asks.
 */
export async function startStatementCounter({ observer }) {
  await observer.query('create extension if not exists pg_stat_statements')
  await observer.query('select pg_stat_statements_reset()')
  return async () => {
    const { rows } = await observer.query(`
      select query, calls::int as calls
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query not like '%pg_stat_statements%'
        and query not like '%pg_current_wal_insert_lsn%'
        and query not like 'select% as answer%'
        and query <> 'checkpoint'
      order by calls desc`)
    if (process.env.PONTUAL_BENCH_STATEMENTS) show(rows)
    return { calls: rows.reduce((sum, row) => sum + row.calls, 0) }
  }
}

function show(rows) {
  for (const { query, calls } of rows.slice(0, 15)) {
    console.error(`${String(calls).padStart(7)}  ${query.replaceAll(/\s+/g, ' ').trim().slice(0, 130)}`)
  }
}

/**
 * Counts from now on what the statements take that claim jobs: the returned function resolves to `{ claimUs }`, the time in the server for each of
 * `jobs`; to nothing where the server does not count or the contestant does not say which statements these are.
 */
export async function startClaimTimer({ observer, queue }) {
  if (!observer || !queue.claims || !(await isCounting(observer))) return async () => ({})
  await observer.query('create extension if not exists pg_stat_statements')
  await observer.query('select pg_stat_statements_reset()')
  return async (jobs) => {
    const { rows } = await observer.query(
      `
      select coalesce(sum(total_exec_time), 0) * 1000 as us
      from pg_stat_statements
      where dbid = (select oid from pg_database where datname = current_database())
        and query ilike $1`,
      [queue.claims],
    )
    return { claimUs: rows[0].us / jobs }
  }
}

async function isCounting(observer) {
  const { rows } = await observer.query('show shared_preload_libraries')
  return rows[0].shared_preload_libraries.includes('pg_stat_statements')
}

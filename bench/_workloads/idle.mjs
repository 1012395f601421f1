import { setTimeout as sleep } from 'node:timers/promises'

/** What a node that has nothing to do says to the server: statements a second, its `begin` and `commit` among them. */
export async function idle({ queue, task: { settlingMs, seconds }, observer, meter }) {
  await observer.query('create extension if not exists pg_stat_statements')
  await queue.start(() => {})
  await sleep(settlingMs)
  await observer.query('select pg_stat_statements_reset()')
  const finish = await meter()
  await sleep(seconds * 1000)
  const cost = await finish()
  const { rows } = await observer.query(`
    select query, calls::int as calls
    from pg_stat_statements
    where dbid = (select oid from pg_database where datname = current_database())
      and query not like '%pg_stat_statements%'
      and query not like '%pg_current_wal_insert_lsn%'
    order by calls desc`)
  for (const { query, calls } of rows.slice(0, 10)) {
    console.error(`${String(calls).padStart(5)}  ${query.replaceAll(/\s+/g, ' ').trim().slice(0, 110)}`)
  }
  const calls = rows.reduce((sum, row) => sum + row.calls, 0)
  return { jobs: 0, ...cost, statements: calls / seconds }
}

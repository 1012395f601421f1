import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { MINUTE_MS } from '../../../src/duration.ts'
import { type Pontual, pontual } from '../../../src/index.ts'
import { postgres } from '../../../src/postgres.ts'
import { startCrew } from './crew.ts'
import { PLAIN_TYPES, plain } from './job-types.ts'
import type { Part } from './part.ts'
import { repeat } from './repeat.ts'
import { type Phase, verdictOf } from './transaction-phases.ts'

const OPEN_SHARE = 1 / 3
const AROUND_SHARE = 1 / 30
const LEAST_AROUND_MS = 5_000
const EVERY_MS = 100

/** So many a second that there are a million dead rows after ten minutes. */
const AT_ONCE = 170

/** Two transactions stay open, one with a snapshot and one with locks on rows of somebody else: work goes on being claimed as before. */
export const openTransaction: Part = {
  name: 'transaction',
  async run({ url, minutes, say }) {
    const aroundMs = Math.max(LEAST_AROUND_MS, minutes * AROUND_SHARE * MINUTE_MS)
    const openMs = minutes * OPEN_SHARE * MINUTE_MS
    const shared = { url, slots: 50, types: 'plain', serves: false, leakedBytes: 0 } as const
    const crew = await startCrew(['node 1', 'node 2'].map((name) => ({ ...shared, name })))
    const app = pontual({ store: postgres(url, { maxConnections: 4 }), jobs: PLAIN_TYPES, logger: 'silent' })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const abort = new AbortController()
    const load = repeat(EVERY_MS, abort.signal, () => enqueueSome(app))
    // Each phase looks at it, but may not have begun to.
    load.catch(() => {})
    const phase = async (name: string, forMs: number): Promise<Phase> => {
      say(`transaction: ${name}, ${Math.round(forMs / 1_000)} s`)
      await Promise.all(crew.members.map((member) => member.state()))
      const from = await timeOf(client)
      await Promise.race([sleep(forMs), load])
      const to = await timeOf(client)
      const states = await Promise.all(crew.members.map((member) => member.state()))
      const claimsMs = states.flatMap((state) => state.claimsMs).toSorted((a, b) => a - b)
      return { name, claimsMs, ...(await startsBetween(client, from, to)) }
    }
    try {
      // Plans and pages are as they are in the midst of a day.
      await phase('warm-up', Math.min(10_000, aroundMs))
      const before = await phase('before', aroundMs)
      const close = await openTransactions(url)
      const during = await phase('while they are held', openMs)
      const dead = await deadRows(client)
      await close()
      const after = await phase('after', aroundMs)
      abort.abort()
      await load
      return verdictOf({ before, during, after, openMs, dead })
    } finally {
      abort.abort()
      await client.end()
      await app.stop()
      await crew.stop()
    }
  },
}

async function enqueueSome(app: Pontual): Promise<void> {
  await app.enqueueMany(
    plain,
    Array.from({ length: AT_ONCE }, (_, n) => ({ n })),
  )
}

/** One that reads all in one snapshot, and one that has written and holds locks: neither does anything more, as somebody who went to lunch. */
async function openTransactions(url: string): Promise<() => Promise<void>> {
  const clients = [new pg.Client({ connectionString: url }), new pg.Client({ connectionString: url })] as const
  const [reader, writer] = clients
  for (const client of clients) await client.connect()
  await writer.query('create table if not exists public.invoices (id integer primary key, total integer)')
  await writer.query(
    'insert into public.invoices select n, n from generate_series(1, 1000) as n on conflict do nothing',
  )
  await reader.query('begin isolation level repeatable read')
  await reader.query('select count(*) from pontual.ready')
  await writer.query('begin')
  await writer.query('update public.invoices set total = total + 1')
  return async () => {
    for (const client of clients) {
      await client.query('rollback')
      await client.end()
    }
  }
}

async function timeOf(client: pg.Client): Promise<Date> {
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  return rows[0]?.now ?? new Date(Number.NaN)
}

async function startsBetween(client: pg.Client, from: Date, to: Date): Promise<Omit<Phase, 'name' | 'claimsMs'>> {
  const { rows } = await client.query<{ started: number; p99: number | null }>(
    `select
      count(*)::int as started,
      (percentile_cont(0.99) within group (order by date_part('epoch', started_at - created_at)) * 1000)::float8 as p99
    from pontual.results
    join pontual.executions on id = execution_id
    where started_at between $1 and $2`,
    [from, to],
  )
  const { started = 0, p99 = null } = rows[0] ?? {}
  return { seconds: (to.getTime() - from.getTime()) / 1_000, started, waitP99Ms: p99 ?? Number.NaN }
}

/** Those of the tables that every claim goes through. */
async function deadRows(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ dead: number }>(`
    select sum(n_dead_tup)::int as dead
    from pg_stat_user_tables
    where schemaname = 'pontual'
      and relname in ('ready', 'leases')`)
  return rows[0]?.dead ?? 0
}

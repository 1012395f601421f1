import type { Env } from '../../../clock.ts'
import type { Driver, Statement } from '../../driver/driver.ts'

const readServer: Statement = {
  name: 'inspectServer',
  text: `
select
  current_setting('server_version') as version,
  current_setting('server_version_num')::int as "versionNumber",
  current_setting('server_encoding') as encoding,
  pg_is_in_recovery() or current_setting('transaction_read_only')::boolean as "isReadOnly",
  current_user::text as role,
  current_setting('max_connections')::int as "maxConnections",
  current_setting('superuser_reserved_connections')::int
    + coalesce(current_setting('reserved_connections', true)::int, 0) as "reservedConnections",
  (select count(*) from pg_stat_activity where backend_type = 'client backend') as "usedConnections",
  (
    select jsonb_object_agg(name, setting)
    from pg_settings
    where name in ('autovacuum', 'fsync', 'full_page_writes', 'synchronous_commit', 'track_counts')
  ) as settings,
  (select setting::float8 from pg_settings where name = 'statement_timeout') as "statementTimeoutMs"`,
}

const readClock: Statement = {
  name: 'inspectClock',
  text: `
select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
}

// What a new connection begins with: the driver has set its own.
const readIsolation: Statement = {
  name: 'inspectIsolation',
  text: `
select coalesce(
  (
    select substring(setting from '=(.*)$')
    from pg_db_role_setting
    cross join unnest(setconfig) as setting
    where setdatabase in (0, (select oid from pg_database where datname = current_database()))
      and setrole in (0, (select oid from pg_roles where rolname = current_user))
      and setting like 'default_transaction_isolation=%'
    order by setrole desc, setdatabase desc
    limit 1
  ),
  (select reset_val from pg_settings where name = 'default_transaction_isolation')
) as isolation`,
}

export interface ServerFacts {
  readonly version: string
  /** Such as 140012 for 14.12. */
  readonly versionNumber: number
  readonly encoding: string
  readonly isReadOnly: boolean
  readonly role: string
  readonly maxConnections: number
  /** Those that the server keeps for superusers. */
  readonly reservedConnections: number
  readonly usedConnections: number
  readonly settings: Readonly<Record<string, string>>
  /** 0: none. */
  readonly statementTimeoutMs: number
}

export interface ClockFacts {
  /** How far the server's clock is ahead of this machine's. */
  readonly aheadMs: number
  /** How wrong that may be: half the time the answer took. */
  readonly uncertaintyMs: number
}

export async function inspectServer(driver: Driver): Promise<ServerFacts> {
  const [[server], [isolation]] = [
    await driver.query<ServerFacts>(readServer),
    await driver.query<{ isolation: string }>(readIsolation),
  ]
  if (!server) throw new TypeError('The server told nothing about itself.')
  const settings = { ...server.settings, default_transaction_isolation: isolation?.isolation ?? '' }
  return { ...server, settings }
}

const LOOKS = 5

/** Asks some times, and believes the quickest answer. */
export async function inspectClock(driver: Driver, env: Env): Promise<ClockFacts> {
  let best: ClockFacts | null = null
  for (let look = 0; look < LOOKS; look++) {
    const [before, from] = [env.now(), env.monotonic()]
    const [row] = await driver.query<{ now: number }>(readClock)
    const tookMs = env.monotonic() - from
    const found = { aheadMs: Math.round((row?.now ?? 0) - (before + tookMs / 2)), uncertaintyMs: Math.ceil(tookMs / 2) }
    if (best === null || found.uncertaintyMs < best.uncertaintyMs) best = found
  }
  return best ?? { aheadMs: 0, uncertaintyMs: 0 }
}

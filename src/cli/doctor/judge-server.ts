import type { Pooling } from '../../store/driver/pg-pooling.ts'
import type { ClockFacts, ServerFacts } from '../../store/postgres/inspect/server.ts'
import type { HolderFacts, SpaceFacts, TableFacts } from '../../store/postgres/inspect/space.ts'
import type { NodeFacts } from '../../store/postgres/inspect/work.ts'
import { formatSpan } from '../print/instants.ts'
import { fail, type Judgement, ok, some, together, warn } from './judgement.ts'

const LEAST_VERSION = 140_000

export function judgeVersion({ version, versionNumber }: ServerFacts, isEmbedded = false): Judgement {
  const name = isEmbedded ? `PGlite, PostgreSQL ${version}` : `PostgreSQL ${version}`
  return versionNumber < LEAST_VERSION ? fail(`${name} is too old.`, 'Upgrade to PostgreSQL 14 or later.') : ok(name)
}

/** A claim that begins anew reads over so many without being noticed. */
const MANY_DEAD = 100_000

/** Of other tables, which are large: a share of what lives. */
const DEAD_SHARE = 0.5

export function judgeBloat({ tables }: Pick<SpaceFacts, 'tables'>): Judgement {
  const bloated = tables.filter(({ dead, live, isHot }) => dead > MANY_DEAD && (isHot || dead > live * DEAD_SHARE))
  return together(
    [
      bloated.length > 0 &&
        warn(
          `Dead rows: ${some(bloated.map(describeTable))}.`,
          `${some(bloated.map(({ name }) => `vacuum pontual."${name}";`))} If it does not help, something holds them: see below.`,
        ),
    ],
    `${sizeOf(tables.reduce((sum, { bytes }) => sum + bytes, 0))}, few dead rows`,
  )
}

function describeTable({ name, dead, bytes }: TableFacts): string {
  return `${dead} in ${name} (${sizeOf(bytes)})`
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000_000 ? `${Math.ceil(bytes / 1_000_000)} MB` : `${Math.round(bytes / 100_000_000) / 10} GB`
}

/** Both in transactions, of the two thousand million there are. */
const OLD_AGE = 1_000_000_000

const LAST_AGE = 1_600_000_000

/** What keeps dead rows from going. */
export function judgeOldTransactions({
  holders,
  transactionAge,
}: Pick<SpaceFacts, 'holders' | 'transactionAge'>): Judgement {
  const remedy = 'vacuum (freeze) as a superuser; find out why autovacuum does not come to it.'
  const age = `${Math.round(transactionAge / 1_000_000)} million transactions were never frozen.`
  return together(
    [
      transactionAge > LAST_AGE && fail(`${age} The server will stop.`, remedy),
      transactionAge > OLD_AGE && transactionAge <= LAST_AGE && warn(age, remedy),
      ...holders.map((holder) => warn(describeHolder(holder), endOf(holder))),
    ],
    'none that is old',
  )
}

function describeHolder({ kind, who, ageMs }: HolderFacts): string {
  const since = ageMs === null ? '' : ` has been open for ${formatSpan(ageMs)}`
  if (kind === 'transaction') return `A transaction of process ${who}${since}.`
  return kind === 'prepared' ? `The prepared transaction ${who}${since}.` : `Nobody reads the replication slot ${who}.`
}

function endOf({ kind, who }: HolderFacts): string {
  if (kind === 'transaction')
    return `Find out whose it is (pg_stat_activity); select pg_terminate_backend(${who}); ends it.`
  const quoted = `'${who.replaceAll("'", "''")}'`
  return kind === 'prepared'
    ? `commit prepared ${quoted}; or rollback prepared ${quoted};`
    : `select pg_drop_replication_slot(${quoted}); where it is not needed.`
}

/** Statements of ours take up to so long. */
const LONGEST_STATEMENT_MS = 10_000

export function judgeSettings({ settings, encoding, isReadOnly, statementTimeoutMs }: ServerFacts): Judgement {
  const isOff = (name: string) => settings[name] === 'off'
  const isolation = settings['default_transaction_isolation']
  return together(
    [
      isReadOnly &&
        fail('The database takes no writes.', 'Connect to the primary: this is a standby, or it was made read-only.'),
      encoding !== 'UTF8' &&
        fail(`The database is encoded as ${encoding}.`, 'Create one with encoding UTF8: others lose letters.'),
      isOff('autovacuum') &&
        fail('autovacuum is off.', 'alter system set autovacuum = on; tables that fill and empty all day need it.'),
      isOff('track_counts') &&
        fail('track_counts is off.', 'alter system set track_counts = on; autovacuum goes by what it counts.'),
      isOff('fsync') &&
        fail('fsync is off.', 'alter system set fsync = on; a crash of the server may destroy the database.'),
      isOff('full_page_writes') &&
        warn('full_page_writes is off.', 'alter system set full_page_writes = on, unless the disk writes pages whole.'),
      isOff('synchronous_commit') &&
        warn(
          'synchronous_commit is off.',
          'alter role … set synchronous_commit = on; what was answered may be lost when the server crashes.',
        ),
      isolation !== 'read committed' &&
        fail(
          `default_transaction_isolation is ${isolation}.`,
          "alter role … set default_transaction_isolation = 'read committed'; behind a pooler claims would fail.",
        ),
      statementTimeoutMs > 0 &&
        statementTimeoutMs < LONGEST_STATEMENT_MS &&
        warn(
          `statement_timeout is ${formatSpan(statementTimeoutMs)}.`,
          'alter role … set statement_timeout = 0; each statement has a deadline of 10 seconds anyway.',
        ),
    ],
    'as they should be',
  )
}

/** What a process may open: statements, requests of tenants, notifications, the lease. */
const OF_A_PROCESS = 22
const MANY = 0.8
const MORE_CONNECTIONS = 'Raise max_connections, lower maxConnections of the store, or put PgBouncer between'

export function judgeConnections({ maxConnections, usedConnections }: ServerFacts): Judgement {
  const text = `${usedConnections} of ${maxConnections} connections are in use.`
  const left = maxConnections - usedConnections
  const remedy = `${MORE_CONNECTIONS}: a process opens up to ${OF_A_PROCESS}.`
  if (left <= 3) return fail(text, remedy)
  return usedConnections > maxConnections * MANY || left < OF_A_PROCESS ? warn(text, remedy) : ok(text)
}

/** Compares what the active nodes open at most with what the server grants to ordinary roles. */
export function judgeNodeConnections(
  nodes: readonly NodeFacts[],
  { maxConnections, reservedConnections }: ServerFacts,
): Judgement {
  const active = nodes.filter(({ isAlive, connections }) => isAlive && connections !== null)
  if (active.length === 0) return ok('no node is connected to the server itself')
  const available = maxConnections - reservedConnections
  const most = active.reduce((sum, { connections }) => sum + (connections ?? 0), 0)
  const text = `${active.length} ${active.length === 1 ? 'node opens' : 'nodes open'} up to ${most} of ${available} connections.`
  return most > available * MANY ? warn(text, `${MORE_CONNECTIONS}.`) : ok(text)
}

export function judgePooling(pooling: Pooling): Judgement {
  switch (pooling) {
    case 'none':
      return ok('none: connected to the server itself')
    case 'session':
      return ok(
        'a pooler in session mode. Nothing is prepared or listened to by itself; with prepare: true statements are prepared',
      )
    case 'transaction':
      return ok(
        'a pooler in transaction mode, which is supported. Nothing is prepared and nothing listened to: work of other processes is found by polling, within a second',
      )
  }
}

const NOTICEABLE_MS = 2_000
const HARMFUL_MS = 60_000

export function judgeClock({ aheadMs, uncertaintyMs }: ClockFacts): Judgement {
  const least = Math.max(0, Math.abs(aheadMs) - uncertaintyMs)
  if (least < NOTICEABLE_MS)
    return ok(`${formatSpan(Math.abs(aheadMs))} apart from the database, to ${formatSpan(uncertaintyMs)}`)
  const text = `The database's clock is ${formatSpan(Math.abs(aheadMs))} ${aheadMs > 0 ? 'ahead of' : 'behind'} this machine's.`
  const remedy = 'Let both keep time by NTP. Jobs follow the database; tokens and sessions are judged by this machine.'
  return (least < HARMFUL_MS ? warn : fail)(text, remedy)
}

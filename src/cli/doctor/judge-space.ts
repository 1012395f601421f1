import type { HolderFacts, SpaceFacts, TableFacts } from '../../store/postgres/inspect/space.ts'
import { formatSpan } from '../print/age.ts'
import { fail, type Judgement, some, together, warn } from './judgement.ts'

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

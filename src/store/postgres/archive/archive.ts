import { type ArchivePart, type ArchiveStore, type Cleared, type MoveAnswer, tooYoung } from '../../archive.ts'
import type { Statement } from '../../driver/driver.ts'
import { sqlStateOf } from '../../unavailable.ts'
import type { Parts } from '../parts.ts'

const PARTS = `
select
  kind,
  part as name,
  case when from_at > '-infinity' then pontual.to_ms(from_at) end as "from",
  pontual.to_ms(to_at) as "to"
from pontual.archive_parts()`

const listDueParts: Statement = {
  name: 'listDueParts',
  text: `${PARTS}
where not is_archived
  and to_at <= pontual.clock($1::float8) - $2::float8 * interval '1 millisecond'
order by to_at, kind, part`,
}

const listExpiredParts: Statement = {
  name: 'listExpiredParts',
  text: `${PARTS}
where is_archived
  and to_at <= pontual.retention_clock($1::float8) - interval '5 years'
order by to_at, kind, part`,
}

const markForArchive: Statement = {
  name: 'markForArchive',
  text: `
select pontual.mark_for_archive($1::text, $2::text)`,
}

const checkForArchive: Statement = {
  name: 'checkForArchive',
  text: `
select pontual.check_for_archive($1::text, $2::text)`,
}

const archiveMonth: Statement = {
  name: 'archiveMonth',
  text: `
select pontual.archive_month($2::text, pontual.clock($1::float8) - $3::float8 * interval '1 millisecond') is not null as "isDone"`,
}

const archiveAudit: Statement = {
  name: 'archiveAudit',
  text: `
select pontual.archive_audit($1::text) as "isDone"`,
}

const archiveLate: Statement = {
  name: 'archiveLate',
  text: `
select pontual.archive_late(pontual.clock($1::float8) - $2::float8 * interval '1 millisecond', $3::int) as count`,
}

const archiveLateAudit: Statement = {
  name: 'archiveLateAudit',
  text: `
select pontual.archive_late_audit(pontual.clock($1::float8) - $2::float8 * interval '1 millisecond', $3::int) as count`,
}

const measureAudit: Statement = {
  name: 'measureAudit',
  text: `
select coalesce(sum(pg_total_relation_size(to_regclass(format('pontual.%I', part)))), 0)::float8 as bytes
from pontual.archive_parts()
where kind = 'audit'
  and not is_archived
  and from_at <= pontual.clock($1::float8)
  and to_at > pontual.clock($1::float8)`,
}

const cutAudit: Statement = {
  name: 'cutAudit',
  text: `
select pontual.cut_audit($1::float8) as "isDone"`,
}

const clearArchived: Statement = {
  name: 'clearArchived',
  text: `
select cleared as count, last
from pontual.clear_archived($2::text, $3::uuid, $4::int, $1::float8)`,
}

const dropArchived: Statement = {
  name: 'dropArchived',
  text: `
select pontual.drop_archived($2::text, $3::text, $1::float8)`,
}

const clearLedger: Statement = {
  name: 'clearLedger',
  text: `
select pontual.clear_ledger($2::int, $1::float8) as count`,
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** lock_not_available, deadlock_detected; and check_violation: an entry is younger than the instant at which its part was to be cut. */
const BUSY: ReadonlySet<string> = new Set(['55P03', '40P01', '23514'])

/** A month is read from end to end, while nobody waits for it. */
const DEADLINE_MS = 60 * 60_000

export function archiveStore({ driver, testTime }: Parts): ArchiveStore {
  const send = <Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> =>
    driver.transaction((transaction) => transaction.query<Row>(statement, values), { deadlineMs: DEADLINE_MS })
  const sendOne = async (statement: Statement, values: readonly unknown[]): Promise<MoveAnswer> => {
    const [row] = await send<{ isDone?: boolean | '' }>(statement, values)
    return row?.isDone === false ? 'gone' : 'done'
  }
  return {
    due: (olderThanMs) => driver.query<ArchivePart>(listDueParts, [testTime(), olderThanMs]),

    move: ({ kind, name }, olderThanMs) =>
      answered(async () => {
        await send(markForArchive, [kind, name])
        await send(checkForArchive, [kind, name])
        if (kind === 'audit') return await sendOne(archiveAudit, [name])
        return await sendOne(archiveMonth, [testTime(), name, olderThanMs])
      }),

    async moveLate(olderThanMs, limit) {
      let count = 0
      const answer = await answered(async () => {
        for (const statement of [archiveLate, archiveLateAudit]) {
          const [row] = await send<{ count: number }>(statement, [testTime(), olderThanMs, Math.max(0, limit)])
          count += row?.count ?? 0
        }
        return 'done'
      })
      return answer === 'done' ? count : null
    },

    async auditBytes() {
      const [row] = await driver.query<{ bytes: number }>(measureAudit, [testTime()])
      return row?.bytes ?? 0
    },

    cutAudit: () => answered(() => sendOne(cutAudit, [testTime()])),
    expired: () => driver.query<ArchivePart>(listExpiredParts, [testTime()]),

    async clear({ kind, name }, after, limit) {
      if (kind === 'audit') return { count: 0, last: null }
      const [row] = await requireOld(() => send<Cleared>(clearArchived, [testTime(), name, after, Math.max(0, limit)]))
      return row ?? { count: 0, last: null }
    },

    drop: ({ kind, name }) => answered(() => requireOld(() => sendOne(dropArchived, [testTime(), kind, name]))),

    async clearLedger(limit) {
      const [row] = await driver.query<{ count: number }>(clearLedger, [testTime(), Math.max(0, limit)])
      return row?.count ?? 0
    },
  }
}

/** Others wait behind whoever waits for a table: rather try again some other time. */
async function answered(work: () => Promise<MoveAnswer>): Promise<MoveAnswer> {
  try {
    return await work()
  } catch (error) {
    const state = sqlStateOf(error) ?? ''
    if (BUSY.has(state)) return 'busy'
    if (state === INSUFFICIENT_PRIVILEGE) return 'refused'
    throw error
  }
}

/** The database refuses what is to be kept longer. */
async function requireOld<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work()
  } catch (cause) {
    if (sqlStateOf(cause) !== INSUFFICIENT_PRIVILEGE) throw cause
    throw tooYoung(cause)
  }
}

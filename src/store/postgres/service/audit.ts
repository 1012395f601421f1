import type { AuditEntry } from '../../../access/audit.ts'
import type { AuditFilter, AuditHead, AuditStore } from '../../audit.ts'
import { NO_HASH } from '../../audit.ts'
import type { Statement } from '../../driver/driver.ts'
import { sqlStateOf } from '../../unavailable.ts'
import { LONG, type Parts, storable } from '../parts.ts'
import { writeAudit } from './write-audit.ts'

const enableAudit: Statement = {
  name: 'enableAudit',
  text: `
select pontual.enable_audit()`,
}

const isAuditEnabled: Statement = {
  name: 'isAuditEnabled',
  text: `
select exists (select from pontual.settings where name = 'audit') as "isEnabled"`,
}

type AuditTable = 'audit_entries' | 'audit_archive'

const selectEntries = (table: AuditTable) => `
select
  tenant,
  sequence,
  pontual.to_ms(at) as at,
  operation,
  user_id as "userId",
  job_id as "jobId",
  execution_id as "executionId",
  old_values as "oldValues",
  new_values as "newValues",
  encode(previous_hash, 'hex') as "previousHash",
  encode(hash, 'hex') as hash
from pontual.${table}
${LONG}
where tenant = $1::text
  and ($4::text[] is null or operation = any($4::text[]))
  and ($5::text is null or user_id = $5::text)
  and ($6::uuid is null or job_id = $6::uuid)
  and ($7::float8 is null or at >= pontual.from_ms($7::float8))
  and ($8::float8 is null or at < pontual.from_ms($8::float8))`

const listBefore = (table: AuditTable) => `${selectEntries(table)}
  and sequence < coalesce($3::int8, 9223372036854775807)
order by sequence desc
limit $2::int`

const listAfter = (table: AuditTable) => `${selectEntries(table)}
  and sequence > coalesce($3::int8, 0)
order by sequence
limit $2::int`

const listAudit: Statement = {
  name: 'listAudit',
  text: listBefore('audit_entries'),
  isHead: true,
}

const listAuditAfter: Statement = {
  name: 'listAuditAfter',
  text: listAfter('audit_entries'),
  isHead: true,
}

const listAnyAudit: Statement = {
  name: 'listAnyAudit',
  text: `
select *
from (
  (${listBefore('audit_entries')})
  union all
  (${listBefore('audit_archive')})
) as entry
order by sequence desc
limit $2::int`,
  isHead: true,
}

const listAnyAuditAfter: Statement = {
  name: 'listAnyAuditAfter',
  text: `
select *
from (
  (${listAfter('audit_entries')})
  union all
  (${listAfter('audit_archive')})
) as entry
order by sequence
limit $2::int`,
  isHead: true,
}

// A handful, whatever the length of the chain: found first, and then put in order.
const listAuditOfExecution: Statement = {
  name: 'listAuditOfExecution',
  text: `
with found as materialized (${selectEntries('audit_entries')}
  and execution_id = $9::uuid
),
archived as materialized (${selectEntries('audit_archive')}
  and execution_id = $9::uuid
  and $11::bool
)
select *
from (
  select * from found
  union all
  select * from archived
) as entry
where case when $10::bool then sequence > coalesce($3::int8, 0) else sequence < coalesce($3::int8, 9223372036854775807) end
order by case when $10::bool then sequence else -sequence end
limit $2::int`,
  isHead: true,
}

const findAuditAnchor: Statement = {
  name: 'findAuditAnchor',
  text: `
select tenant, sequence, encode(hash, 'hex') as hash
from pontual.audit_anchors
where tenant = $1::text
order by sequence desc
limit 1`,
}

const findAuditHead: Statement = {
  name: 'findAuditHead',
  text: `
select tenant, sequence, encode(hash, 'hex') as hash
from pontual.audit_heads
where tenant = $1::text`,
}

/** Tenants are found by steps from one to the next. One whose head was removed by force is not left out: its chain ends before its first entry. */
const listAuditHeads: Statement = {
  name: 'listAuditHeads',
  text: `
with recursive walk (tenant) as (
  (
    select tenant
    from pontual.audit_entries
    order by tenant
    limit 1
  )
  union all
  select (
    select audit_entries.tenant
    from pontual.audit_entries
    where audit_entries.tenant > walk.tenant
    order by audit_entries.tenant
    limit 1
  )
  from walk
  where walk.tenant is not null
)
select
  tenant,
  coalesce(audit_heads.sequence, 0) as sequence,
  coalesce(encode(audit_heads.hash, 'hex'), $1::text) as hash
from (select tenant from walk where tenant is not null) as written
full join pontual.audit_heads using (tenant)
order by tenant`,
  isOnce: true,
}

/** Of a lock that was not to be had in time: others wait behind whoever waits for it. */
const LOCK_NOT_AVAILABLE = '55P03'
const ENABLE_TRIES = 20
/** To index what has run so far may take long. */
const ENABLE_MS = 10 * 60_000

export function auditStore(parts: Parts): AuditStore {
  const { driver, testTime } = parts
  return {
    async enable() {
      for (let tries = 1; ; tries++) {
        try {
          await driver.transaction((transaction) => transaction.query(enableAudit), { deadlineMs: ENABLE_MS })
          return
        } catch (error) {
          if (sqlStateOf(error) !== LOCK_NOT_AVAILABLE || tries === ENABLE_TRIES) throw error
        }
      }
    },

    async isEnabled() {
      const [row] = await driver.query<{ isEnabled: boolean }>(isAuditEnabled)
      return row?.isEnabled ?? false
    },

    append: (entries) => writeAudit(driver, entries, testTime()),

    list: (filter) => {
      const { executionId, isAscending = false, archived = false } = filter
      const values = filterValues(filter)
      if (executionId !== undefined) {
        return driver.query<AuditEntry>(listAuditOfExecution, [...values, executionId, isAscending, archived])
      }
      if (archived) return driver.query<AuditEntry>(isAscending ? listAnyAuditAfter : listAnyAudit, values)
      return driver.query<AuditEntry>(isAscending ? listAuditAfter : listAudit, values)
    },

    heads: (tenant) =>
      tenant === undefined
        ? driver.query<AuditHead>(listAuditHeads, [NO_HASH])
        : driver.query<AuditHead>(findAuditHead, [tenant]),

    async anchor(tenant) {
      const [anchor] = await driver.query<AuditHead>(findAuditAnchor, [tenant])
      return anchor ?? null
    },
  }
}

function filterValues(filter: AuditFilter): unknown[] {
  const { tenant, limit, after, operations, userId, jobId, from, to } = filter
  return [
    tenant,
    Math.max(0, limit),
    after ?? null,
    operations ?? null,
    storable(userId ?? null),
    jobId ?? null,
    from ?? null,
    to ?? null,
  ]
}

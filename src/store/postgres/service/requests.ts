import type { Statement } from '../../driver/driver.ts'
import type { BegunRequest, KeptAnswer, NewRequest, RequestKey, RequestStore } from '../../requests.ts'
import type { Parts } from '../parts.ts'

// One that another begins at the same moment is neither begun here nor seen: then there is no row, and it has to be tried again.
const beginRequest: Statement = {
  name: 'beginRequest',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
begun as (
  insert into pontual.requests as kept (
    tenant,
    user_id,
    key,
    fingerprint,
    resource_id,
    begun_at,
    expires_at
  )
  select $2::text, $3::text, $4::text, $5::text, $6::text, now, now + interval '1 day'
  from clock
  on conflict (tenant, user_id, key) do update
  set
    fingerprint = excluded.fingerprint,
    resource_id = case when kept.expires_at <= excluded.begun_at then excluded.resource_id else kept.resource_id end,
    begun_at = excluded.begun_at,
    expires_at = excluded.expires_at,
    answer_status = null,
    answer_headers = null,
    answer_body = null
  where kept.expires_at <= excluded.begun_at
    or kept.answer_status is null
    and kept.fingerprint = excluded.fingerprint
    and kept.begun_at <= excluded.begun_at - $7::float8 * interval '1 millisecond'
  returning resource_id
)
select
  true as "isBegun",
  $5::text as fingerprint,
  resource_id as "resourceId",
  null::int as status,
  null::text as headers,
  null::text as body
from begun
union all
select
  false,
  fingerprint,
  resource_id,
  answer_status,
  answer_headers,
  answer_body
from pontual.requests
where tenant = $2::text
  and user_id = $3::text
  and key = $4::text
  and not exists (select from begun)`,
}

/** The first answer counts: it is the one that somebody may have seen. */
const finishRequest: Statement = {
  name: 'finishRequest',
  text: `
update pontual.requests
set
  answer_status = $4::int,
  answer_headers = $5::text,
  answer_body = $6::text
where tenant = $1::text
  and user_id = $2::text
  and key = $3::text
  and answer_status is null`,
}

const forgetRequest: Statement = {
  name: 'forgetRequest',
  text: `
delete from pontual.requests
where tenant = $1::text
  and user_id = $2::text
  and key = $3::text
  and answer_status is null`,
}

interface RequestRow {
  readonly isBegun: boolean
  readonly fingerprint: string
  readonly resourceId: string
  readonly status: number | null
  readonly headers: string | null
  readonly body: string | null
}

export function requestStore({ driver, testTime }: Parts): RequestStore {
  return {
    async begin(request) {
      const { fingerprint, resourceId, takeoverMs } = request
      const values = [testTime(), ...keyValues(request), fingerprint, resourceId, takeoverMs]
      for (;;) {
        const [row] = await driver.query<RequestRow>(beginRequest, values)
        if (row) return begunFrom(row, request)
      }
    },

    async finish(request, { status, headers, body }) {
      await driver.query(finishRequest, [...keyValues(request), status, JSON.stringify(headers), body])
    },

    async forget(request) {
      await driver.query(forgetRequest, keyValues(request))
    },
  }
}

function begunFrom({ isBegun, ...row }: RequestRow, { fingerprint, resourceId }: NewRequest): BegunRequest {
  const isOwn = row.resourceId === resourceId
  if (isBegun) return { state: isOwn ? 'new' : 'resumed', resourceId: row.resourceId }
  if (row.fingerprint !== fingerprint) return { state: 'mismatch' }
  if (row.status !== null) return { state: 'done', answer: answerFrom(row.status, row) }
  // Sent again by the driver, which has lost the answer.
  return isOwn ? { state: 'new', resourceId } : { state: 'running' }
}

function answerFrom(status: number, { headers, body }: Pick<RequestRow, 'headers' | 'body'>): KeptAnswer {
  return { status, headers: JSON.parse(headers ?? '{}') as KeptAnswer['headers'], body: body ?? '' }
}

function keyValues({ tenant, userId, key }: RequestKey): string[] {
  return [tenant, userId, key]
}

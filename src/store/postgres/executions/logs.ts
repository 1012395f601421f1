import { LOG_LEVELS, type LogLevel } from '../../../logger.ts'
import type { Statement } from '../../driver/driver.ts'
import type { LogLine, LogStore, TenantLogStore } from '../../logs.ts'
import { type Parts, storable } from '../parts.ts'

const appendLogLines: Statement = {
  name: 'appendLogLines',
  text: `
with input as materialized (
  select line.*, held.epoch is not null as is_held
  from unnest(
    $1::uuid[],
    $2::int[],
    $3::float8[],
    $4::int[],
    $5::float8[],
    $6::int[],
    $7::text[],
    $8::text[]
  ) as line (execution_id, epoch, sequence, attempt, at, level, message, fields)
  left join lateral (
    select leases.epoch
    from pontual.leases
    where leases.execution_id = line.execution_id
      and leases.epoch = line.epoch
    limit 1
  ) as held on true
),
appended as (
  insert into pontual.execution_logs (
    execution_id,
    sequence,
    attempt,
    at,
    level,
    message,
    fields
  )
  select
    execution_id,
    sequence::bigint,
    attempt,
    pontual.from_ms(at),
    level,
    message,
    fields
  from input
  where is_held
  on conflict (execution_id, sequence) do nothing
)
select distinct execution_id as id
from input
where not is_held`,
}

const readLogLines: Statement = {
  name: 'readLogLines',
  text: `
select
  execution_id as "executionId",
  sequence,
  attempt,
  pontual.to_ms(at) as at,
  level,
  message,
  fields
from pontual.execution_logs
where execution_id = $1::uuid
  and sequence > $2::float8::bigint
  and level >= $3::int
  and ($5::int is null or attempt = $5::int)
order by sequence
limit $4::int`,
}

const readAnyLogLines: Statement = {
  name: 'readAnyLogLines',
  text: `
select *
from (
  (${readLogLines.text})
  union all
  (${readLogLines.text.replace('pontual.execution_logs', 'pontual.execution_logs_archive')})
) as line
order by sequence
limit $4::int`,
}

const measureLog: Statement = {
  name: 'measureLog',
  text: `
select coalesce(sum(octet_length(message) + coalesce(octet_length(fields), 0)), 0) as bytes
from pontual.execution_logs
where execution_id = $1::uuid`,
}

export function tenantLogStore(parts: Parts): TenantLogStore {
  const { driver } = parts
  return {
    async read({ executionId, after = -1, lowest = 'debug', attempt = null, limit, archived = false }) {
      const values = [executionId, after, LOG_LEVELS.indexOf(lowest), Math.max(0, limit), attempt]
      const rows = await driver.query<Omit<LogLine, 'level'> & { level: number }>(
        archived ? readAnyLogLines : readLogLines,
        values,
      )
      return rows.map((row) => ({ ...row, level: levelOf(row.level) }))
    },

    async size(executionId) {
      const [row] = await driver.query<{ bytes: number }>(measureLog, [executionId])
      return row?.bytes ?? 0
    },
  }
}

export function logStore(parts: Parts): LogStore {
  const { driver } = parts
  return {
    ...tenantLogStore(parts),
    async append(lines) {
      if (lines.length === 0) return []
      const refused = await driver.query<{ id: string }>(appendLogLines, [
        lines.map(({ executionId }) => executionId),
        lines.map(({ epoch }) => epoch),
        lines.map(({ sequence }) => sequence),
        lines.map(({ attempt }) => attempt),
        lines.map(({ at }) => at),
        lines.map(({ level }) => LOG_LEVELS.indexOf(level)),
        lines.map(({ message }) => storable(message)),
        lines.map(({ fields }) => fields),
      ])
      return refused.map(({ id }) => id)
    },
  }
}

function levelOf(index: number): LogLevel {
  return LOG_LEVELS[index] ?? 'debug'
}

import type { Statement } from '../../driver/driver.ts'
import { type ActivePeriod, MINUTES_KEPT_MS, type MinuteCount, type MinuteStore } from '../../minutes.ts'
import type { Parts } from '../parts.ts'

const markMinute: Statement = {
  name: 'markMinute',
  text: `
with clock as materialized (
  select pontual.clock($1::float8) as now
),
marked as (
  insert into pontual.scheduler_minutes (minute)
  select date_trunc('minute', now, 'UTC')
  from clock
  on conflict do nothing
)
insert into pontual.active_periods (id, started_at, ended_at)
select $2::uuid, now, now
from clock
where $2::uuid is not null
on conflict (id) do update
set ended_at = greatest(active_periods.ended_at, excluded.ended_at)`,
}

// The last minute is reckoned once, and not for every row.
const countMinutes: Statement = {
  name: 'countMinutes',
  text: `
select
  pontual.to_ms(pontual.clock($1::float8)) as "now",
  (select pontual.to_ms(min(minute)) from pontual.scheduler_minutes) as "firstAt",
  (
    select count(*)
    from pontual.scheduler_minutes
    where minute >= pontual.from_ms($2::float8)
      and minute < (select date_trunc('minute', pontual.clock($1::float8), 'UTC'))
  ) as marked`,
}

const listActivePeriods: Statement = {
  name: 'listActivePeriods',
  text: `
select pontual.to_ms(started_at) as "from", pontual.to_ms(ended_at) as "to"
from pontual.active_periods
where ended_at > pontual.from_ms($1::float8)
order by started_at, ended_at`,
}

const removeMinutes: Statement = {
  name: 'removePastMinutes',
  text: `
with removed as (
  delete from pontual.active_periods
  where ended_at < pontual.clock($1::float8) - $2::float8 * interval '1 millisecond'
)
delete from pontual.scheduler_minutes
where minute < pontual.clock($1::float8) - $2::float8 * interval '1 millisecond'`,
}

export function minuteStore({ driver, testTime }: Parts): MinuteStore {
  return {
    async mark(periodId) {
      await driver.query(markMinute, [testTime(), periodId ?? null])
    },
    async count(since) {
      const [row] = await driver.query<MinuteCount>(countMinutes, [testTime(), since])
      return row ?? { now: 0, firstAt: null, marked: 0 }
    },
    active: (since) => driver.query<ActivePeriod>(listActivePeriods, [since]),
  }
}

/** A few at a time, since it is done every hour. */
export async function removePastMinutes({ driver, testTime }: Parts): Promise<void> {
  await driver.query(removeMinutes, [testTime(), MINUTES_KEPT_MS])
}

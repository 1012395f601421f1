import type { Statement } from '../driver/driver.ts'
import { MINUTES_KEPT_MS, type MinuteCount, type MinuteStore } from '../minutes.ts'
import type { Parts } from './parts.ts'

const markMinute: Statement = {
  name: 'markMinute',
  text: `
insert into pontual.scheduler_minutes (minute)
select date_trunc('minute', pontual.clock($1::float8), 'UTC')
on conflict do nothing`,
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

const removeMinutes: Statement = {
  name: 'removePastMinutes',
  text: `
delete from pontual.scheduler_minutes
where minute < pontual.clock($1::float8) - $2::float8 * interval '1 millisecond'`,
}

export function minuteStore({ driver, testTime }: Parts): MinuteStore {
  return {
    async mark() {
      await driver.query(markMinute, [testTime()])
    },
    async count(since) {
      const [row] = await driver.query<MinuteCount>(countMinutes, [testTime(), since])
      return row ?? { now: 0, firstAt: null, marked: 0 }
    },
  }
}

/** A few at a time, since it is done every hour. */
export async function removePastMinutes({ driver, testTime }: Parts): Promise<void> {
  await driver.query(removeMinutes, [testTime(), MINUTES_KEPT_MS])
}

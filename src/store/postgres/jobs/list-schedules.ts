import type { JobSchedule } from '../../../job/job.ts'
import type { Statement } from '../../driver/driver.ts'
import type { ScheduledJob, ScheduleQuery } from '../../jobs.ts'
import type { Parts } from '../parts.ts'
import { FIRES_FAULTED } from './job-row.ts'

const listSchedules: Statement = {
  name: 'listSchedules',
  text: `
select
  id,
  name,
  definition ->> 'calendar' as calendar,
  trigger_now as "currentTrigger",
  pontual.to_ms(next_fire_at) as "nextFireAt",
  pontual.to_ms(previous_fire_at) as "previousFireAt",
  times_triggered as "timesTriggered"
from pontual.jobs
where tenant = $1::text
  and status <> 'DELETED'
  and (status in ('ACTIVE', 'APPROVED') or (${FIRES_FAULTED}))
  and name > $3::text
order by name
limit $2::int`,
}

type ScheduleRow = Omit<ScheduledJob, 'schedule'> & JobSchedule

export async function readSchedules({ driver }: Parts, query: ScheduleQuery): Promise<ScheduledJob[]> {
  const { tenant, limit, after = '' } = query
  const rows = await driver.query<ScheduleRow>(listSchedules, [tenant, Math.max(0, limit), after])
  return rows.map(({ id, name, calendar, ...schedule }) => ({ id, name, calendar, schedule }))
}

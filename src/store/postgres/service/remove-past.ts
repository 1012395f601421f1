import type { Statement } from '../../driver/driver.ts'
import type { Parts } from '../parts.ts'

const removePastSessions: Statement = {
  name: 'removePastSessions',
  text: `
with past as (
  delete from pontual.sessions
  where secret_hash = any(array(
    select secret_hash
    from pontual.sessions
    where expires_at <= pontual.clock($1::float8)
    order by expires_at
    limit $2::int
    for update skip locked
  ))
  returning 1
)
select count(*)::int as count
from past`,
}

const removePastRequests: Statement = {
  name: 'removePastRequests',
  text: `
with past as (
  delete from pontual.requests
  where ctid = any(array(
    select ctid
    from pontual.requests
    where expires_at <= pontual.clock($1::float8)
    order by expires_at
    limit $2::int
    for update skip locked
  ))
  returning 1
)
select count(*)::int as count
from past`,
}

const removePastEvents: Statement = {
  name: 'removePastEvents',
  text: `
with past as (
  delete from pontual.notification_events
  where id = any(array(
    select id
    from pontual.notification_events
    where at < pontual.clock($1::float8) - interval '90 days'
    order by at
    limit $2::int
    for update skip locked
  ))
  returning 1
)
select count(*)::int as count
from past`,
}

const removePastDeliveries: Statement = {
  name: 'removePastDeliveries',
  text: `
with past as (
  delete from pontual.notification_deliveries
  where id = any(array(
    select id
    from pontual.notification_deliveries
    where created_at < pontual.clock($1::float8) - interval '90 days'
    order by created_at
    limit $2::int
    for update skip locked
  ))
  returning 1
)
select count(*)::int as count
from past`,
}

const BATCH = 1_000

/** Removes sessions that are over, requests that are a day old, and what people were told more than 90 days ago, a batch at a time. */
export async function removePast({ driver, testTime }: Parts): Promise<void> {
  for (const statement of [removePastSessions, removePastRequests, removePastEvents, removePastDeliveries]) {
    let count = BATCH
    while (count === BATCH) {
      const [row] = await driver.query<{ readonly count: number }>(statement, [testTime(), BATCH])
      count = row?.count ?? 0
    }
  }
}

import type { Queryable, Statement } from '../../driver/driver.ts'
import {
  type ClaimedDelivery,
  LISTED_EVENTS,
  type NextNotification,
  type NotificationEvent,
  type NotificationPlan,
  type NotificationRecord,
  type NotificationStore,
  type NotificationSummary,
  type TenantNotificationStore,
} from '../../notifications.ts'
import { type Parts, storable, storableJson } from '../parts.ts'
import { claimDeliveries, planNotifications, readTold, settleDeliveries } from './delivery-statements.ts'
import { listNotifications, summarizeNotifications } from './list-notifications.ts'

const postNotifications: Statement = {
  name: 'postNotifications',
  text: `
select pontual.post_notifications(
  $1::text[],
  $2::text[],
  $3::text[],
  array(select pontual.from_ms(at) from unnest($4::float8[]) with ordinality as each (at, place) order by place),
  $5::text[]
)`,
}

const nextNotification: Statement = {
  name: 'nextNotification',
  text: `
select
  pontual.to_ms(pontual.clock($1::float8)) as "now",
  exists (
    select
    from pontual.notification_events
    where planned_at is null
  ) as "hasUnplanned",
  pontual.to_ms(
    least(
      (
        select min(first.due_at)
        from unnest($2::text[]) as wanted (channel)
        cross join lateral (
          select due_at
          from pontual.notification_deliveries as deliveries
          where deliveries.status = 'WAITING'
            and deliveries.channel = wanted.channel
          order by due_at
          limit 1
        ) as first
      ),
      (
        select min(due_at)
        from pontual.notification_deliveries
        where status = 'WAITING'
          and expires_at <= pontual.clock($1::float8)
      )
    )
  ) as "nextDueAt"`,
}

const unplannedNotifications: Statement = {
  name: 'unplannedNotifications',
  text: `
select
  pontual.to_ms(pontual.clock($1::float8)) as "now",
  coalesce(
    (
      select
        json_agg(
          json_build_object(
            'id', id,
            'tenant', tenant,
            'kind', kind,
            'at', pontual.to_ms(at),
            'facts', facts
          )
          order by at, id
        )
      from (
        select *
        from pontual.notification_events
        where planned_at is null
        order by at, id
        limit $2::int
      ) as unplanned
    ),
    '[]'
  ) as events`,
}

type ToldColumns = 'events' | 'eventCount'
type ClaimedRow = Omit<ClaimedDelivery, ToldColumns> & { readonly now: number; readonly place: number }
type ToldRow = Pick<ClaimedDelivery, ToldColumns | 'id'>

export function tenantNotificationStore(parts: Parts): TenantNotificationStore {
  const { driver } = parts
  return {
    async post(events) {
      if (events.length > 0) await postEvents(driver, events)
    },

    list: ({ tenant, limit, kinds, jobId, after }) =>
      driver.query<NotificationRecord>(listNotifications, [
        tenant,
        kinds ?? null,
        jobId ?? null,
        after?.at ?? null,
        after?.id ?? null,
        Math.max(0, limit),
      ]),

    async summary(tenant, since) {
      const [row] = await driver.query<NotificationSummary>(summarizeNotifications, [tenant, since])
      return row ?? { failures: 0, told: 0, suppressed: 0, undelivered: 0 }
    },
  }
}

export function notificationStore(parts: Parts): NotificationStore {
  const { driver, testTime } = parts
  /** Who was the last to have a turn, by what was asked for. */
  const last = new Map<string, string>()
  return {
    ...tenantNotificationStore(parts),

    async next(channels) {
      const [row] = await driver.query<NextNotification>(nextNotification, [testTime(), channels])
      return row ?? { now: 0, hasUnplanned: false, nextDueAt: null }
    },

    async unplanned(limit) {
      type Row = { now: number; events: NotificationEvent[] }
      const [row] = await driver.query<Row>(unplannedNotifications, [testTime(), Math.max(0, limit)])
      return row ?? { now: 0, events: [] }
    },

    async plan(plans) {
      if (plans.length === 0) return 0
      const [row] = await driver.query<{ count: number }>(planNotifications, [testTime(), ...planValues(plans)])
      return row?.count ?? 0
    },

    async claim({ channels, limit, leaseMs, except = [] }) {
      const key = channels.join()
      const values = [testTime(), channels, Math.max(0, limit), leaseMs, except, last.get(key) ?? '']
      const claimed = await driver.query<ClaimedRow>(claimDeliveries, values)
      const [latest] = claimed.toSorted((a, b) => b.place - a.place)
      if (!latest) return { now: 0, deliveries: [] }
      last.set(key, latest.tenant)
      const told = await driver.query<ToldRow>(readTold, [claimed.map(({ id }) => id), LISTED_EVENTS])
      const byId = new Map(claimed.map(({ now: _now, place: _place, ...delivery }) => [delivery.id, delivery]))
      const deliveries = told.flatMap((row) => {
        const delivery = byId.get(row.id)
        return delivery ? [{ ...delivery, ...row }] : []
      })
      return { now: latest.now, deliveries }
    },

    async settle(settlements) {
      if (settlements.length === 0) return
      await driver.query(settleDeliveries, [
        testTime(),
        settlements.map(({ id }) => id),
        settlements.map(({ attempt }) => attempt),
        settlements.map(({ status }) => status),
        settlements.map(({ retryInMs }) => retryInMs),
        settlements.map(({ error }) => storable(error)),
      ])
    },
  }
}

/** Adds events to the outbox, in the transaction of what they report. */
export async function postEvents(database: Queryable, events: readonly NotificationEvent[]): Promise<void> {
  await database.query(postNotifications, [
    events.map(({ id }) => id),
    events.map(({ tenant }) => tenant),
    events.map(({ kind }) => kind),
    events.map(({ at }) => at),
    events.map(({ facts }) => storableJson(facts)),
  ])
}

function planValues(plans: readonly NotificationPlan[]): unknown[] {
  const deliveries = plans.flatMap(({ eventId, deliveries: each }) => each.map((one) => ({ ...one, eventId })))
  return [
    plans.map(({ eventId }) => eventId),
    plans.map(({ suppression }) => suppression),
    deliveries.map(({ id }) => id),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ channel }) => channel),
    deliveries.map(({ webhookId }) => webhookId),
    deliveries.map(({ dueAt }) => dueAt),
    deliveries.map(({ expiresAt }) => expiresAt),
    deliveries.map(({ isDigest }) => isDigest),
  ]
}

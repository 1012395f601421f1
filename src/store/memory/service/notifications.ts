import {
  type ClaimedDelivery,
  type DeliveryClaim,
  type DeliverySettlement,
  LISTED_EVENTS,
  type NewDelivery,
  NOTIFICATIONS_KEPT_MS,
  type NotificationChannel,
  type NotificationEvent,
  type NotificationFilter,
  type NotificationPlan,
  type NotificationRecord,
  type NotificationStore,
  type NotificationSummary,
} from '../../notifications.ts'
import { byCreation, byEventTime, type DeliveryRow, type NotificationTables } from '../schema/service-tables.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

export function notificationStore(session: Session): NotificationStore {
  return {
    post: (events) => session.statement(({ service }) => service.notifications.post(events)),

    next: (channels) =>
      session.statement(({ service }, now) => {
        const [next] = waitingFor(service.notifications, channels, now, 1)
        return { now, hasUnplanned: service.notifications.unplanned.size > 0, nextDueAt: next?.dueAt ?? null }
      }),

    unplanned: (limit) =>
      session.statement(({ service }, now) => {
        const events = firstOf(service.notifications.unplanned.ascending(), limit)
        return { now, events: events.map(({ event }) => event) }
      }),

    plan: (plans) =>
      session.statement(({ service }, now) => plans.filter((each) => plan(service.notifications, each, now)).length),

    claim: (request) =>
      session.statement(({ service }, now) => ({ now, deliveries: claim(service.notifications, request, now) })),

    settle: (settlements) =>
      session.statement(({ service }, now) => {
        for (const settlement of settlements) settle(service.notifications, settlement, now)
      }),

    list: (filter) => session.statement(({ service }) => list(service.notifications, filter)),

    summary: (tenant, since) => session.statement(({ service }) => summary(service.notifications, tenant, since)),
  }
}

/** Those that are due at some time for who sends by these channels, the next one first. */
function waitingFor(
  { waiting }: NotificationTables,
  channels: readonly NotificationChannel[],
  now: number,
  limit: number,
): DeliveryRow[] {
  return firstOf(waiting.ascending(), limit, ({ channel, expiresAt }) => channels.includes(channel) || expiresAt <= now)
}

function firstOf<Row>(rows: Iterable<Row>, limit: number, isWanted: (row: Row) => boolean = () => true): Row[] {
  const found: Row[] = []
  for (const row of rows) {
    if (found.length >= limit) break
    if (isWanted(row)) found.push(row)
  }
  return found
}

function plan(
  tables: NotificationTables,
  { eventId, suppression, deliveries }: NotificationPlan,
  now: number,
): boolean {
  const row = tables.events.get(eventId)
  if (row?.plannedAt !== null) return false
  if (!deliveries.every(({ id }) => isOpen(tables.deliveries.get(id)))) return false
  for (const delivery of deliveries) keep(tables, delivery, row.event, now)
  const mailId = deliveries.find(({ channel }) => channel === 'mail')?.id ?? null
  tables.events.put(Object.freeze({ ...row, plannedAt: now, suppression, mailId }))
  return true
}

/** Nobody has claimed it yet, so that something may join it. */
function isOpen(known: DeliveryRow | undefined): boolean {
  return known === undefined || (known.status === 'WAITING' && known.attempts === 0)
}

function keep({ deliveries }: NotificationTables, delivery: NewDelivery, event: NotificationEvent, now: number): void {
  const { id, isDigest, channel, webhookId, dueAt, expiresAt } = delivery
  if (deliveries.has(id)) return
  deliveries.put(
    Object.freeze({
      id,
      tenant: event.tenant,
      eventId: isDigest ? null : event.id,
      channel,
      webhookId,
      status: 'WAITING',
      attempts: 0,
      createdAt: now,
      dueAt,
      expiresAt,
      endedAt: null,
      lastError: null,
    }),
  )
}

function claim(tables: NotificationTables, request: DeliveryClaim, now: number): ClaimedDelivery[] {
  const { channels, limit, leaseMs, except = [] } = request
  const due = waitingFor(tables, channels, now, Infinity).filter(
    ({ dueAt, tenant }) => dueAt <= now && !except.includes(tenant),
  )
  return inTurns(due, limit).map((row) => {
    const { id, tenant, channel, webhookId, expiresAt, lastError } = row
    const attempt = row.attempts + 1
    tables.deliveries.put(Object.freeze({ ...row, attempts: attempt, dueAt: now + leaseMs }))
    const told = toldBy(tables, row)
    const isExpired = expiresAt <= now
    const events = told.slice(0, LISTED_EVENTS)
    return { id, tenant, channel, webhookId, attempt, isExpired, lastError, events, eventCount: told.length }
  })
}

/** The first of every tenant, then the second of every tenant, and so on. */
function inTurns(due: readonly DeliveryRow[], limit: number): DeliveryRow[] {
  const counts = new Map<string, number>()
  const placed = due.map((row) => {
    const turn = counts.get(row.tenant) ?? 0
    counts.set(row.tenant, turn + 1)
    return { row, turn }
  })
  const chosen = placed.toSorted((a, b) => a.turn - b.turn).slice(0, Math.max(0, limit))
  return chosen.map(({ row }) => row).toSorted(byCreation)
}

function toldBy({ events, eventsByMail }: NotificationTables, { id, eventId }: DeliveryRow): NotificationEvent[] {
  const rows = eventId === null ? eventsByMail.rowsOf(id) : [events.get(eventId)]
  return rows.flatMap((row) => row?.event ?? [])
}

function settle(tables: NotificationTables, settlement: DeliverySettlement, now: number): void {
  const { id, attempt, status, retryInMs, error } = settlement
  const row = tables.deliveries.get(id)
  if (row?.status !== 'WAITING' || row.attempts !== attempt) return
  tables.deliveries.put(
    Object.freeze({
      ...row,
      status,
      dueAt: retryInMs === null ? row.dueAt : now + retryInMs,
      endedAt: status === 'WAITING' ? null : now,
      lastError: error,
    }),
  )
  if (status !== 'SENT') return
  for (const { id: told } of toldBy(tables, row)) {
    const event = tables.events.get(told)
    if (event?.toldAt === null) tables.events.put(Object.freeze({ ...event, toldAt: now }))
  }
}

function list(tables: NotificationTables, filter: NotificationFilter): NotificationRecord[] {
  const { tenant, limit, kinds, jobId, after } = filter
  const rows = tables.eventsByTenant.rowsOf(tenant).toReversed()
  const edge = after && { event: { at: after.at, id: after.id } }
  return rows
    .filter((row) => edge === undefined || byEventTime(row, edge) < 0)
    .filter(({ event }) => kinds === undefined || kinds.includes(event.kind))
    .filter(({ event }) => jobId === undefined || event.facts['jobId'] === jobId)
    .slice(0, Math.max(0, limit))
    .map(({ event, plannedAt, suppression, mailId, toldAt }) => ({
      ...event,
      isPlanned: plannedAt !== null,
      suppression,
      toldAt,
      deliveries: tables.deliveriesOf(event.id, mailId).map((row) => ({
        id: row.id,
        channel: row.channel,
        webhookId: row.webhookId,
        status: row.status,
        attempts: row.attempts,
        dueAt: row.dueAt,
        endedAt: row.endedAt,
        lastError: row.lastError,
      })),
    }))
}

function summary(tables: NotificationTables, tenant: string | null, since: number): NotificationSummary {
  const rows = [...tables.events.rows()].filter(
    ({ event }) => event.kind === 'job.failed' && event.at >= since && (tenant === null || event.tenant === tenant),
  )
  const isGivenUp = ({ event, mailId }: (typeof rows)[number]) =>
    tables.deliveriesOf(event.id, mailId).every(({ status }) => status !== 'WAITING')
  return {
    failures: rows.length,
    told: rows.filter(({ toldAt }) => toldAt !== null).length,
    suppressed: rows.filter(({ suppression }) => suppression !== null).length,
    undelivered: rows
      .filter(({ toldAt, suppression, plannedAt }) => toldAt === null && suppression === null && plannedAt !== null)
      .filter(isGivenUp).length,
  }
}

/** Removes what people were told more than 90 days ago. */
export function removePastNotifications({ service: { notifications } }: Tables, now: number): void {
  const before = now - NOTIFICATIONS_KEPT_MS
  const { events, deliveries } = notifications
  for (const { event } of events.rows()) if (event.at < before) events.take(event.id)
  for (const { id, createdAt } of deliveries.rows()) if (createdAt < before) deliveries.take(id)
}

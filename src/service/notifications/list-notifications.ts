import { requirePermission, requireWholeProfile } from '../../access/principal.ts'
import { NOTIFICATION_KINDS, type NotificationRecord } from '../../store/notifications.ts'
import { requireOneOf } from '../../time/require.ts'
import { requireUuid } from '../../uuid.ts'
import type { Page } from '../answers.ts'
import { pageOf } from '../page.ts'
import type { MakeOptions, NotificationQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import type { NotificationView, TestNotificationAnswer } from './notification-view.ts'

/** What people were told, what waits to be told, and what went wrong with it; the newest first. */
export async function listNotifications(scope: Scope, query: NotificationQuery): Promise<Page<NotificationView>> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, cursors } = scope
  const kinds = query.event?.map((kind) => requireOneOf(kind, 'event', NOTIFICATION_KINDS))
  const jobId = query.jobId === undefined ? undefined : requireUuid(query.jobId, 'jobId')
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    scope: [tenant, 'notifications', kinds, jobId],
    shape: ['instant', 'text'],
    read: (limit, place) => {
      const after = place && { at: Number(place[0]), id: String(place[1]) }
      return store.notifications.list({ tenant, limit, kinds, jobId, after })
    },
    placeOf: ({ at, id }) => [at, id],
  })
  return { ...page, items: page.items.map(viewOf) }
}

function viewOf(record: NotificationRecord): NotificationView {
  const { id, tenant, kind, at, facts, toldAt, deliveries } = record
  return {
    id,
    clienteId: tenant,
    event: kind,
    at: wireInstant(at),
    facts,
    status: statusOf(record),
    suppression: record.suppression,
    toldAt: wireInstant(toldAt),
    deliveries: deliveries.map(({ channel, webhookId, status, attempts, dueAt, endedAt, lastError }) => ({
      channel,
      webhookId,
      status,
      attempts,
      nextAttemptAt: status === 'WAITING' ? wireInstant(dueAt) : null,
      endedAt: wireInstant(endedAt),
      lastError,
    })),
  }
}

function statusOf({ suppression, toldAt, isPlanned, deliveries }: NotificationRecord): NotificationView['status'] {
  if (suppression !== null) return 'SUPPRESSED'
  if (toldAt !== null) return 'SENT'
  const isWaiting = !isPlanned || deliveries.some(({ status }) => status === 'WAITING')
  return isWaiting ? 'WAITING' : 'UNDELIVERED'
}

/** Sends everybody who is told of failures a message that says so: by mail, and to every webhook. What became of it is listed. */
export async function sendTestNotification(scope: Scope, options: MakeOptions = {}): Promise<TestNotificationAnswer> {
  requireWholeProfile(scope.principal, 'Admin')
  const { tenant, store, around, by } = scope
  const { settings } = await scope.settings()
  const at = scope.now()
  const id = options.id ?? around.env.uuid(at)
  const facts = { userId: by.userId }
  await store.notifications.post([{ id, tenant, kind: 'notification.test', at, facts }])
  return { notificationId: id, addresses: settings.adminAddresses.length, webhooks: settings.webhooks.length }
}

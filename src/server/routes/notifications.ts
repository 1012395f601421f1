import { z } from 'zod'
import type { NotificationView, TestNotificationAnswer } from '../../service/api.ts'
import { NOTIFICATION_KINDS } from '../../store/notifications.ts'
import { type Route, route } from '../request/route.ts'
import { answeredInstant, cursorParameter, id, limitParameter, listParameter, pageOf } from '../schemas/values.ts'
import { JOBS } from './jobs.ts'

const deliveryView = z.object({
  channel: z.enum(['mail', 'webhook']),
  webhookId: z.string().nullable(),
  status: z.enum(['WAITING', 'SENT', 'UNDELIVERED']),
  attempts: z.int(),
  nextAttemptAt: answeredInstant.nullable(),
  endedAt: answeredInstant.nullable(),
  lastError: z.string().nullable(),
})

const notificationView = z.object({
  id: z.string(),
  clienteId: z.string(),
  event: z.enum(NOTIFICATION_KINDS),
  at: answeredInstant,
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).nullable()),
  status: z.enum(['WAITING', 'SENT', 'SUPPRESSED', 'UNDELIVERED']),
  suppression: z.enum(['flag', 'nobody']).nullable(),
  toldAt: answeredInstant.nullable(),
  deliveries: z.array(deliveryView),
}) satisfies z.ZodType<NotificationView>

const notificationPage = pageOf(notificationView)

const testNotificationAnswer = z.object({
  notificationId: z.string(),
  addresses: z.int(),
  webhooks: z.int(),
}) satisfies z.ZodType<TestNotificationAnswer>

export const notificationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/notifications`,
    name: 'listNotifications',
    summary: 'List what people were told, what waits to be told, and what went wrong with it, the newest first',
    access: { permissions: ['jobs:read'] },
    query: z.strictObject({
      limit: limitParameter(),
      cursor: cursorParameter.optional(),
      event: listParameter(NOTIFICATION_KINDS).optional(),
      jobId: id.optional(),
    }),
    answers: { 200: { description: 'A page of notifications', schema: notificationPage } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.administration.notifications(principal, query),
    }),
  }),
  route({
    method: 'POST',
    path: `${JOBS}/notifications/test`,
    name: 'sendTestNotification',
    summary: 'Send a test message to all addresses and webhooks of the tenant',
    access: { profile: 'Admin' },
    idempotency: 'kept',
    answers: { 202: { description: 'It is being sent', schema: testNotificationAnswer } },
    handle: async ({ service, principal, resourceId }) => ({
      status: 202,
      body: await service.administration.sendTestNotification(principal, { id: resourceId }),
    }),
  }),
]

import { z } from 'zod'
import type { NotificationView, TestNotificationAnswer } from '../../service/api.ts'
import { NOTIFICATION_KINDS } from '../../store/notifications.ts'
import { answeredInstant, pageOf } from './values.ts'

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

export const notificationPage = pageOf(notificationView)

export const testNotificationAnswer = z.object({
  notificationId: z.string(),
  addresses: z.int(),
  webhooks: z.int(),
}) satisfies z.ZodType<TestNotificationAnswer>

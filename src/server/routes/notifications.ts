import { z } from 'zod'
import { NOTIFICATION_KINDS } from '../../store/notifications.ts'
import { type Route, route } from '../request/route.ts'
import { notificationPage, testNotificationAnswer } from '../schemas/notifications.ts'
import { cursorParameter, id, limitParameter, listParameter } from '../schemas/values.ts'
import { JOBS } from './jobs.ts'

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

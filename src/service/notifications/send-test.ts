import { requireWholeProfile } from '../../access/principal.ts'
import type { MakeOptions } from '../requests.ts'
import type { Scope } from '../scope.ts'
import type { TestNotificationAnswer } from './notification-view.ts'

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

import { DAY_MS, MINUTE_MS } from '../../duration.ts'
import type { NewDelivery, NotificationEvent, NotificationKind, NotificationPlan } from '../../store/notifications.ts'
import type { TenantSettings } from '../../store/settings.ts'

const MAIL_TRIED_MS = 3 * DAY_MS
const WEBHOOK_TRIED_MS = DAY_MS

export interface PlanSurroundings {
  readonly settings: Pick<TenantSettings, 'adminAddresses' | 'mailEvents' | 'digestMinutes' | 'webhooks'>
  /** Whether the tenant wants to be told at all. */
  readonly isEnabled: boolean
  readonly now: number
}

/** Who is told of an event: everybody by one mail, and each webhook that listens. The same, whoever plans. */
export function planOf(event: NotificationEvent, around: PlanSurroundings): NotificationPlan {
  const eventId = event.id
  if (!around.isEnabled) return { eventId, suppression: 'flag', deliveries: [] }
  const deliveries = [...mailOf(event, around), ...webhooksOf(event, around)]
  return { eventId, suppression: deliveries.length === 0 ? 'nobody' : null, deliveries }
}

/** Their mail does not depend on the tenant's choice of events, and is not delayed by a digest. */
const ALWAYS_MAILED: ReadonlySet<NotificationKind> = new Set([
  'notification.test',
  'approval_rules.pending',
  'approval_rules.loosened',
])

function mailOf({ id, tenant, kind }: NotificationEvent, { settings, now }: PlanSurroundings): NewDelivery[] {
  const { adminAddresses, mailEvents, digestMinutes } = settings
  const isAlways = ALWAYS_MAILED.has(kind)
  if (adminAddresses.length === 0 || !(isAlways || mailEvents.includes(kind))) return []
  const mail = { channel: 'mail', webhookId: null } as const
  if (digestMinutes === 0 || isAlways) {
    return [{ ...mail, id: `${id}:mail`, isDigest: false, dueAt: now, expiresAt: now + MAIL_TRIED_MS }]
  }
  // Windows stand still, so that all who plan at the same time mean the same one.
  const windowMs = digestMinutes * MINUTE_MS
  const dueAt = (Math.floor(now / windowMs) + 1) * windowMs
  const digestId = `digest:${tenant}:${digestMinutes}:${dueAt}`
  return [{ ...mail, id: digestId, isDigest: true, dueAt, expiresAt: dueAt + MAIL_TRIED_MS }]
}

function webhooksOf({ id, kind }: NotificationEvent, { settings, now }: PlanSurroundings): NewDelivery[] {
  return settings.webhooks
    .filter(({ events }) => events.length === 0 || kind === 'notification.test' || events.includes(kind))
    .map((webhook) => ({
      id: `${id}:${webhook.id}`,
      isDigest: false,
      channel: 'webhook',
      webhookId: webhook.id,
      dueAt: now,
      expiresAt: now + WEBHOOK_TRIED_MS,
    }))
}

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = 10 * MINUTE_MS
const DOUBLINGS = 10

/** How long to wait before what could not be sent is sent again: half a minute, then twice as long each time, up to ten minutes. */
export function pauseAfter(attempt: number): number {
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempt - 1, DOUBLINGS), LONGEST_PAUSE_MS)
}

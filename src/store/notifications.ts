/** What people can be told about. Stored, and sent to webhooks: a name is for ever. */
export const NOTIFICATION_KINDS = [
  'job.failed',
  'alert.opened',
  'alert.closed',
  'scheduler.unavailable',
  'schedule.refused',
  'approval_rules.pending',
  'approval_rules.loosened',
  'notification.test',
] as const

export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

export type NotificationChannel = 'mail' | 'webhook'

/** WAITING: to be sent, or sent again. UNDELIVERED: nobody tries any more. */
export type DeliveryStatus = 'WAITING' | 'SENT' | 'UNDELIVERED'

/** Why nobody is told of something: notifications are switched off, or there is nobody to tell. */
export type Suppression = 'flag' | 'nobody'

/**
 * The outbox: what people are to be told is kept from the moment it happens, in the transaction in which it happens, until they were told or nobody tries any
 * more. The final failure of an execution of a job, or of one that a person or a key requested, posts its own event, `job.failed`, whose id is that of the execution, once the audit log is on.
 */
export interface TenantNotificationStore {
  /** Keeps events. To post one again, by its id, changes nothing. */
  post(events: readonly NotificationEvent[]): Promise<void>
  /** Events of a tenant, the newest first, and what became of them. */
  list(filter: NotificationFilter): Promise<NotificationRecord[]>
  /** How many failures there were since an instant, of a tenant or of all (null), and how many of them somebody was told of. */
  summary(tenant: string | null, since: number): Promise<NotificationSummary>
}

export interface NotificationStore extends TenantNotificationStore {
  /** What there is to do for who sends by these channels; cheap enough to be asked every few seconds. */
  next(channels: readonly NotificationChannel[]): Promise<NextNotification>
  /** Events of which nobody has decided yet who is told, the oldest first. */
  unplanned(limit: number): Promise<{ readonly now: number; readonly events: readonly NotificationEvent[] }>
  /**
   * Decides who is told. A decision about an event that was made before stays; one for a digest that is closed is left out, to be made again.
   * Gives how many were decided about.
   */
  plan(plans: readonly NotificationPlan[]): Promise<number>
  /**
   * Takes deliveries that are due: tenants take turns, and of each the longest overdue comes first. Who takes one has it until the lease ends; then it is due again. One that has expired is given to
   * anybody, so that somebody gives it up.
   */
  claim(request: DeliveryClaim): Promise<{ readonly now: number; readonly deliveries: readonly ClaimedDelivery[] }>
  /** Writes down what became of deliveries. Left out are those that somebody else has taken since. */
  settle(settlements: readonly DeliverySettlement[]): Promise<void>
}

/** How many of its events a digest lists. */
export const LISTED_EVENTS = 100

/** How long it is kept what people were told. */
export const NOTIFICATIONS_KEPT_MS = 90 * 24 * 60 * 60_000

export interface NotificationEvent {
  /** At most 200 characters. What comes from something that has an id is named after it, so that it is posted once. */
  readonly id: string
  readonly tenant: string
  readonly kind: NotificationKind
  readonly at: number
  readonly facts: NotificationFacts
}

/** Ids, names and figures. Nothing out of a payload, an output or an error: it would outlive their erasure. */
export type NotificationFacts = Readonly<Record<string, string | number | boolean | null>>

export interface NextNotification {
  readonly now: number
  /** Whether there are events of which nobody has decided yet who is told. */
  readonly hasUnplanned: boolean
  /** When the next delivery is due. */
  readonly nextDueAt: number | null
}

export interface NotificationPlan {
  readonly eventId: string
  /** null: somebody is told. */
  readonly suppression: Suppression | null
  readonly deliveries: readonly NewDelivery[]
}

export interface NewDelivery {
  /** The same, whoever plans. */
  readonly id: string
  /** Whether several events may share it, by its id. */
  readonly isDigest: boolean
  readonly channel: NotificationChannel
  /** Which of the tenant's webhooks. */
  readonly webhookId: string | null
  readonly dueAt: number
  readonly expiresAt: number
}

export interface DeliveryClaim {
  readonly channels: readonly NotificationChannel[]
  readonly limit: number
  readonly leaseMs: number
  /** Tenants of which none is taken. */
  readonly except?: readonly string[] | undefined
}

export interface ClaimedDelivery {
  readonly id: string
  readonly tenant: string
  readonly channel: NotificationChannel
  readonly webhookId: string | null
  /** 1 for the first. */
  readonly attempt: number
  readonly isExpired: boolean
  /** What is told, the oldest first, and no more than a mail can list. */
  readonly events: readonly NotificationEvent[]
  /** How many there are. */
  readonly eventCount: number
  readonly lastError: string | null
}

export interface DeliverySettlement {
  readonly id: string
  /** As it was claimed. */
  readonly attempt: number
  readonly status: DeliveryStatus
  /** For one that is to be sent again. */
  readonly retryInMs: number | null
  readonly error: string | null
}

export interface NotificationFilter {
  readonly tenant: string
  readonly limit: number
  readonly kinds?: readonly NotificationKind[] | undefined
  readonly jobId?: string | undefined
  /** Continue behind this one. */
  readonly after?: { readonly at: number; readonly id: string } | undefined
}

export interface NotificationRecord extends NotificationEvent {
  readonly isPlanned: boolean
  readonly suppression: Suppression | null
  /** When the first who is told was. */
  readonly toldAt: number | null
  readonly deliveries: readonly DeliveryRecord[]
}

interface DeliveryRecord {
  readonly id: string
  readonly channel: NotificationChannel
  readonly webhookId: string | null
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly dueAt: number
  /** When it was sent or given up. */
  readonly endedAt: number | null
  readonly lastError: string | null
}

/** Counts of `job.failed`. */
export interface NotificationSummary {
  readonly failures: number
  /** By mail or by webhook. */
  readonly told: number
  readonly suppressed: number
  /** Nobody was told, and nobody tries any more. */
  readonly undelivered: number
}

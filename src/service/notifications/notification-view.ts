import type {
  DeliveryStatus,
  NotificationChannel,
  NotificationFacts,
  NotificationKind,
  Suppression,
} from '../../store/notifications.ts'

/** Something that people were to be told, and what became of it. */
export interface NotificationView {
  readonly id: string
  readonly clienteId: string
  readonly event: NotificationKind
  readonly at: string
  readonly facts: NotificationFacts
  /** SENT: somebody was told. */
  readonly status: DeliveryStatus | 'SUPPRESSED'
  readonly suppression: Suppression | null
  readonly toldAt: string | null
  readonly deliveries: readonly {
    readonly channel: NotificationChannel
    readonly webhookId: string | null
    readonly status: DeliveryStatus
    readonly attempts: number
    readonly nextAttemptAt: string | null
    readonly endedAt: string | null
    readonly lastError: string | null
  }[]
}

export interface TestNotificationAnswer {
  readonly notificationId: string
  /** How many it goes to. */
  readonly addresses: number
  readonly webhooks: number
}

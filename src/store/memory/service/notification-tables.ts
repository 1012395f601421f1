import type { DeliveryStatus, NotificationChannel, NotificationEvent, Suppression } from '../../notifications.ts'
import { compareText, inOrderOf } from '../schema/compare.ts'
import { frozenCopy } from '../schema/frozen.ts'
import { OrderedSet } from '../schema/ordered-set.ts'
import { GroupedIndex, Table, where } from '../schema/table.ts'

export interface EventRow {
  readonly event: NotificationEvent
  readonly plannedAt: number | null
  readonly suppression: Suppression | null
  /** The delivery that tells it by mail, alone or with others. */
  readonly mailId: string | null
  readonly toldAt: number | null
}

export interface DeliveryRow {
  readonly id: string
  readonly tenant: string
  /** What it tells; null where it is a mail that tells several. */
  readonly eventId: string | null
  readonly channel: NotificationChannel
  readonly webhookId: string | null
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly createdAt: number
  readonly dueAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
  readonly lastError: string | null
}

type Dated = { readonly event: Pick<NotificationEvent, 'at' | 'id'> }

export const byEventTime = inOrderOf<Dated>(
  (a, b) => a.event.at - b.event.at,
  (a, b) => compareText(a.event.id, b.event.id),
)

const byDueTime = inOrderOf<DeliveryRow>(
  (a, b) => a.dueAt - b.dueAt,
  (a, b) => compareText(a.id, b.id),
)

export const byCreation = inOrderOf<DeliveryRow>(
  (a, b) => a.createdAt - b.createdAt,
  (a, b) => compareText(a.id, b.id),
)

/** The outbox. */
export class NotificationTables {
  readonly unplanned = new OrderedSet<EventRow>(byEventTime)
  readonly eventsByTenant = new GroupedIndex<EventRow>(({ event }) => event.tenant, byEventTime)
  readonly eventsByMail = new GroupedIndex<EventRow>(({ mailId }) => mailId, byEventTime)
  readonly events = new Table<EventRow>(
    ({ event }) => event.id,
    [this.eventsByTenant, this.eventsByMail, where((row) => row.plannedAt === null, this.unplanned)],
  )

  /** The next one first. */
  readonly waiting = new OrderedSet<DeliveryRow>(byDueTime)
  readonly #deliveriesByEvent = new GroupedIndex<DeliveryRow>(({ eventId }) => eventId, byDeliveryId)
  readonly deliveries = new Table<DeliveryRow>(
    ({ id }) => id,
    [this.#deliveriesByEvent, where((row) => row.status === 'WAITING', this.waiting)],
  )

  /** Keeps events; those that are known by their ids stay as they are. */
  post(posted: readonly NotificationEvent[]): void {
    for (const event of posted) {
      if (this.events.has(event.id)) continue
      this.events.put(
        Object.freeze({ event: frozenCopy(event), plannedAt: null, suppression: null, mailId: null, toldAt: null }),
      )
    }
  }

  /** Those that tell an event, in the order of their ids. */
  deliveriesOf(eventId: string, mailId: string | null): DeliveryRow[] {
    const mail = mailId === null ? undefined : this.deliveries.get(mailId)
    const own = this.#deliveriesByEvent.rowsOf(eventId)
    return mail?.eventId === null ? [...own, mail].toSorted(byDeliveryId) : own
  }
}

function byDeliveryId(a: DeliveryRow, b: DeliveryRow): number {
  return compareText(a.id, b.id)
}

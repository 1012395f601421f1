import type { Alert, AlertKind, AlertScope, AlertState, StoredAlertRule } from '../../alerts.ts'
import type { ApiKey, Session } from '../../credentials.ts'
import type { DataKey } from '../../data-keys.ts'
import type { ActivePeriod } from '../../minutes.ts'
import type { DeliveryStatus, NotificationChannel, NotificationEvent, Suppression } from '../../notifications.ts'
import type { KeptAnswer, NewRequest } from '../../requests.ts'
import type { TenantSettings } from '../../settings.ts'
import { compareText, inOrderOf } from './compare.ts'
import { frozenCopy } from './frozen.ts'
import { OrderedSet } from './ordered-set.ts'
import { GroupedIndex, keyOf, Table, where } from './table.ts'

interface EventRow {
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

export interface AlertRow {
  readonly alert: Alert
  readonly isOpeningTold: boolean
  readonly isClosingTold: boolean
}

/** What a figure is known by. */
export function figureKey(figure: { tenant: string; scope: AlertScope; kind: AlertKind }): string {
  return keyOf(figure.tenant, figure.scope, figure.kind)
}

/** Alerts, by which rules, and where figures stand that may yet become one. */
export class AlertTables {
  readonly alerts = new Table<AlertRow>(({ alert }) => alert.id)
  /** The open alert of each job. */
  readonly openOfJob = new Map<string, string>()
  readonly rules = new Table<StoredAlertRule>(figureKey)
  readonly states = new Table<AlertState>(figureKey)
  /** When somebody looks at everything next, and when a node was last seen alive; null before the first look. */
  watch: { readonly dueAt: number; readonly aliveAt: number } | null = null

  open(alert: Alert): void {
    this.alerts.put({ alert: Object.freeze({ ...alert }), isOpeningTold: false, isClosingTold: false })
    if (alert.jobId !== null) this.openOfJob.set(alert.jobId, alert.id)
  }

  close(id: string, at: number, outcome: NonNullable<Alert['outcome']>): boolean {
    const row = this.alerts.get(id)
    if (row?.alert.closedAt !== null) return false
    const { alert } = row
    this.alerts.put({ ...row, alert: Object.freeze({ ...alert, closedAt: Math.max(at, alert.openedAt), outcome }) })
    if (alert.jobId !== null) this.openOfJob.delete(alert.jobId)
    return true
  }
}

export interface SettingsRow {
  readonly tenant: string
  /** How many of its executions may run at once stands with the limits of tenants. */
  readonly settings: Omit<TenantSettings, 'concurrency'>
  readonly version: number
}

export interface RequestRow extends Omit<NewRequest, 'takeoverMs'> {
  readonly begunAt: number
  readonly expiresAt: number
  /** null while somebody is at it. */
  readonly answer: KeptAnswer | null
}

export interface ActivePeriodRow extends ActivePeriod {
  readonly id: string
}

/** What a service keeps beside what an engine runs. */
export class ServiceTables {
  readonly settings = new Table<SettingsRow>((row) => row.tenant)
  /** Those in which a node lived. */
  readonly minutes = new Set<number>()
  readonly activePeriods = new Table<ActivePeriodRow>((row) => row.id)
  readonly notifications = new NotificationTables()
  readonly alerts = new AlertTables()
  readonly dataKeys = new Table<DataKey>(({ tenant, version }) => keyOf(tenant, version))
  readonly keys = new Table<ApiKey>((row) => row.id)
  readonly sessions = new Table<Session>((row) => row.secretHash)
  readonly requests = new Table<RequestRow>(({ tenant, userId, key }) => keyOf(tenant, userId, key))
}

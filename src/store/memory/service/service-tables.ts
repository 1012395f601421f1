import type { ApiKey, Session } from '../../credentials.ts'
import type { DataKey } from '../../data-keys.ts'
import type { ActivePeriod } from '../../minutes.ts'
import type { KeptAnswer, NewRequest } from '../../requests.ts'
import type { TenantSettings } from '../../settings.ts'
import { keyOf, Table } from '../schema/table.ts'
import { AlertTables } from './alert-tables.ts'
import { NotificationTables } from './notification-tables.ts'

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

import type { Alert, AlertKind, AlertScope, AlertState, StoredAlertRule } from '../../alerts.ts'
import { keyOf, Table } from '../schema/table.ts'

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

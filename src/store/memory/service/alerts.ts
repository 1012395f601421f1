import {
  ALERTS_KEPT_MS,
  type Alert,
  type AlertChange,
  type AlertFilter,
  type AlertState,
  type AlertStore,
  type Recoveries,
  type UntoldAlert,
} from '../../alerts.ts'
import { compareIds, compareText, inOrderOf } from '../schema/compare.ts'
import { frozenCopy } from '../schema/frozen.ts'
import { type AlertRow, type AlertTables, figureKey } from '../schema/service-tables.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'
import { watchAlerts } from './watch-alerts.ts'

export function alertStore(session: Session): AlertStore {
  return {
    watch: (everyMs, countTo) => session.statement((tables, now) => watchAlerts(tables, everyMs, countTo, now)),

    record: (changes) => session.statement(({ service }) => record(service.alerts, changes)),

    untold: (limit) => session.statement((tables) => untold(tables, limit)),

    tell: (told) =>
      session.statement(({ service: { alerts } }) => {
        for (const { id, news } of told) {
          const row = alerts.alerts.get(id)
          if (row) alerts.alerts.put({ ...row, [news === 'opened' ? 'isOpeningTold' : 'isClosingTold']: true })
        }
      }),

    list: (filter) => session.statement(({ service }) => list(service.alerts, filter)),

    rules: (tenant) =>
      session.statement(({ service }) =>
        [...service.alerts.rules.rows()]
          .filter((rule) => rule.tenant === tenant)
          .toSorted((a, b) => compareText(figureKey(a), figureKey(b))),
      ),

    putRule: ({ audit, ...rule }) =>
      session.statement(({ service, audit: log }, now) => {
        service.alerts.rules.put(frozenCopy(rule))
        if (audit) log.write({ ...audit, tenant: rule.tenant }, now)
      }),

    recoveries: (tenant, since) => session.statement(({ service }) => recoveries(service.alerts, tenant, since)),
  }
}

function record(alerts: AlertTables, changes: readonly AlertChange[]): string[] {
  const recorded: string[] = []
  for (const change of changes.toSorted((a, b) => compareText(figureKey(a), figureKey(b)))) {
    const { before, after, opens, closes } = change
    if (!isSame(alerts.states.get(figureKey(change)) ?? null, before)) continue
    if (after) alerts.states.put(frozenCopy(after))
    else alerts.states.take(figureKey(change))
    if (opens && !hasOpen(alerts, change)) {
      alerts.open(opens)
      recorded.push(opens.id)
    }
    if (closes && alerts.close(closes.id, closes.at, closes.outcome)) recorded.push(closes.id)
  }
  return recorded
}

function isSame(a: AlertState | null, b: AlertState | null): boolean {
  return a?.alertId === b?.alertId && a?.highSince === b?.highSince && a?.lowSince === b?.lowSince
}

function hasOpen(alerts: AlertTables, change: AlertChange): boolean {
  const key = figureKey(change)
  return [...alerts.alerts.rows()].some(({ alert }) => alert.closedAt === null && figureKey(alert) === key)
}

const oldestFirst = inOrderOf<AlertRow>(
  (a, b) => a.alert.openedAt - b.alert.openedAt,
  (a, b) => compareIds(a.alert.id, b.alert.id),
)

function untold({ service, jobs }: Tables, limit: number): UntoldAlert[] {
  const waiting = [...service.alerts.alerts.rows()].filter(
    ({ alert, isOpeningTold, isClosingTold }) => !isOpeningTold || (alert.closedAt !== null && !isClosingTold),
  )
  return waiting
    .toSorted(oldestFirst)
    .slice(0, limit)
    .map(({ alert, isOpeningTold }) => ({
      alert,
      news: isOpeningTold ? 'closed' : 'opened',
      jobName: (alert.jobId === null ? undefined : jobs.get(alert.jobId)?.name) ?? null,
    }))
}

type Place = NonNullable<AlertFilter['after']>

const inListOrder = inOrderOf<Place>(
  (a, b) => Number(b.isOpen) - Number(a.isOpen),
  (a, b) => b.openedAt - a.openedAt,
  (a, b) => compareIds(b.id, a.id),
)

function placeOf({ id, openedAt, closedAt }: Alert): Place {
  return { id, openedAt, isOpen: closedAt === null }
}

function list(alerts: AlertTables, { tenant, limit, isOpen, kind, after }: AlertFilter): Alert[] {
  const inOrder = [...alerts.alerts.rows()]
    .map(({ alert }) => alert)
    .filter((alert) => alert.tenant === tenant)
    .toSorted((a, b) => inListOrder(placeOf(a), placeOf(b)))
  return take(inOrder, limit, {
    where: (alert) =>
      (isOpen === undefined || (alert.closedAt === null) === isOpen) &&
      (kind === undefined || alert.kind === kind) &&
      (after === undefined || inListOrder(placeOf(alert), after) > 0),
  })
}

function recoveries(alerts: AlertTables, tenant: string | null, since: number): Recoveries {
  const lengths = [...alerts.alerts.rows()].flatMap(({ alert }) =>
    (tenant === null || alert.tenant === tenant) &&
    alert.outcome === 'recovered' &&
    alert.closedAt !== null &&
    alert.closedAt >= since
      ? [alert.closedAt - alert.openedAt]
      : [],
  )
  const sum = lengths.reduce((total, each) => total + each, 0)
  return { count: lengths.length, meanMs: lengths.length === 0 ? null : sum / lengths.length }
}

/** Removes those that were over long ago. */
export function removePastAlerts({ service: { alerts } }: Tables, now: number): void {
  for (const { alert } of alerts.alerts.rows()) {
    if (alert.closedAt !== null && alert.closedAt < now - ALERTS_KEPT_MS) alerts.alerts.take(alert.id)
  }
}

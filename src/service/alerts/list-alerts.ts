import { requirePermission } from '../../access/principal.ts'
import type { Alert } from '../../store/alerts.ts'
import type { Locale } from '../../time/locale.ts'
import { requireInteger } from '../../time/require.ts'
import { textsIn } from '../i18n/say.ts'
import type { AlertsPage, AlertView } from '../overview-answers.ts'
import { namesOfJobs } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { AlertQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import { ALERT_FACTS } from './alert-kinds.ts'
import { readRules, viewOfRule } from './alert-rules.ts'

/** Alerts of the tenant, open ones first and then the newest first, and by which rules they open. */
export async function listAlerts(scope: Scope, query: AlertQuery): Promise<AlertsPage> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store, cursors } = scope
  const { kind, isOpen, language = 'en' } = query
  const page = await pageOf(cursors, {
    limit: query.limit,
    cursor: query.cursor,
    scope: [tenant, 'alerts', kind ?? null, isOpen ?? null],
    // Whether it was open, as 2 or 1.
    shape: ['count', 'instant', 'id'],
    read: (limit, place) => store.alerts.list({ tenant, kind, isOpen, limit, after: place && placeFrom(place) }),
    placeOf: ({ id, openedAt, closedAt }) => [closedAt === null ? 2 : 1, openedAt, id],
  })
  const rules = await readRules(scope)
  return {
    ...page,
    items: await viewsOf(scope, page.items, language),
    rules: rules.map((rule) => viewOfRule(rule, language)),
  }
}

function placeFrom([isOpen, openedAt, id]: readonly (string | number | null)[]) {
  return { isOpen: isOpen === 2, openedAt: requireInteger(openedAt, 'cursor', 0), id: String(id) }
}

/** Those that are open now, for who looks at a glance. */
export async function openAlerts(scope: Scope, language: Locale, limit: number): Promise<AlertView[]> {
  const { tenant, store } = scope
  return await viewsOf(scope, await store.alerts.list({ tenant, isOpen: true, limit }), language)
}

async function viewsOf(scope: Scope, alerts: readonly Alert[], language: Locale): Promise<AlertView[]> {
  const names = await namesOfJobs(scope, alerts)
  return alerts.map((alert) => viewOfAlert(alert, names.get(alert.jobId ?? '') ?? null, language))
}

function viewOfAlert(alert: Alert, jobName: string | null, language: Locale): AlertView {
  const { id, kind, scope, jobId, executionId, value, threshold, since, openedAt, closedAt, outcome } = alert
  const { name, describe, action } = textsIn(language).alerts[kind]
  return {
    id,
    kind,
    scope,
    level: ALERT_FACTS[kind].level,
    name,
    description: describe(value ?? 0, threshold ?? 0),
    action,
    isOpen: closedAt === null,
    jobId,
    jobName,
    executionId,
    value,
    threshold,
    since: wireInstant(since),
    openedAt: wireInstant(openedAt),
    closedAt: wireInstant(closedAt),
    outcome,
  }
}

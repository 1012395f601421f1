import { HOUR_MS } from '../../../duration.ts'
import type { AlertFigures, GlobalFigures, TenantFigures } from '../../alerts.ts'
import { compareText } from '../schema/compare.ts'
import { figureKey } from '../schema/service-tables.ts'
import type { Tables } from '../schema/tables.ts'

/** Looks at everything, unless somebody else began to a moment ago. */
export function watchAlerts(tables: Tables, everyMs: number, countTo: number, now: number): AlertFigures | null {
  const { alerts } = tables.service
  if (alerts.watch !== null && alerts.watch.dueAt > now) return null
  const lastExpiry = Math.max(0, ...[...tables.nodes.rows()].map(({ expiresAt }) => Math.min(expiresAt, now)))
  const aliveAt = alerts.watch === null ? now : Math.max(alerts.watch.aliveAt, lastExpiry)
  alerts.watch = { dueAt: now + everyMs, aliveAt }
  closeUnwanted(tables, now)
  const rules = [...alerts.rules.rows()]
  const thresholds = rules.flatMap(({ kind, threshold }) => (kind === 'queueCongested' ? [2 * (threshold ?? 0)] : []))
  const tenants = tenantFigures(tables, Math.max(countTo, ...thresholds), now)
  return {
    now,
    tenants,
    global: globalFigures(tables, tenants, aliveAt, now),
    rules,
    states: [...alerts.states.rows()],
  }
}

/** Those whose job is gone, or that nobody wants any more. */
function closeUnwanted({ service: { alerts }, jobs }: Tables, now: number): void {
  for (const [jobId, id] of alerts.openOfJob) {
    const job = jobs.get(jobId)
    const tenant = alerts.alerts.get(id)?.alert.tenant ?? ''
    const rule = alerts.rules.get(figureKey({ tenant, scope: 'tenant', kind: 'jobFailed' }))
    if (rule?.isEnabled === false) alerts.close(id, now, 'disabled')
    else if (!job || job.status === 'DELETED') alerts.close(id, now, 'removed')
  }
}

function globalFigures(tables: Tables, tenants: readonly TenantFigures[], aliveAt: number, now: number): GlobalFigures {
  const alive = [...tables.nodes.rows()].filter(({ expiresAt }) => expiresAt > now)
  return {
    running: sum(alive.map(({ id }) => tables.leasesByNode.group(id)?.size ?? 0)),
    slots: sum(alive.map(({ slots }) => slots)),
    queued: sum(tenants.map(({ queued }) => queued)),
    liveNodes: alive.length,
    aliveAt: alive.length > 0 ? now : aliveAt,
  }
}

function tenantFigures(tables: Tables, countTo: number, now: number): TenantFigures[] {
  const waiting = new Map<string, number>()
  for (const { body } of tables.ready.rows()) waiting.set(body.tenant, (waiting.get(body.tenant) ?? 0) + 1)
  const tried = triedWithin(tables, now - HOUR_MS)
  return [...tables.tenants.names]
    .toSorted(compareText)
    .map((tenant) => {
      const { attempts = 0, timeouts = 0 } = tried.get(tenant) ?? {}
      return {
        tenant,
        running: tables.leasesByTenant.group(tenant)?.size ?? 0,
        limit: tables.tenants.limitOf(tenant),
        queued: Math.min(waiting.get(tenant) ?? 0, countTo),
        attempts: timeouts > 1 ? attempts : 0,
        timeouts: timeouts > 1 ? timeouts : 0,
      }
    })
    .filter(({ running, queued, attempts }) => running > 0 || queued > 0 || attempts > 0)
}

/** By tenant: how many attempts have ended since, and how many of them timed out. The last one of an execution is told by its result, but for one that was lost. */
function triedWithin(tables: Tables, since: number): Map<string, { attempts: number; timeouts: number }> {
  const tried = new Map<string, { attempts: number; timeouts: number }>()
  const count = (tenant: string, isTimeout: boolean) => {
    const { attempts, timeouts } = tried.get(tenant) ?? { attempts: 0, timeouts: 0 }
    tried.set(tenant, { attempts: attempts + 1, timeouts: timeouts + Number(isTimeout) })
  }
  for (const { body, status, startedAt, epoch } of tables.resultsByEnd.ascending((row) => row.finishedAt < since)) {
    const isLost = tables.attempts.get(body.id)?.some((attempt) => attempt.epoch === epoch) ?? false
    if (startedAt !== null && !isLost) count(body.tenant, status === 'TIMEOUT')
  }
  for (const [id, rows] of tables.attempts) {
    const tenant = tables.executions.get(id)?.tenant ?? ''
    for (const { record } of rows) if ((record.endedAt ?? 0) >= since) count(tenant, record.status === 'TIMEOUT')
  }
  return tried
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0)
}

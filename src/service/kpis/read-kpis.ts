import { requirePermission } from '../../access/principal.ts'
import { HOUR_MS } from '../../duration.ts'
import type { Measures } from '../../store/executions.ts'
import type { Locale } from '../../time/locale.ts'
import { textsIn } from '../i18n/say.ts'
import { readTenant } from '../jobs/commands/run-job.ts'
import type { KpisView, KpiView, PunctualityView } from '../overview-answers.ts'
import type { KpiQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { isMet, KPI_KEYS, KPIS, type KpiFigures, nextMinute } from './kpi.ts'

export const USUAL_HOURS = 24
/** A busy tenant may have more; then the newest tell. */
const MEASURED = 100_000

/** The eight KPIs of a tenant over the last hours, and how punctual its jobs were. */
export async function readKpis(scope: Scope, query: KpiQuery = {}): Promise<KpisView> {
  requirePermission(scope.principal, 'jobs:read')
  const { windowHours = USUAL_HOURS, language = 'en' } = query
  const figures = await readFigures(scope, windowHours)
  return {
    items: viewOfKpis(figures, windowHours, language),
    punctuality: viewOfPunctuality(figures.measures, windowHours),
  }
}

const underWay = new WeakMap<object, Map<string, Promise<KpiFigures>>>()

/** Over many executions it takes a while: whoever asks while the same is read for somebody else is given that. */
export async function readFigures(scope: Scope, windowHours: number): Promise<KpiFigures> {
  const { opened, tenant } = scope
  const asked = underWay.get(opened) ?? new Map<string, Promise<KpiFigures>>()
  underWay.set(opened, asked)
  const key = `${windowHours} ${tenant}`
  const figures = asked.get(key) ?? figuresOf(scope, windowHours).finally(() => asked.delete(key))
  asked.set(key, figures)
  return await figures
}

async function figuresOf(scope: Scope, windowHours: number): Promise<KpiFigures> {
  const { tenant, store } = scope
  const until = scope.now()
  const since = until - windowHours * HOUR_MS
  const [measures, minutes, own, nodes, notifications, recoveries] = await Promise.all([
    store.executions.measure({ tenant, since, limit: MEASURED }),
    store.minutes.count(nextMinute(since)),
    readTenant(scope),
    store.nodes.list(),
    store.notifications.summary(tenant, since),
    store.alerts.recoveries(tenant, since),
  ])
  // Whom nothing limits may use all there are.
  const slots = nodes.filter(({ isAlive }) => isAlive).reduce((sum, node) => sum + node.slots, 0)
  const workers = own.limit ?? slots
  return { since, until, measures, workers, minutes, notifications, meanRecoveryMs: recoveries.meanMs }
}

export function viewOfKpis(figures: KpiFigures, windowHours: number, language: Locale): readonly KpiView[] {
  const { names, formulas } = textsIn(language).kpis
  return KPI_KEYS.map((key) => {
    const { unit, target, measure } = KPIS[key]
    const value = measure(figures)
    const shown = value === null ? null : rounded(value)
    return {
      key,
      name: names[key],
      value: shown,
      unit,
      target,
      isMet: isMet(value, target),
      formula: formulas[key],
      windowHours,
    }
  })
}

export function viewOfPunctuality({ lateness }: Measures, windowHours: number): PunctualityView {
  const { count, onTime, ...percentiles } = lateness
  return { windowHours, executions: count, onTimeRate: count === 0 ? null : onTime / count, ...percentiles }
}

/** As far as anybody reads: one of a million is seen, and nothing is 0.30000000000000004. */
function rounded(value: number): number {
  return Math.round(value * 1_000_000) / 1_000_000
}

import type { AlertChange, AlertFigures, AlertKind, AlertRule, AlertScope, AlertState } from '../../store/alerts.ts'
import { ALERT_FACTS, clearAtOf } from './alert-kinds.ts'

/** Below so many attempts a share of them says nothing. */
const FEWEST_ATTEMPTS = 10

interface FigureKey {
  readonly tenant: string
  readonly scope: AlertScope
  readonly kind: AlertKind
}

interface Figure extends FigureKey {
  readonly value: number
  /** What it is held against where no threshold is settled; null: nothing. */
  readonly capacity: number | null
  /** Since when it has been so, where that is known. */
  readonly since?: number | undefined
}

export interface EvaluateOptions {
  /** Whose the alerts about all tenants together are. */
  readonly operator: string
  readonly newId: () => string
  /** What the audit log of this month takes, where it is not archived yet. */
  readonly auditBytes: number
}

/** What becomes of everything that is watched. */
export function evaluate(figures: AlertFigures, options: EvaluateOptions): AlertChange[] {
  const { operator, newId } = options
  const rules = new Map(figures.rules.map((rule) => [keyOf(rule), rule]))
  const states = new Map(figures.states.map((state) => [keyOf(state), state]))
  const measured = measuredIn(figures, options)
  const known = new Set(measured.map(keyOf))
  // What is not measured any more is low.
  const gone = figures.states
    .filter((state) => !known.has(keyOf(state)) && (state.scope === 'tenant' || state.tenant === operator))
    .map(({ tenant, scope, kind }): Figure => ({ tenant, scope, kind, value: 0, capacity: null }))
  return [...measured, ...gone].flatMap((figure) => {
    const rule = rules.get(keyOf(figure)) ?? ALERT_FACTS[figure.kind].rule
    return changeOf(figure, rule, states.get(keyOf(figure)) ?? null, { now: figures.now, newId })
  })
}

function keyOf({ tenant, scope, kind }: FigureKey): string {
  return JSON.stringify([tenant, scope, kind])
}

function measuredIn({ now, tenants, global }: AlertFigures, { operator, auditBytes }: EvaluateOptions): Figure[] {
  const ofTenants = tenants.flatMap(({ tenant, running, limit, queued, attempts, timeouts }): Figure[] => [
    { tenant, scope: 'tenant', kind: 'workersSaturated', value: running, capacity: limit },
    { tenant, scope: 'tenant', kind: 'queueCongested', value: queued, capacity: null },
    {
      tenant,
      scope: 'tenant',
      kind: 'timeoutsFrequent',
      value: attempts < FEWEST_ATTEMPTS ? 0 : timeouts / attempts,
      capacity: null,
    },
  ])
  const own = { tenant: operator, scope: 'global', capacity: null } as const
  const silentSeconds = Math.max(0, now - global.aliveAt) / 1_000
  return [
    ...ofTenants,
    { ...own, kind: 'workersSaturated', value: global.running, capacity: global.slots },
    { ...own, kind: 'queueCongested', value: global.queued },
    { ...own, kind: 'schedulerUnavailable', value: silentSeconds, since: global.aliveAt },
    { ...own, kind: 'auditFull', value: auditBytes },
  ]
}

function changeOf(
  figure: Figure,
  rule: AlertRule,
  before: AlertState | null,
  { now, newId }: { readonly now: number; readonly newId: () => string },
): AlertChange[] {
  const was = stateOf(before)
  const watched = watchedOf(figure, rule)
  const next = nextState(watched, was, now)
  if (next.isOpen === was.isOpen && next.highSince === was.highSince && next.lowSince === was.lowSince) return []
  const { tenant, scope, kind, value } = figure
  const key = { tenant, scope, kind }
  const opens = next.isOpen && !was.isOpen
  const alertId = opens ? newId() : next.isOpen ? (before?.alertId ?? null) : null
  const after = next === WELL ? null : { ...key, alertId, highSince: next.highSince, lowSince: next.lowSince }
  const change: AlertChange = { ...key, before, after }
  if (opens && alertId !== null) {
    const since = figure.since ?? next.highSince ?? now
    const none = { jobId: null, executionId: null, closedAt: null, outcome: null }
    return [
      {
        ...change,
        opens: { ...key, ...none, id: alertId, value, threshold: watched.threshold, since, openedAt: now },
      },
    ]
  }
  if (next.isOpen || before === null || before.alertId === null) return [change]
  const outcome = rule.isEnabled ? 'cleared' : 'disabled'
  return [{ ...change, closes: { id: before.alertId, at: now, outcome } }]
}

function stateOf(state: AlertState | null): FigureState {
  if (state === null) return WELL
  return { isOpen: state.alertId !== null, highSince: state.highSince, lowSince: state.lowSince }
}

/** What has nothing to be held against is never too high. */
function watchedOf({ kind, value, capacity }: Figure, rule: AlertRule): Watched {
  const settled = rule.threshold ?? ALERT_FACTS[kind].rule.threshold ?? capacity
  const threshold = settled !== null && settled > 0 ? settled : Number.POSITIVE_INFINITY
  return {
    value,
    threshold,
    isExclusive: ALERT_FACTS[kind].isExclusive,
    clearAt: clearAtOf(rule, threshold),
    holdMs: rule.holdSeconds * 1_000,
    clearMs: rule.clearSeconds * 1_000,
    isEnabled: rule.isEnabled,
  }
}

/** A figure, and what it is held against. */
export interface Watched {
  readonly value: number
  readonly threshold: number
  /** Whether it has to be more than the threshold, and not just as much. */
  readonly isExclusive: boolean
  /** An open alert closes once the value has stayed below this. */
  readonly clearAt: number
  readonly holdMs: number
  readonly clearMs: number
  readonly isEnabled: boolean
}

/** Where a figure stands. */
export interface FigureState {
  readonly isOpen: boolean
  /** Since when it is too high, or was when its alert opened. */
  readonly highSince: number | null
  /** Since when it has been low while its alert is open. */
  readonly lowSince: number | null
}

export const WELL: FigureState = { isOpen: false, highSince: null, lowSince: null }

/**
 * What becomes of a figure's alert. It opens once the figure has been too high for a while without a break, and closes once it has been low for a while without
 * a break: what goes up and down between the two changes nothing.
 */
export function nextState(watched: Watched, state: FigureState, now: number): FigureState {
  if (!watched.isEnabled) return WELL
  return state.isOpen ? whileOpen(watched, state, now) : whileClosed(watched, state, now)
}

function whileClosed(watched: Watched, { highSince }: FigureState, now: number): FigureState {
  if (!isHigh(watched)) return WELL
  const since = highSince ?? now
  return { isOpen: now - since >= watched.holdMs, highSince: since, lowSince: null }
}

function whileOpen({ value, clearAt, clearMs }: Watched, state: FigureState, now: number): FigureState {
  if (value >= clearAt) return { ...state, lowSince: null }
  const lowSince = state.lowSince ?? now
  return now - lowSince >= clearMs ? WELL : { ...state, lowSince }
}

function isHigh({ value, threshold, isExclusive }: Watched): boolean {
  return isExclusive ? value > threshold : value >= threshold
}

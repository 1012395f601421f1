import { ForbiddenError } from '../../access/errors.ts'
import { requireWholeProfile } from '../../access/principal.ts'
import {
  ALERT_KINDS,
  type AlertKind,
  type AlertRule,
  type AlertScope,
  type StoredAlertRule,
} from '../../store/alerts.ts'
import type { Locale } from '../../time/locale.ts'
import { requireOneOf } from '../../time/require.ts'
import { FieldProblems, FieldRefusal, pointerTo } from '../field-problems.ts'
import { textsIn } from '../i18n/say.ts'
import type { AlertRuleView } from '../overview-answers.ts'
import type { AlertRuleUpdate } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { readFlag, readInteger } from '../sent-values.ts'
import { ALERT_FACTS } from './alert-kinds.ts'

/** The longest that anything has to hold or to be clear: a week. */
const MAX_SECONDS = 604_800

/** The rules that hold for a tenant, also those that nobody has settled; about all tenants together only for the operator's. */
export async function readRules({ tenant, store, opened }: Scope): Promise<StoredAlertRule[]> {
  const stored = await store.alerts.rules(tenant)
  const isOperator = tenant === opened.options.tenant
  return ALERT_KINDS.flatMap((kind) =>
    ALERT_FACTS[kind].scopes
      .filter((scope) => scope === 'tenant' || isOperator)
      .map((scope) => stored.find((rule) => rule.kind === kind && rule.scope === scope) ?? usual(tenant, scope, kind)),
  )
}

function usual(tenant: string, scope: AlertScope, kind: AlertKind): StoredAlertRule {
  return { tenant, scope, kind, ...ALERT_FACTS[kind].rule }
}

export function viewOfRule(rule: StoredAlertRule, language: Locale): AlertRuleView {
  const { kind, scope, isEnabled, threshold, clearAt, holdSeconds, clearSeconds } = rule
  const { level } = ALERT_FACTS[kind]
  const { name } = textsIn(language).alerts[kind]
  return { kind, scope, level, name, isEnabled, threshold, clearAt, holdSeconds, clearSeconds }
}

/** Changes what is sent of a rule; the rest stays. A threshold that is null is the usual one. */
export async function changeAlertRule(
  scope: Scope,
  kind: AlertKind,
  change: AlertRuleUpdate,
  language: Locale = 'en',
): Promise<AlertRuleView> {
  requireWholeProfile(scope.principal, 'Admin')
  requireOneOf(kind, 'kind', ALERT_KINDS)
  const own = change.scope ?? ALERT_FACTS[kind].scopes[0] ?? 'tenant'
  const before = (await readRules(scope)).find((rule) => rule.kind === kind && rule.scope === own)
  if (!before) throw notWatched(kind, own)
  const rule = { ...before, ...readRule(before, change) }
  await scope.store.alerts.putRule({
    ...rule,
    audit: {
      operation: 'JOBS_ALERT_UPDATE',
      userId: scope.by.userId,
      jobId: null,
      executionId: null,
      oldValues: toldOf(before),
      newValues: toldOf(rule),
    },
  })
  return viewOfRule(rule, language)
}

function notWatched(kind: AlertKind, scope: AlertScope): ForbiddenError {
  const message = `The alert ${kind} is not watched for this tenant (${scope}): it is the operator's.`
  return new ForbiddenError('alert.not_watched', message, { kind, scope })
}

function toldOf({ kind, scope, isEnabled, threshold, clearAt, holdSeconds, clearSeconds }: StoredAlertRule) {
  return { kind, scope, isEnabled, threshold, clearAt, holdSeconds, clearSeconds }
}

function readRule({ kind, ...before }: StoredAlertRule, change: AlertRuleUpdate): AlertRule {
  const problems = new FieldProblems()
  const read = <Name extends keyof AlertRule>(name: Name, reader: (value: unknown) => AlertRule[Name]) =>
    change[name] === undefined
      ? before[name]
      : (problems.read(pointerTo(name), 'value_unknown', () => reader(change[name])) ?? before[name])
  const seconds = (name: string) => (value: unknown) => readInteger(value, name, 0, MAX_SECONDS)
  const usualThreshold = ALERT_FACTS[kind].rule.threshold
  const rule = {
    isEnabled: read('isEnabled', (value) => readFlag(value, 'isEnabled')),
    threshold: read('threshold', (value) => (value === null ? usualThreshold : readThreshold(kind, value))),
    holdSeconds: read('holdSeconds', seconds('holdSeconds')),
    clearSeconds: read('clearSeconds', seconds('clearSeconds')),
  }
  const clearAt = read('clearAt', (value) => (value === null ? null : readClearAt(value, rule.threshold)))
  problems.throwIfAny()
  return { ...rule, clearAt: clearAt !== null && rule.threshold !== null ? Math.min(clearAt, rule.threshold) : clearAt }
}

function readThreshold(kind: AlertKind, value: unknown): number {
  const { bounds } = ALERT_FACTS[kind]
  if (bounds === null) {
    throw new FieldRefusal('out_of_range', `threshold must be null: ${kind} has none, got ${String(value)}.`, {
      case: 'none',
      name: 'threshold',
      received: value,
    })
  }
  const { min, max, isWhole } = bounds
  return isWhole ? readInteger(value, 'threshold', min, max) : readNumber(value, 'threshold', min, max)
}

/** It closes below a mark that is no higher than the one at which it opens. */
function readClearAt(value: unknown, threshold: number | null): number {
  return readNumber(value, 'clearAt', 0, threshold ?? 1e15)
}

function readNumber(value: unknown, name: string, min: number, max: number): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) return readInteger(value, name, min, max)
  if (value >= min && value <= max) return value
  const bound = value < min ? { min } : { max }
  const message = `${name} must be at ${value < min ? `least ${min}` : `most ${max}`}, got ${value}.`
  throw new FieldRefusal('out_of_range', message, { name, ...bound, received: value })
}

import type { AuditDraft } from '../access/audit.ts'

/** What is watched. Stored: a name is for ever. */
export const ALERT_KINDS = [
  'jobFailed',
  'workersSaturated',
  'queueCongested',
  'timeoutsFrequent',
  'schedulerUnavailable',
  'auditFull',
] as const

/** How long those are kept that are over. */
export const ALERTS_KEPT_MS = 365 * 86_400_000

export type AlertKind = (typeof ALERT_KINDS)[number]

/** `tenant`: about what is the tenant's own. `global`: about all tenants together; only the operator's tenant has those. */
export type AlertScope = 'tenant' | 'global'

/** `recovered`: the job has succeeded. `cleared`: the figure has been low for long enough. `removed`: the job is gone. `disabled`: it is not watched any more. */
export type AlertOutcome = 'recovered' | 'cleared' | 'removed' | 'disabled'

/** Something that was wrong, from when it was noticed until it was over. */
export interface Alert {
  readonly id: string
  readonly tenant: string
  readonly scope: AlertScope
  readonly kind: AlertKind
  /** Of `jobFailed`: the job, and the execution that failed first. */
  readonly jobId: string | null
  readonly executionId: string | null
  /** What was measured when it opened, and what it was held against; null for `jobFailed`. */
  readonly value: number | null
  readonly threshold: number | null
  /** Since when the condition held. */
  readonly since: number
  readonly openedAt: number
  /** null: it is open. */
  readonly closedAt: number | null
  readonly outcome: AlertOutcome | null
}

/** When an alert opens and closes. */
export interface AlertRule {
  readonly isEnabled: boolean
  /** null: of `workersSaturated`, as many as may run at once; of `jobFailed` there is none. */
  readonly threshold: number | null
  /** It closes below this; null: four fifths of the threshold. */
  readonly clearAt: number | null
  readonly holdSeconds: number
  readonly clearSeconds: number
}

export interface StoredAlertRule extends AlertRule {
  readonly tenant: string
  readonly scope: AlertScope
  readonly kind: AlertKind
}

export interface AlertRuleChange extends StoredAlertRule {
  readonly audit?: AuditDraft | undefined
}

/** Where a figure stands that is not simply well: since when it has been too high, or low again while its alert is open. */
export interface AlertState {
  readonly tenant: string
  readonly scope: AlertScope
  readonly kind: AlertKind
  /** The open alert; null while it may yet open. */
  readonly alertId: string | null
  readonly highSince: number | null
  readonly lowSince: number | null
}

/** What is watched, at an instant. Tenants of which nothing runs, waits or has timed out are left out. */
export interface AlertFigures {
  readonly now: number
  readonly tenants: readonly TenantFigures[]
  readonly global: GlobalFigures
  /** Those that tenants have stored. */
  readonly rules: readonly StoredAlertRule[]
  readonly states: readonly AlertState[]
}

export interface TenantFigures {
  readonly tenant: string
  readonly running: number
  /** How many may run at once; null: any number. */
  readonly limit: number | null
  /** How many could be claimed now; counted up to `countTo`, or twice the largest threshold there is. */
  readonly queued: number
  /** Attempts that ended within the last hour, or a sample of them, and how many of these timed out; both 0 where fewer than two did. */
  readonly attempts: number
  readonly timeouts: number
}

export interface GlobalFigures {
  /** What runs on nodes that live, and how much of it could. */
  readonly running: number
  readonly slots: number
  readonly queued: number
  readonly liveNodes: number
  /** When a node that lives was last seen by whoever looked; now, where one lives. */
  readonly aliveAt: number
}

/** What becomes of a figure: of its state (absent: all is well, nothing is kept), and of its alert. */
export interface AlertChange {
  readonly tenant: string
  readonly scope: AlertScope
  readonly kind: AlertKind
  /** As it was seen; a change of what is otherwise by now is left out. */
  readonly before: AlertState | null
  readonly after: AlertState | null
  readonly opens?: Alert | undefined
  readonly closes?: { readonly id: string; readonly at: number; readonly outcome: AlertOutcome } | undefined
}

export interface AlertFilter {
  readonly tenant: string
  readonly limit: number
  /** Only open ones. */
  readonly isOpen?: boolean | undefined
  readonly kind?: AlertKind | undefined
  /** Continue after this one, in the order of the list. */
  readonly after?: { readonly isOpen: boolean; readonly openedAt: number; readonly id: string } | undefined
}

export interface TenantAlertStore {
  /** Open ones first, and then the newest first. */
  list(filter: AlertFilter): Promise<Alert[]>
  /** The rules that a tenant has stored. */
  rules(tenant: string): Promise<StoredAlertRule[]>
  putRule(change: AlertRuleChange): Promise<void>
  /** How many failed jobs of a tenant, or of all (null), have succeeded again since an instant, and how long that took: from the first failure to the next success. */
  recoveries(tenant: string | null, since: number): Promise<Recoveries>
}

export interface AlertStore extends TenantAlertStore {
  /**
   * Looks at everything, unless somebody else began to less than `everyMs` ago: then null. Alerts of failed jobs open and close by themselves, in the
   * transaction of the end; those whose job is gone, or that nobody wants any more, are closed here.
   */
  watch(everyMs: number, countTo: number): Promise<AlertFigures | null>
  /** Keeps where figures stand, opens alerts and closes them. Gives the ids of those that were: what another has changed meanwhile is left out. */
  record(changes: readonly AlertChange[]): Promise<string[]>
  /** Alerts that have opened or closed, which nobody has been told yet, the oldest first. */
  untold(limit: number): Promise<UntoldAlert[]>
  /** From now on these have been told. */
  tell(told: readonly Telling[]): Promise<void>
}

type Telling = { readonly id: string; readonly news: 'opened' | 'closed' }

export interface UntoldAlert {
  readonly alert: Alert
  readonly news: 'opened' | 'closed'
  /** Of `jobFailed`: the name of the job, where it is known. */
  readonly jobName: string | null
}

export interface Recoveries {
  readonly count: number
  readonly meanMs: number | null
}

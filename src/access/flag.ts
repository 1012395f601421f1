/** What can be switched off for a tenant. A key is for ever. */
export const FLAGS = ['JOBS_SCHEDULING', 'HANGFIRE_DASHBOARD', 'JOB_RETRY_POLICY', 'JOB_NOTIFICATIONS'] as const

/**
 * `JOBS_SCHEDULING`: jobs fire and executions are claimed. `HANGFIRE_DASHBOARD`: the dashboard answers. `JOB_RETRY_POLICY`: a failed attempt is tried again.
 * `JOB_NOTIFICATIONS`: mails and webhooks are sent.
 */
export type Flag = (typeof FLAGS)[number]

/** Who has the say: nobody (or the default of the operator), the tenant's own setting, or the provider of flags that the operator has connected. */
export type FlagSource = 'default' | 'stored' | 'provider'

export interface FlagState {
  readonly isEnabled: boolean
  readonly source: FlagSource
}

/** All of them, as they hold for one tenant. */
export type Flags = Readonly<Record<Flag, FlagState>>

/** What each of those who may have a say answers; null where it says nothing. */
export interface FlagAnswers {
  readonly provided: boolean | null
  readonly stored: boolean | null
  /** What holds for all tenants. */
  readonly common: boolean | null
}

/** The provider has the last word, then the tenant, then the default for all; what nobody speaks of is on. */
export function flagState({ provided, stored, common }: FlagAnswers): FlagState {
  if (provided !== null) return { isEnabled: provided, source: 'provider' }
  if (stored !== null) return { isEnabled: stored, source: 'stored' }
  return { isEnabled: common ?? true, source: 'default' }
}

export function flagsFrom(answersOf: (flag: Flag) => FlagAnswers): Flags {
  return {
    JOBS_SCHEDULING: flagState(answersOf('JOBS_SCHEDULING')),
    HANGFIRE_DASHBOARD: flagState(answersOf('HANGFIRE_DASHBOARD')),
    JOB_RETRY_POLICY: flagState(answersOf('JOB_RETRY_POLICY')),
    JOB_NOTIFICATIONS: flagState(answersOf('JOB_NOTIFICATIONS')),
  }
}

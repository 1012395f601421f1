import { type FaultRule, faultRule } from '../job/job-definition.ts'
import { requireBoolean, requireInteger, requireOneOf, requireOptions, requireText } from '../time/require.ts'
import { type PingOptions, type PingRules, pingRules } from './alerts/dead-mans-ping.ts'
import { type FlagOptions, type FlagRules, flagRules } from './flags/flag-options.ts'
import { type MailOptions, type MailRules, mailRules, publicUrlOf } from './notifications/mail-options.ts'
import { type OutboundOptions, type OutboundRules, outboundRules } from './outbound/target.ts'

/** Limits of tenants, whom the service tells what, and what it does by itself. */
export interface ServiceOptions {
  /** Signs the cursors of lists; the same on every node of the service. Without it they are checked for damage and misuse only. */
  readonly cursorSecret?: string | undefined
  /** How many executions of each tenant may run at once that has settled nothing for itself. Default 10; the `tenantConcurrency` of the application goes before it. */
  readonly tenantConcurrency?: number | undefined
  /** The largest concurrency that a tenant's Admin may set. Default 100, or `tenantConcurrency` if that is larger. */
  readonly maxTenantConcurrency?: number | undefined
  /** How many jobs a tenant may have. Default 10,000. */
  readonly jobsPerTenant?: number | undefined
  /** How many jobs of a tenant may fire more often than once a minute. Default 100. */
  readonly frequentJobsPerTenant?: number | undefined
  /** How many executions of a tenant may wait to begin before nobody can ask for another; what its jobs fire by themselves is not refused. Default 100,000. */
  readonly queuedPerTenant?: number | undefined
  /** How many API keys a tenant may have that hold. Default 1,000. */
  readonly keysPerTenant?: number | undefined
  /** The mail server that people are told through. Default: none, so that this process sends no mail. */
  readonly mail?: MailOptions | undefined
  /** Where people find the service, such as `https://jobs.example.com`: links in mails go there. Default: mails have no links. */
  readonly publicUrl?: string | undefined
  /** Where webhooks may go. Default: any public host. */
  readonly webhooks?: OutboundOptions | undefined
  /**
   * Whether the database itself has to keep tenants apart. Default `required`: where it cannot, because it was not set up for that, the service does not
   * begin, and says what to do. `preferred`: then Pontual alone keeps them apart.
   */
  readonly isolation?: 'required' | 'preferred' | undefined
  /** What can be switched off, by default and by whom. Default: what tenants have stored, and all on. */
  readonly flags?: FlagOptions | undefined
  /** An address outside that is asked as long as all is well: who listens there takes silence for trouble. Default: none. */
  readonly deadMansPing?: PingOptions | undefined
  /**
   * Which Admins can loosen an approval rule of their tenant, such as allowing self-approval. Default `secondAdmin`: the change is pending until an Admin approves
   * it who did not request it. `oneAdmin`: it holds at once.
   */
  readonly approvalRules?: 'secondAdmin' | 'oneAdmin' | undefined
  /** Whether a job that was made over the API stops firing while it is FAULTED, or continues, if its job type does not say. Default `stop`. */
  readonly onFaulted?: FaultRule | undefined
  /** Whether this process does what the service does by itself: sends notifications, watches for alerts, follows flags. Default true. */
  readonly duties?: boolean | undefined
}

export interface ServiceRules {
  readonly cursorSecret: string | undefined
  readonly tenantConcurrency: number
  readonly maxTenantConcurrency: number | null
  readonly jobsPerTenant: number
  readonly frequentJobsPerTenant: number
  readonly queuedPerTenant: number
  readonly keysPerTenant: number
  readonly mail: MailRules | null
  readonly publicUrl: string | null
  readonly webhooks: OutboundRules
  readonly isolation: 'required' | 'preferred'
  readonly flags: FlagRules
  readonly approvalRules: 'secondAdmin' | 'oneAdmin'
  readonly deadMansPing: PingRules | null
  readonly onFaulted: FaultRule
  readonly hasDuties: boolean
}

const MAX_CONCURRENCY = 100_000
const MAX_QUOTA = 1_000_000
const MAX_QUEUED = 100_000_000

/** The options of a service, checked and complete. */
export function serviceRules(options: ServiceOptions = {}): ServiceRules {
  requireOptions(options, 'Service options', [
    'cursorSecret',
    'tenantConcurrency',
    'maxTenantConcurrency',
    'jobsPerTenant',
    'frequentJobsPerTenant',
    'queuedPerTenant',
    'keysPerTenant',
    'mail',
    'publicUrl',
    'webhooks',
    'isolation',
    'deadMansPing',
    'flags',
    'approvalRules',
    'onFaulted',
    'duties',
  ])
  const { cursorSecret, tenantConcurrency = 10, jobsPerTenant = 10_000, keysPerTenant = 1_000 } = options
  return {
    cursorSecret: cursorSecret === undefined ? undefined : requireText(cursorSecret, 'cursorSecret'),
    tenantConcurrency: requireInteger(tenantConcurrency, 'tenantConcurrency', 0, MAX_CONCURRENCY),
    maxTenantConcurrency:
      options.maxTenantConcurrency === undefined
        ? null
        : requireInteger(options.maxTenantConcurrency, 'maxTenantConcurrency', 1, MAX_CONCURRENCY),
    jobsPerTenant: requireInteger(jobsPerTenant, 'jobsPerTenant', 1, MAX_QUOTA),
    frequentJobsPerTenant: requireInteger(options.frequentJobsPerTenant ?? 100, 'frequentJobsPerTenant', 0, MAX_QUOTA),
    queuedPerTenant: requireInteger(options.queuedPerTenant ?? 100_000, 'queuedPerTenant', 1, MAX_QUEUED),
    keysPerTenant: requireInteger(keysPerTenant, 'keysPerTenant', 1, MAX_QUOTA),
    mail: options.mail === undefined ? null : mailRules(options.mail),
    publicUrl: options.publicUrl === undefined ? null : publicUrlOf(options.publicUrl),
    webhooks: outboundRules(options.webhooks),
    isolation: requireOneOf(options.isolation ?? 'required', 'isolation', ['required', 'preferred']),
    flags: flagRules(options.flags),
    approvalRules: requireOneOf(options.approvalRules ?? 'secondAdmin', 'approvalRules', ['secondAdmin', 'oneAdmin']),
    deadMansPing: pingRules(options.deadMansPing),
    onFaulted: faultRule(options.onFaulted ?? 'stop'),
    hasDuties: requireBoolean(options.duties ?? true, 'duties'),
  }
}

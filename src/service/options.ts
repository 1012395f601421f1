import { requireInteger, requireOneOf, requireOptions, requireText } from '../time/require.ts'
import { type OutboundOptions, type OutboundRules, outboundRules } from './outbound/target.ts'

export interface ServiceOptions {
  /** Signs the cursors of lists; the same on every node of the service. Without it they are checked for damage and misuse only. */
  readonly cursorSecret?: string | undefined
  /** How many executions of each tenant may run at once that has settled nothing for itself. Default 10; the `tenantConcurrency` of the application goes before it. */
  readonly tenantConcurrency?: number | undefined
  /** How many jobs a tenant may have. Default 10,000. */
  readonly jobsPerTenant?: number | undefined
  /** How many API keys a tenant may have that hold. Default 1,000. */
  readonly keysPerTenant?: number | undefined
  /** Where webhooks may go. Default: any public host. */
  readonly webhooks?: OutboundOptions | undefined
  /**
   * Whether the database itself has to keep tenants apart. Default `required`: where it cannot, because it was not set up for that, the service does not
   * begin, and says what to do. `preferred`: then Pontual alone keeps them apart.
   */
  readonly isolation?: 'required' | 'preferred' | undefined
}

export interface ServiceRules {
  readonly cursorSecret: string | undefined
  readonly tenantConcurrency: number
  readonly jobsPerTenant: number
  readonly keysPerTenant: number
  readonly webhooks: OutboundRules
  readonly isolation: 'required' | 'preferred'
}

const MAX_CONCURRENCY = 100_000
const MAX_QUOTA = 1_000_000

/** The options of a service, checked and complete. */
export function serviceRules(options: ServiceOptions = {}): ServiceRules {
  requireOptions(options, 'Service options', [
    'cursorSecret',
    'tenantConcurrency',
    'jobsPerTenant',
    'keysPerTenant',
    'webhooks',
    'isolation',
  ])
  const { cursorSecret, tenantConcurrency = 10, jobsPerTenant = 10_000, keysPerTenant = 1_000 } = options
  return {
    cursorSecret: cursorSecret === undefined ? undefined : requireText(cursorSecret, 'cursorSecret'),
    tenantConcurrency: requireInteger(tenantConcurrency, 'tenantConcurrency', 0, MAX_CONCURRENCY),
    jobsPerTenant: requireInteger(jobsPerTenant, 'jobsPerTenant', 1, MAX_QUOTA),
    keysPerTenant: requireInteger(keysPerTenant, 'keysPerTenant', 1, MAX_QUOTA),
    webhooks: outboundRules(options.webhooks),
    isolation: requireOneOf(options.isolation ?? 'required', 'isolation', ['required', 'preferred']),
  }
}

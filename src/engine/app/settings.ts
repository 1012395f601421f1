import { hostname } from 'node:os'
import { type Duration, parseDuration } from '../../duration.ts'
import { InvalidInputError } from '../../errors.ts'
import { requireName } from '../../job/name.ts'
import { type RetryOptions, type RetryRules, retryRules } from '../../job/rules/retry.ts'
import { DEFAULT_QUEUE, timeoutOf } from '../../job/type/job-type.ts'
import { requireInteger, requireList, requireOptions } from '../../time/require.ts'

/** What this process is as a node. */
export interface NodeOptions {
  /** As it is shown to people. Default: host name and process id. */
  readonly name?: string | undefined
  /** How many executions run at once. Default 10. */
  readonly slots?: number | undefined
  /** The queues it takes from. Default: those of its job types, and `default`. */
  readonly queues?: readonly string[] | undefined
}

/** How the engine runs: its node, its leases, its limits. */
export interface EngineOptions {
  /** What this process is as a node. */
  readonly node?: NodeOptions | undefined
  /** How long a node may be silent before its work is given to others. Default 30 seconds. */
  readonly staleThreshold?: Duration | undefined
  /** How often nodes look for such work. Default 5 seconds. */
  readonly staleCheckInterval?: Duration | undefined
  /** How often a node renews its lease. Default 5 seconds, or a third of `staleThreshold` if that is shorter; at most half of it. */
  readonly renewalInterval?: Duration | undefined
  /** How often the store is asked for work although nothing hinted at it. Default 1 second. */
  readonly pollInterval?: Duration | undefined
  /** How long running work may take to finish when the node stops. Default 30 seconds. */
  readonly shutdownGrace?: Duration | undefined
  /** The timeout of jobs that have none of their own. Default: none. */
  readonly defaultTimeout?: Duration | undefined
  /** The retries of jobs that have none of their own. Default 3, after 1, 2 and 4 minutes. */
  readonly defaultRetry?: RetryOptions | undefined
}

const DEFAULT_SLOTS = 10
const MAX_SLOTS = 10_000
const DEFAULT_LEASE_MS = 30_000
const DEFAULT_INTERVAL_MS = 5_000

/** Settings of a node, checked and complete. */
export interface EngineSettings {
  readonly nodeName: string
  readonly slots: number
  readonly queues: readonly string[]
  readonly leaseMs: number
  readonly renewalMs: number
  readonly staleCheckMs: number
  readonly pollMs: number
  readonly graceMs: number
  readonly defaultTimeoutMs: number | null
  readonly defaultRetry: RetryRules
}

/** The settings of an engine from its options: checked and complete. */
export function engineSettings(options: EngineOptions, queuesOfTypes: Iterable<string>): EngineSettings {
  const node = requireOptions(options.node ?? {}, 'node', ['name', 'slots', 'queues'])
  const leaseMs = positive(options.staleThreshold ?? DEFAULT_LEASE_MS, 'staleThreshold')
  const renewalMs = positive(
    options.renewalInterval ?? Math.min(DEFAULT_INTERVAL_MS, Math.ceil(leaseMs / 3)),
    'renewalInterval',
  )
  if (renewalMs * 2 > leaseMs) {
    throw new InvalidInputError(
      'option.invalid',
      `renewalInterval must be at most half of staleThreshold (${leaseMs} ms), got ${renewalMs} ms: one late renewal would cost the node its work.`,
      { name: 'renewalInterval', received: renewalMs, staleThreshold: leaseMs },
    )
  }
  return {
    nodeName: requireName(node.name ?? `${hostname()}-${process.pid}`, 'node name'),
    slots: requireInteger(node.slots ?? DEFAULT_SLOTS, 'slots', 1, MAX_SLOTS),
    queues: queuesOf(node.queues, queuesOfTypes),
    leaseMs,
    renewalMs,
    staleCheckMs: positive(options.staleCheckInterval ?? DEFAULT_INTERVAL_MS, 'staleCheckInterval'),
    pollMs: positive(options.pollInterval ?? 1_000, 'pollInterval'),
    graceMs: parseDuration(options.shutdownGrace ?? 30_000, 'shutdownGrace'),
    defaultTimeoutMs: options.defaultTimeout === undefined ? null : timeoutOf(options.defaultTimeout),
    defaultRetry: retryRules(options.defaultRetry),
  }
}

function queuesOf(own: readonly string[] | undefined, ofTypes: Iterable<string>): string[] {
  if (own === undefined) return [...new Set([DEFAULT_QUEUE, ...ofTypes])]
  return [...new Set(requireList(own, 'queues').map((queue) => requireName(queue, 'queue')))]
}

function positive(duration: Duration, name: string): number {
  return requireInteger(parseDuration(duration, name), name, 1)
}

import type { RetryRules } from '../job/rules/retry.ts'
import type { AnyJobType } from '../job/type/job-type.ts'

/**
 * Nodes and their leases. A node whose lease is over claims nothing, and others may take its work: whoever recovers takes the node off the list first.
 * Until then it may renew, so that a store that was away for a minute does not cost every node its work.
 */
export interface TenantNodeStore {
  list(): Promise<NodeRecord[]>
  /** How many executions are held by nodes whose lease is over. */
  countStale(): Promise<{ readonly now: number; readonly stale: number }>
}

export interface NodeStore extends TenantNodeStore {
  register(node: NewNode): Promise<Registration>
  /** Prolongs the lease of a node. False when the node is no longer on the list: it registers anew, under another id. */
  renew(nodeId: string, leaseMs: number): Promise<boolean>
  /**
   * Keeps a lease alive from a thread of its own, where the store has one: a handler that blocks the event loop does not lose its work.
   * Without a thread it renews from here.
   */
  keepAlive(request: KeepAliveRequest): LeaseKeeper
  /** Takes a node off the list. What it still holds is stale from then on. */
  remove(nodeId: string): Promise<void>
  /**
   * Announces that a node exits while handlers still run. Its lease ends after `leaseMs`; the executions that it holds are recovered then, and their
   * attempts do not count.
   */
  leave(nodeId: string, leaseMs: number): Promise<void>
  /** The active nodes, and the jobs that their code declares. */
  declarations(): Promise<NodeDeclaration[]>
}

export interface NewNode {
  readonly id: string
  readonly name: string
  readonly slots: number
  readonly queues: readonly string[]
  readonly jobTypes: readonly string[]
  readonly leaseMs: number
  /** How many connections to the server its process opens at most; null if there is no server, or a pooler in front of it. Default: null. */
  readonly connections?: number | null | undefined
  /** Default: unknown. */
  readonly declares?: Declared | undefined
}

interface Registration {
  readonly now: number
  /** How many connections the server grants to ordinary roles; null if there is no server. */
  readonly availableConnections: number | null
}

/** The jobs and signals that the code of a node declares. */
export interface Declared {
  readonly tenant: string
  /** Their names. */
  readonly jobs: readonly string[]
  /** The job types that the API may enqueue without a job. Absent: unknown, because the node runs an older version. */
  readonly enqueueable?: readonly EnqueueableType[] | undefined
  /** The names of the signals of each job type that declares them. Default: unknown, because the node runs an older version. */
  readonly signals?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The rules of a job type that a process without its code needs to enqueue it. */
interface EnqueueableType extends Pick<AnyJobType, 'id' | 'queue' | 'priority' | 'isDurable'> {
  readonly retry: RetryRules
}

/** An active node, and what its code declares. */
export interface NodeDeclaration {
  readonly id: string
  readonly name: string
  readonly jobTypes: readonly string[]
  /** null: unknown, because the node runs an older version. */
  readonly declares: Declared | null
}

/** A node as the store knows it. */
export interface NodeRecord extends Omit<NewNode, 'declares'> {
  readonly connections: number | null
  readonly startedAt: number
  readonly renewedAt: number
  readonly expiresAt: number
  readonly isAlive: boolean
  readonly running: number
}

export interface KeepAliveRequest {
  readonly nodeId: string
  readonly leaseMs: number
  readonly intervalMs: number
  /** Called once, when the node is no longer on the list. */
  readonly onLost: (reason: string) => void
}

export interface LeaseKeeper {
  /**
   * Until when the lease may be prolonged at all, in milliseconds from now; null for ever. A handler that blocks the event loop beyond its
   * timeout must not hold its work for ever, so that this is moved on as long as the event loop turns.
   */
  allowUntil(inMs: number | null): void
  /**
   * Unless it is stopped before, announces after `inMs` that the node exits, as `leave` does, and no longer renews. Only a thread can: it runs while a handler
   * blocks the event loop.
   */
  leaveIn?(inMs: number, leaseMs: number): void
  stop(): Promise<void>
}

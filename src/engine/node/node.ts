import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { type Backoff, repeating } from '../../store/backoff.ts'
import type { Declared, LeaseKeeper, NodeRecord } from '../../store/nodes.ts'
import type { EngineStore } from '../../store/store.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { StoreTime } from './store-time.ts'

export interface NodeOptions {
  readonly env: Env
  readonly logger: Logger
  readonly store: EngineStore
  readonly time: StoreTime
  readonly telemetry: Telemetry
  readonly name: string
  readonly slots: number
  readonly queues: readonly string[]
  readonly jobTypes: readonly string[]
  readonly declares: Declared
  readonly leaseMs: number
  readonly renewalMs: number
  /** Others have taken this node's work: nothing it still does counts. */
  onLost(): void
  /** It may claim again. */
  onRegistered(): void
}

const BACKOFF: Backoff = { firstMs: 1_000, longestMs: 1_000 }
/** The lease of a node that exits while handlers still run: long enough for its process to end, short enough for a successor. */
const LEAVING_LEASE_MS = 2_000
/** The share of the server's connections above which a node warns when it starts. */
const NEARLY_ALL = 0.8

/** This process among the nodes: an id and one lease, renewed as long as it lives. Whoever loses it comes back as another node. */
export class Node {
  readonly #options: NodeOptions
  #id: string | null = null
  #keeper: LeaseKeeper | null = null
  #isStopped = true
  #registering: Promise<void> | null = null

  constructor(options: NodeOptions) {
    this.#options = options
  }

  /** null while it is not registered. */
  get id(): string | null {
    return this.#id
  }

  async start(): Promise<void> {
    this.#isStopped = false
    await this.#register()
  }

  /** Leaves the list: at once, or, while handlers still run, when a short lease ends that is no longer renewed. */
  async stop(stillRunning: number): Promise<void> {
    this.#isStopped = true
    await this.#registering
    await this.#stopKeeper(this.#keeper)
    const id = this.#id
    this.#id = null
    if (id === null) return
    const { store, telemetry } = this.#options
    if (stillRunning > 0) await store.nodes.leave(id, LEAVING_LEASE_MS)
    else await store.nodes.remove(id)
    telemetry.tell('node.stopped', { nodeId: id, stillRunning })
  }

  /** Prolongs the lease out of turn. False when others have taken the node off the list. */
  async renew(): Promise<boolean> {
    const { store, leaseMs } = this.#options
    return this.#id !== null && (await store.nodes.renew(this.#id, leaseMs))
  }

  /** The lease may be prolonged for so long from now; null for ever. */
  allowUntil(inMs: number | null): void {
    this.#keeper?.allowUntil(inMs)
  }

  /** The lease ends soon after `inMs`, even if a handler blocks the event loop until then. */
  leaveIn(inMs: number): void {
    this.#keeper?.leaveIn?.(inMs, LEAVING_LEASE_MS)
  }

  /** Somebody found out that the lease of this node is over. */
  lose(nodeId: string, reason: string): void {
    if (this.#id !== nodeId) return
    this.#id = null
    this.#options.telemetry.tell('node.lost', { nodeId, reason })
    this.#options.onLost()
    const keeper = this.#keeper
    this.#keeper = null
    this.#registering = this.#comeBack(keeper)
  }

  async #comeBack(keeper: LeaseKeeper | null): Promise<void> {
    await this.#stopKeeper(keeper)
    const register = async () => {
      if (!this.#isStopped && this.#id === null) await this.#register()
    }
    await repeating(this.#options.env, BACKOFF, register, (error) => {
      this.#options.logger.error('The node could not register and will try again', { error })
      return true
    })
  }

  async #stopKeeper(keeper: LeaseKeeper | null): Promise<void> {
    try {
      await keeper?.stop()
    } catch (error) {
      this.#options.logger.warn('What renews the lease could not be stopped', { error })
    }
  }

  /** Warns before the nodes together use up the connections of the server. A check that fails does not keep the node from working. */
  async #checkConnections(available: number): Promise<void> {
    const { store, logger } = this.#options
    try {
      const { nodes, connections } = connectionsOf(await store.nodes.list())
      if (connections <= available * NEARLY_ALL) return
      const remedy = 'Raise max_connections, lower maxConnections of the store, or put PgBouncer in front of the server'
      logger.warn('The nodes may use up the connections of the server', { nodes, connections, available, remedy })
    } catch (error) {
      logger.debug('The connections of all nodes could not be counted', { error })
    }
  }

  async #register(): Promise<void> {
    const { env, store, time, name, slots, queues, jobTypes, declares, leaseMs, renewalMs, telemetry } = this.#options
    const id = env.uuid(time.now())
    const own = store.connections()
    const connections = own === null || own.isPooled ? null : own.most
    const { availableConnections } = await time.observe(() =>
      store.nodes.register({ id, name, slots, queues, jobTypes, leaseMs, connections, declares }),
    )
    this.#id = id
    this.#keeper = store.nodes.keepAlive({
      nodeId: id,
      leaseMs,
      intervalMs: renewalMs,
      onLost: (reason) => this.lose(id, reason),
    })
    telemetry.tell('node.started', { nodeId: id, name, slots, connections })
    this.#options.onRegistered()
    if (connections !== null && availableConnections !== null) await this.#checkConnections(availableConnections)
  }
}

/** The nodes that are active, and how many connections they open together at most. */
function connectionsOf(nodes: readonly NodeRecord[]): { readonly nodes: number; readonly connections: number } {
  const active = nodes.filter(({ isAlive }) => isAlive)
  return { nodes: active.length, connections: active.reduce((sum, node) => sum + (node.connections ?? 0), 0) }
}

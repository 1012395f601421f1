import type { Env } from '../../../src/clock.ts'
import { type Duration, parseDuration } from '../../../src/duration.ts'
import type { PontualOptions } from '../../../src/engine/app/options.ts'
import { type Pontual, pontualIn } from '../../../src/pontual.ts'
import { memory } from '../../../src/store/memory/memory.ts'
import type { StoreSource } from '../../../src/store/store.ts'
import { ManualEnv } from '../../../src/testing/manual-env.ts'
import { Tracker } from '../../../src/testing/tracked-store.ts'

export interface NodeSetup extends Omit<PontualOptions, 'store'> {
  /** How far the clock of this node's machine is ahead of true time. */
  readonly skewMs?: number | undefined
}

/** Several nodes on one store in one process. True time is moved by hand; the store and each node may see another. */
export class Cluster implements AsyncDisposable {
  readonly #env: ManualEnv
  readonly #tracker = new Tracker()
  readonly #source: StoreSource
  readonly #nodes: Pontual[] = []
  /** How far the store's clock is ahead of true time. */
  storeSkewMs = 0

  constructor(startAt: number, { store = memory(), seed = 1 }: { store?: StoreSource; seed?: number } = {}) {
    this.#source = this.#tracker.watch(store)
    this.#env = new ManualEnv({
      startAt,
      seed,
      ...this.#tracker.activity,
    })
  }

  /** What time it is by the clock of the store. */
  now(): number {
    return this.#env.now() + this.storeSkewMs
  }

  async start(setup: NodeSetup): Promise<Pontual> {
    const node = this.open(setup)
    await node.start()
    return node
  }

  /** One that only asks, and runs nothing. */
  open({ skewMs = 0, ...options }: NodeSetup): Pontual {
    const app = pontualIn(
      { staleThreshold: '20000 days', logger: 'silent', ...options, store: this.#source },
      { env: skewed(this.#env, skewMs), now: () => this.now() },
    )
    this.#nodes.push(app)
    return app
  }

  /** Starts all at the same instant, so that they look for due work side by side. */
  async startAll(setups: readonly NodeSetup[]): Promise<Pontual[]> {
    const nodes = await Promise.all(setups.map((setup) => this.start(setup)))
    await this.#env.settle()
    return nodes
  }

  async advance(by: Duration): Promise<void> {
    await this.#env.moveTo(this.#env.now() + parseDuration(by, 'by'))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.splice(0).map((node) => node.stop()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop()
  }
}

/** The same time and chance, on a machine whose clock is wrong. */
function skewed(env: ManualEnv, skewMs: number): Env {
  return {
    now: () => env.now() + skewMs,
    monotonic: () => env.monotonic(),
    after: (delayMs, call) => env.after(delayMs, call),
    every: (intervalMs, call) => env.every(intervalMs, call),
    nextTurn: (call) => env.nextTurn(call),
    random: env.random,
    uuid: env.uuid,
  }
}

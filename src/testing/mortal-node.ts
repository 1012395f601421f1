import type { CancelTimer, Env } from '../clock.ts'
import type { LeaseKeeper, NewNode } from '../store/nodes.ts'
import type { EngineStore, StoreSource } from '../store/store.ts'

/** A question to the store, as `histories.record`, and what it is asked with. */
export interface Ask {
  readonly verb: string
  readonly values: readonly unknown[]
}

/** Where a node dies. */
export interface Fate {
  /** True: it dies before the store hears of it. */
  beforeAsk(ask: Ask): boolean
  /** The store has done it, also where the node died meanwhile. True: it dies before it hears the answer. */
  beforeAnswer(ask: Ask, answer: unknown): boolean
  onDeath(): void
}

type Verb = (...values: unknown[]) => unknown

/**
 * What stands between a node and the world, so that it can be dropped as by `kill -9`: from then on nothing it asks is heard, nothing it waits for
 * comes, and nobody is told.
 */
export class MortalNode {
  readonly #fate: Fate
  readonly #keepers: LeaseKeeper[] = []
  readonly #stores: EngineStore[] = []
  #isDead = false
  #id: string | null = null
  #tellDeath: () => void = () => {}
  /** Resolves when it dies. */
  readonly death: Promise<void>

  constructor(fate: Fate) {
    this.#fate = fate
    this.death = new Promise((resolve) => {
      this.#tellDeath = resolve
    })
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** As which it is known to the store; null while it is not. */
  get id(): string | null {
    return this.#id
  }

  /** Frees what a process would not hold any more. */
  async bury(): Promise<void> {
    await Promise.all(this.#keepers.map((keeper) => keeper.stop()))
    await Promise.all(this.#stores.map((store) => store.close()))
  }

  env(env: Env): Env {
    const whileAlive = (call: () => void) => () => {
      if (!this.#isDead) call()
    }
    return {
      now: () => env.now(),
      monotonic: () => env.monotonic(),
      after: (delayMs, call): CancelTimer => (this.#isDead ? () => {} : env.after(delayMs, whileAlive(call))),
      every: (intervalMs, call): CancelTimer => (this.#isDead ? () => {} : env.every(intervalMs, whileAlive(call))),
      nextTurn: (call) => env.nextTurn(whileAlive(call)),
      random: () => env.random(),
      uuid: (at) => env.uuid(at),
    }
  }

  source(source: StoreSource): StoreSource {
    return {
      kind: source.kind,
      open: async (surroundings) => {
        const store = await source.open(surroundings)
        this.#stores.push(store)
        return this.#between(store)
      },
    }
  }

  #between(store: EngineStore): EngineStore {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'listen') return (hear: (hint: unknown) => void) => this.#listen(target, hear)
        if (typeof value === 'function') return this.#asked(String(name), value as Verb, target)
        return typeof value === 'object' && value !== null ? this.#noun(String(name), value) : value
      },
    })
  }

  #noun(noun: string, target: object): object {
    return new Proxy(target, {
      get: (_, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        const verb = value as Verb
        if (name === 'keepAlive') return (...values: unknown[]) => this.#keep(verb.apply(target, values) as LeaseKeeper)
        return this.#asked(`${noun}.${String(name)}`, verb, target)
      },
    })
  }

  #listen(store: EngineStore, hear: (hint: never) => void): () => void {
    return store.listen((hint) => {
      if (!this.#isDead) hear(hint as never)
    })
  }

  #keep(keeper: LeaseKeeper): LeaseKeeper {
    this.#keepers.push(keeper)
    return keeper
  }

  #asked(verb: string, send: Verb, target: object): Verb {
    return async (...values) => {
      const ask = { verb, values }
      if (!this.#isDead && this.#fate.beforeAsk(ask)) this.#die()
      if (this.#isDead) return await NEVER
      if (verb === 'nodes.register') this.#id = (values[0] as NewNode).id
      try {
        const answer = await send.apply(target, values)
        if (this.#fate.beforeAnswer(ask, answer) && !this.#isDead) this.#die()
        if (!this.#isDead) return answer
      } catch (error) {
        if (!this.#isDead) throw error
      }
      return await NEVER
    }
  }

  #die(): void {
    this.#isDead = true
    this.#tellDeath()
    this.#fate.onDeath()
  }
}

const NEVER = new Promise<never>(() => {})

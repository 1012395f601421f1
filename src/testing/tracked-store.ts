import type { EngineStore, StoreSource, TenantStore } from '../store/store.ts'
import type { ManualEnvOptions } from './manual-env.ts'

/** Counts what a store is asked and has not answered yet. */
export class Tracker {
  #underWay = 0
  #asked = 0
  #isServer = false

  /** How much it was ever asked. */
  get asked(): number {
    return this.#asked
  }

  get isBusy(): boolean {
    return this.#underWay > 0
  }

  /** What time that is moved by hand has to know about the store. */
  get activity(): Pick<ManualEnvOptions, 'isBusy' | 'countBegun' | 'isServerAsked'> {
    return {
      isBusy: () => this.isBusy,
      countBegun: () => this.#asked,
      isServerAsked: () => this.#isServer && this.isBusy,
    }
  }

  /** A source whose stores are watched. */
  watch(source: StoreSource): StoreSource {
    this.#isServer ||= source.kind === 'postgres'
    return {
      kind: source.kind,
      open: async (surroundings) => this.#watched(await this.#count(source.open(surroundings))),
    }
  }

  #watched<Store extends TenantStore>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'forTenant') return (tenant: string) => this.#watched((value as EngineStore['forTenant'])(tenant))
        if (typeof value === 'function') return this.#counted(value as Verb, target)
        return typeof value === 'object' && value !== null ? this.#noun(value) : value
      },
    })
  }

  #noun(noun: object): object {
    return new Proxy(noun, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? this.#counted(value as Verb, target) : value
      },
    })
  }

  #counted(verb: Verb, target: object): Verb {
    return (...values) => {
      const answer = verb.apply(target, values)
      return answer instanceof Promise ? this.#count(answer) : answer
    }
  }

  async #count<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#underWay += 1
    this.#asked += 1
    try {
      return await answer
    } finally {
      this.#underWay -= 1
    }
  }
}

type Verb = (...values: unknown[]) => unknown

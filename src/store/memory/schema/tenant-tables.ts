import { type Flag, type Flags, flagsFrom } from '../../../access/flag.ts'
import type { FlagValue, ProvidedFlag, TenantSet } from '../../flags.ts'
import type { TenantConcurrency } from '../../tenants.ts'
import { compareText } from './compare.ts'
import { keyOf } from './table.ts'

/** What is switched off, and for whom. */
export class TenantFlags {
  readonly #common = new Map<Flag, boolean>()
  readonly #stored = new Map<string, boolean>()
  readonly #provided = new Map<string, boolean>()
  /** Those of which anything was ever said. */
  readonly #tenants = new Set<string>()

  read(tenant: string | null): Flags {
    const said = (answers: ReadonlyMap<string, boolean>, flag: Flag) =>
      tenant === null ? null : (answers.get(keyOf(tenant, flag)) ?? null)
    return flagsFrom((flag) => ({
      provided: said(this.#provided, flag),
      stored: said(this.#stored, flag),
      common: this.#common.get(flag) ?? null,
    }))
  }

  isOn(tenant: string, flag: Flag): boolean {
    if (this.#tenants.size === 0) return this.#common.get(flag) ?? true
    const key = keyOf(tenant, flag)
    return this.#provided.get(key) ?? this.#stored.get(key) ?? this.#common.get(flag) ?? true
  }

  /** For whom a flag is off. */
  whereOff(flag: Flag): TenantSet {
    const isOn = this.#common.get(flag) ?? true
    const names = [...this.#tenants].filter((tenant) => this.isOn(tenant, flag) !== isOn)
    return { isAllBut: !isOn, names: names.toSorted(compareText) }
  }

  put(tenant: string, { flag, isEnabled }: FlagValue): void {
    this.#tenants.add(tenant)
    set(this.#stored, keyOf(tenant, flag), isEnabled)
  }

  provide({ tenant, flag, isEnabled }: ProvidedFlag): void {
    this.#tenants.add(tenant)
    set(this.#provided, keyOf(tenant, flag), isEnabled)
  }

  putDefault({ flag, isEnabled }: FlagValue): void {
    set(this.#common, flag, isEnabled)
  }
}

function set<Key>(values: Map<Key, boolean>, key: Key, value: boolean | null): void {
  if (value === null) values.delete(key)
  else values.set(key, value)
}

/** Tenants in the order in which they became known, and their limits. */
export class TenantLimits {
  /** The limit of those that have none of their own; null for none. */
  common: number | null = null
  /** The number of the one that was served last. */
  served = 0
  readonly #numbers = new Map<string, number>()
  readonly #limits = new Map<string, TenantConcurrency>()

  /** Those that are new, in the order of their names. */
  meet(tenants: Iterable<string>): void {
    for (const tenant of [...new Set(tenants)].toSorted(compareText)) {
      if (!this.#numbers.has(tenant)) this.#numbers.set(tenant, this.#numbers.size + 1)
    }
  }

  get names(): Iterable<string> {
    return this.#numbers.keys()
  }

  get count(): number {
    return this.#numbers.size
  }

  numberOf(tenant: string): number {
    return this.#numbers.get(tenant) ?? 0
  }

  limit(tenant: string, concurrency: TenantConcurrency): void {
    this.meet([tenant])
    this.#limits.set(tenant, concurrency)
  }

  own(tenant: string): TenantConcurrency {
    return this.#limits.get(tenant) ?? null
  }

  limitOf(tenant: string): number | null {
    const own = this.own(tenant)
    return own === 'unlimited' ? null : (own ?? this.common)
  }
}

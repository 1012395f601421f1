import type { TenantConcurrency } from '../../tenants.ts'
import { compareText } from '../schema/compare.ts'

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

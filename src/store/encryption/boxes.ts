import { PontualError, quote } from '../../errors.ts'
import type { DataKey, DataKeyStore } from '../data-keys.ts'
import type { EnqueueOptions } from '../executions.ts'
import { Box } from './box.ts'
import type { KeyRing } from './key-ring.ts'

/** The data keys of a tenant cannot be had: what would have to be sealed is refused. */
class EncryptionError extends PontualError {}

export interface BoxesOptions {
  readonly ring: KeyRing
  readonly dataKeys: DataKeyStore
  readonly acceptsPlaintext: boolean
}

/** Boxes by tenant. A tenant has its data key from the first time that something of it is sealed. */
export class Boxes {
  readonly #options: BoxesOptions
  readonly #known = new Map<string, Box>()

  constructor(options: BoxesOptions) {
    this.#options = options
  }

  /** null where the tenant's keys cannot be opened with this ring: asked for again each time, since that may be mended. */
  async of(tenants: Iterable<string>, options: EnqueueOptions = {}): Promise<(tenant: string) => Box | null> {
    const missing = [...new Set(tenants)].filter((tenant) => !this.#known.has(tenant))
    if (missing.length === 0) return (tenant) => this.#known.get(tenant) ?? null
    const loaded = await this.#load(missing, options)
    // What was made in a caller's transaction is undone with it, and so is what it has sealed.
    if (!options.transaction) for (const [tenant, box] of loaded) this.#known.set(tenant, box)
    return (tenant) => this.#known.get(tenant) ?? loaded.get(tenant) ?? null
  }

  async one(tenant: string): Promise<Box | null> {
    return this.#known.get(tenant) ?? (await this.of([tenant]))(tenant)
  }

  /** For what must not be stored unless it is sealed. */
  async needed(tenants: Iterable<string>, options: EnqueueOptions = {}): Promise<(tenant: string) => Box> {
    const boxOf = await this.of(tenants, options)
    return (tenant) => {
      const box = boxOf(tenant)
      if (box) return box
      const message = `Nothing of tenant ${quote(tenant)} can be encrypted: its data key cannot be opened with the keys that are known here.`
      throw new EncryptionError('encryption.data_key_unavailable', message, { tenant })
    }
  }

  async #load(tenants: readonly string[], options: EnqueueOptions): Promise<ReadonlyMap<string, Box>> {
    const { dataKeys, ring } = this.#options
    let found = await dataKeys.find(tenants, options)
    const without = tenants.filter((tenant) => !found.some((key) => key.tenant === tenant))
    if (without.length > 0) {
      const made = without.map((tenant) => ring.create(tenant, 1))
      await dataKeys.add(made, options)
      // Somebody else may have been first.
      found = await dataKeys.find(tenants, options)
    }
    const loaded = new Map<string, Box>()
    for (const tenant of tenants) {
      const box = this.#open(
        tenant,
        found.filter((key) => key.tenant === tenant),
      )
      if (box) loaded.set(tenant, box)
    }
    return loaded
  }

  #open(tenant: string, keys: readonly DataKey[]): Box | null {
    const { ring, acceptsPlaintext } = this.#options
    if (keys.length === 0) return null
    try {
      return new Box(tenant, new Map(keys.map((key) => [key.version, ring.unwrap(key)])), acceptsPlaintext)
    } catch {
      return null
    }
  }
}

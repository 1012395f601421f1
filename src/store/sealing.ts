/** What keeps a store's contents sealed, and how far it is with it. */
export interface Sealing {
  status(): Promise<SealingStatus>
  /** Wraps data keys anew that another key than the current one has wrapped, at most `limit`. Returns how many are left. */
  rotate(limit: number): Promise<number>
  /**
   * Seals what was stored before there was encryption, of at most `limit` jobs or executions behind where the last call ended. To be called again until it
   * is over.
   */
  sealPlaintext(from: SealingPlace | null, limit: number): Promise<SealedPart>
  /** Throws where what a key of the ring has wrapped is still there. */
  requireUnused(keyId: string): Promise<void>
}

export interface SealingStatus {
  readonly currentKeyId: string
  /** All keys of the ring, and those that are not on it but in use. */
  readonly keys: readonly RingKeyStatus[]
  readonly acceptsPlaintext: boolean
}

interface RingKeyStatus {
  readonly id: string
  readonly isCurrent: boolean
  /** Whether this process has it. */
  readonly isKnown: boolean
  /** How many data keys it has wrapped. */
  readonly dataKeys: number
}

/** Where to go on: jobs are sealed before executions. */
export type SealingPlace =
  | { readonly kind: 'jobs'; readonly tenant: string; readonly name: string }
  | { readonly kind: 'executions'; readonly after: string | null }

export interface SealedPart {
  readonly sealed: number
  /** null: everything is sealed. */
  readonly next: SealingPlace | null
}

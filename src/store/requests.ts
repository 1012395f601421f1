/**
 * Requests that carry an idempotency key, so that one that is sent again is answered, not performed again. Kept for a day. The key is known within a tenant and
 * user.
 */
export interface RequestStore {
  /**
   * `new`: perform it now, with `resourceId` for what it makes. `resumed`: somebody began it longer than `takeoverMs` ago and never finished; perform it
   * again, with the same `resourceId`, so that nothing is made twice. `running`: somebody is at it. `mismatch`: the key stands for another request. `done`: the answer it got.
   */
  begin(request: NewRequest): Promise<BegunRequest>
  /** Keeps the answer. */
  finish(request: RequestKey, answer: KeptAnswer): Promise<void>
  /** Forgets a request that changed nothing, so that it may be sent again. */
  forget(request: RequestKey): Promise<void>
}

export interface RequestKey {
  readonly tenant: string
  readonly userId: string
  readonly key: string
}

export interface NewRequest extends RequestKey {
  /** A hash of method, path and body. */
  readonly fingerprint: string
  /** For what it makes; that of the first who began counts. */
  readonly resourceId: string
  readonly takeoverMs: number
}

export type BegunRequest =
  | { readonly state: 'new' | 'resumed'; readonly resourceId: string }
  | { readonly state: 'running' | 'mismatch' }
  | { readonly state: 'done'; readonly answer: KeptAnswer }

export interface KeptAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

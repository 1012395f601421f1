import type { Principal, PrincipalSource } from '../../access/principal.ts'

/** By what somebody has shown who he is: a session may outlive neither. */
export interface Shown {
  readonly source: PrincipalSource
  readonly keyId: string | null
  /** null: for as long as he likes. */
  readonly expiresAt: number | null
}

/** A principal with what it rests on. */
export interface Identified extends Shown {
  readonly principal: Principal
}

import type { Statement } from './driver.ts'
import type { PgConnection } from './pg-connection.ts'

/** What the thread that renews a lease is given. `renew` and `look` give a row where the node is on the list. */
export interface RenewalOrder {
  readonly connection: string | PgConnection
  /** The password is a function, which stays in the thread that owns it and is asked by message. */
  readonly asksPassword: boolean
  readonly renew: Question
  readonly look: Question
  /** Announces that the node exits; takes the length of its last lease as well. */
  readonly leave: Question
  readonly intervalMs: number
}

export interface Question {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** What it is told. A message arrives at once, also when who sent it is busy from then on. */
export type RenewalCommand =
  | { readonly kind: 'allow'; readonly inMs: number | null }
  | { readonly kind: 'leave'; readonly inMs: number; readonly leaseMs: number }
  | { readonly kind: 'password'; readonly password: string | null }
  | { readonly kind: 'stop' }

/** What it tells: once that the node is lost, and that it renews, first when it has begun to; then each time that it cannot any more, and that it can again. */
export type RenewalNews =
  | { readonly kind: 'lost'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'renewed' }
  | { readonly kind: 'password' }

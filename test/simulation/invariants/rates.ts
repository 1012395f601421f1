import type { StartGrant } from '../../../src/job/starts.ts'
import type { RateRequest } from '../../../src/store/rates.ts'
import type { Commit } from '../commits.ts'
import { RATE } from '../job-types.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** When something was allowed, by the clock of the store and in true time. A clock that is set back does not let time pass twice. */
interface Allowed {
  readonly at: number
  readonly trueAt: number
}

/** Within no stretch of time, by the store's clock and in truth, more attempts may start than the rate limit of their job type says, and none starts that nobody has allowed. */
export class Rates implements Invariant {
  /** By tenant. */
  readonly #allowed = new Map<string, Allowed[]>()
  #begun = 0
  #count = 0

  afterCommit({ question, answer, at }: Commit, { sometimes, now }: Evidence): void {
    if (question.verb !== 'rates.acquire') return
    for (const [index, { tenant, wanted }] of (question.values[0] as readonly RateRequest[]).entries()) {
      const { granted = 0 } = (answer as readonly StartGrant[])[index] ?? {}
      if (granted < wanted) sometimes('a rate limit lets something wait')
      const allowed = this.#allowed.get(tenant ?? '') ?? []
      this.#allowed.set(tenant ?? '', allowed)
      for (let count = 0; count < granted; count += 1) {
        allowed.push({ at: Math.max(at, allowed.at(-1)?.at ?? at), trueAt: now() })
      }
      this.#count += granted
      const first = allowed.at(-1 - RATE.limit)
      const last = allowed.at(-1)
      if (first === undefined || last === undefined) continue
      const passedMs = Math.max(last.at - first.at, last.trueAt - first.trueAt)
      require(passedMs >= RATE.perMs, 'rate limit', () =>
        `${RATE.limit + 1} of ${tenant} may start within ${passedMs} ms`)
    }
  }

  onEffect({ kind, step }: Effect): void {
    if (kind !== 'begun' || step !== 'limited') return
    this.#begun += 1
    require(this.#begun <= this.#count, 'rate limit', () => `${this.#begun} have begun, where ${this.#count} may`)
  }
}

import type { StartGrant } from '../../../src/job/starts.ts'
import type { RateRequest } from '../../../src/store/rates.ts'
import type { Commit } from '../commits.ts'
import { RATE } from '../job-types.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** When something was allowed, by the clock of the store and in true time. */
interface Allowed {
  readonly at: number
  readonly trueAt: number
}

/**
 * Of a tenant no more attempts may start than the rate limit of their job type says until the clock of the store has shown an instant so much later than the first of them: one that is set back
 * lets no time pass twice. And none starts that its node was not allowed to.
 */
export class Rates implements Invariant {
  /** By tenant. */
  readonly #allowed = new Map<string, Allowed[]>()
  /** How many more may begin, by machine. */
  readonly #left = new Map<string, number>()

  afterCommit({ question, answer, at }: Commit, { sometimes, clock, now }: Evidence): void {
    if (question.verb !== 'rates.acquire') return
    const { name } = question.from
    for (const [index, { tenant, wanted }] of (question.values[0] as readonly RateRequest[]).entries()) {
      const { granted = 0 } = (answer as readonly StartGrant[])[index] ?? {}
      if (granted < wanted) sometimes('a rate limit lets something wait')
      const allowed = this.#allowed.get(tenant ?? '') ?? []
      this.#allowed.set(tenant ?? '', allowed)
      for (let count = 0; count < granted; count += 1) allowed.push({ at, trueAt: now() })
      this.#left.set(name, (this.#left.get(name) ?? 0) + granted)
      const first = allowed.at(-1 - RATE.limit)
      if (granted === 0 || first === undefined) continue
      const passedMs = clock.furthestSince(first.trueAt) - first.at
      require(passedMs >= RATE.perMs, 'rate limit', () =>
        `${RATE.limit + 1} of ${tenant} may start within ${passedMs} ms`)
    }
  }

  onEffect({ kind, step, machine }: Effect): void {
    if (kind !== 'begun' || step !== 'limited') return
    const left = this.#left.get(machine) ?? 0
    require(left > 0, 'rate limit', () => `${machine} begins what nobody has allowed it to`)
    this.#left.set(machine, left - 1)
  }
}

import type { StartGrant, Starts } from '../../../../src/job/rules/rate-limit.ts'
import type { Claim } from '../../../../src/store/leases.ts'
import type { RateRequest } from '../../../../src/store/rates.ts'
import type { Commit } from '../commits.ts'
import { RATE } from '../job-types.ts'
import type { Effect } from '../ledger.ts'
import { type Evidence, type Invariant, require } from './invariant.ts'

/** A start that the store has granted. */
interface Granted {
  /** The instant from which it counts. */
  readonly from: number
  /** When it was granted, by the clock of the store and in true time. */
  readonly at: number
  readonly trueAt: number
}

interface Grant {
  readonly tenant: string | null
  readonly count: number
  readonly from: number | null
  readonly isShort: boolean
  readonly returned?: Starts | undefined
}

/**
 * No tenant is granted more starts than the rate limit of their job type until the clock of the store has shown an instant that is later than the first of
 * them by the length of the window: a clock that is set back lets no time pass twice. No machine starts more than it was granted.
 */
export class Rates implements Invariant {
  /** By tenant. */
  readonly #granted = new Map<string, Granted[]>()
  /** How many more may begin, by machine. */
  readonly #left = new Map<string, number>()

  afterCommit({ question, answer, at }: Commit, { sometimes, clock, now }: Evidence): void {
    const { name } = question.from
    for (const { tenant, count, from, isShort, returned } of grantsOf(question.verb, question.values[0], answer)) {
      if (isShort) sometimes('a rate limit lets something wait')
      const granted = this.#granted.get(tenant ?? '') ?? []
      this.#granted.set(tenant ?? '', granted)
      if (returned) withdraw(granted, returned)
      for (let each = 0; each < count; each += 1) granted.push({ from: from ?? at, at, trueAt: now() })
      this.#left.set(name, (this.#left.get(name) ?? 0) + count - (returned?.count ?? 0))
      const first = granted.at(-1 - RATE.limit)
      if (count === 0 || first === undefined) continue
      const passedMs = clock.furthestSince(first.trueAt) - first.at
      require(passedMs >= RATE.perMs, 'rate limit', () =>
        `${RATE.limit + 1} of ${tenant} may start within ${passedMs} ms`)
    }
  }

  onEffect({ kind, step, machine }: Effect): void {
    if (kind !== 'begun' || step !== 'limited') return
    const left = this.#left.get(machine) ?? 0
    require(left > 0, 'rate limit', () => `${machine} starts an execution without a grant`)
    this.#left.set(machine, left - 1)
  }
}

function grantsOf(verb: string, asked: unknown, answer: unknown): readonly Grant[] {
  if (verb === 'leases.claim') {
    return (answer as Claim).starts.map(({ tenant, at, nextAt, executionIds }) => {
      return { tenant, count: executionIds.length, from: at, isShort: nextAt !== null }
    })
  }
  if (verb !== 'rates.acquire') return []
  return (asked as readonly RateRequest[]).map(({ tenant, wanted, returned }, index) => {
    const { granted = 0, at = null } = (answer as readonly StartGrant[])[index] ?? {}
    return { tenant, count: granted, from: at, isShort: granted < wanted, returned }
  })
}

/** A clock that was set back may have put later grants before earlier ones, so the grant is found by its instant. */
function withdraw(granted: Granted[], { at, count }: Starts): void {
  for (let each = 0; each < count; each += 1) {
    const index = granted.findLastIndex(({ from }) => from === at)
    if (index >= 0) granted.splice(index, 1)
  }
}

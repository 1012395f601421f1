import type { CancelTimer, Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import type { ClaimedExecution, Held, Reserve } from '../../store/leases.ts'
import type { Node } from '../node/node.ts'
import type { AbortReason } from './attempt.ts'

const ALLOW_MS = 500
const RESERVED_ONE_IN = 10

export interface SlotsOptions {
  readonly env: Env
  readonly count: number
  readonly node: Node
  readonly logger: Logger
  /** A slot is free again. */
  onFree(): void
}

/** An execution that this node holds, and how to tell whoever deals with it that it is to end. */
interface Holding {
  readonly claimed: ClaimedExecution
  abort(reason: AbortReason): void
  /** Something has come for it. */
  hear?(): void
  /** It begins nothing more, where it is made of steps, and leaves as soon as nothing is under way. */
  suspend?(): void
  /** Gives up on user code that still runs, without recording anything. Returns the execution; null if no user code runs. */
  strand?(): ClaimedExecution | null
}

/** What takes a slot: one attempt of an execution. */
export interface SlotWork extends Holding {
  /** After how long it has to end; null for never. */
  readonly timeoutMs: number | null
  /** Milliseconds from now after which a lease must not be prolonged for it; null where there is no such limit. */
  readonly mustEndInMs: number | null
  /** Resolves when nothing is to be done any more. */
  run(): Promise<void>
}

/** An execution about which something is decided before it may run. */
class Undecided implements Holding {
  readonly claimed: ClaimedExecution
  isGone = false

  constructor(claimed: ClaimedExecution) {
    this.claimed = claimed
  }

  /** What begins in spite of a shutdown is handed back by its attempt. */
  abort(reason: AbortReason): void {
    if (reason === 'gone') this.isGone = true
  }
}

/** All that this node holds, whether it runs or is still decided about: at most one execution in each slot. */
export class Slots {
  readonly #claims = { sent: 0, done: 0 }
  #afterClaim: (() => void) | null = null
  readonly #options: SlotsOptions
  readonly #held = new Map<string, Holding>()
  /** Those that have a timeout. */
  readonly #timed = new Set<SlotWork>()
  /** How many decisions are open. */
  #deciding = 0
  #isSuspending = false
  #isLeaving = false
  #isAllowing = false
  #cancelTimer: CancelTimer = () => {}
  #whenIdle: (() => void)[] = []

  constructor(options: SlotsOptions) {
    this.#options = options
  }

  get free(): number {
    return this.#options.count - this.used
  }

  get used(): number {
    return this.#held.size
  }

  /** How many claims were sent to the store, one after the other, and of how many it is known here what they brought. */
  get claims(): { readonly sent: number; readonly done: number } {
    return this.#claims
  }

  claimSent(): void {
    this.#claims.sent += 1
  }

  claimDone(): void {
    this.#claims.done += 1
    const call = this.#afterClaim
    this.#afterClaim = null
    call?.()
  }

  /** Calls once it is known what a claim has brought that is under way, if one is. */
  afterClaim(call: () => void): void {
    if (this.#claims.sent > this.#claims.done) this.#afterClaim = call
  }

  /** Slots that stay free for tenants of which this node runs nothing: one in ten, and at least one. */
  get reserve(): Reserve {
    const running = new Set<string>()
    for (const { claimed } of this.#held.values()) running.add(claimed.body.tenant)
    return { slots: Math.max(1, Math.floor(this.#options.count / RESERVED_ONE_IN)), running: [...running] }
  }

  /** What is held, by the id of its execution. */
  get held(): ReadonlyMap<string, Holding> {
    return this.#held
  }

  /** Keeps slots for executions about which something is decided first. Those that begin take theirs over. */
  async hold(claimed: readonly ClaimedExecution[], decide: () => Promise<void>): Promise<void> {
    const undecided = claimed.map((each) => new Undecided(each))
    for (const each of undecided) this.#held.set(each.claimed.executionId, each)
    this.#deciding += 1
    try {
      await decide()
    } finally {
      this.#deciding -= 1
      for (const each of undecided) this.#forget(each)
      this.#freed()
    }
  }

  /** Whether something that was decided about may begin: it may have been cancelled meanwhile, or taken by another node. */
  mayBegin({ executionId, epoch }: Held): boolean {
    const holding = this.#held.get(executionId)
    return holding instanceof Undecided && holding.claimed.epoch === epoch && !holding.isGone
  }

  begin(attempt: SlotWork): void {
    const id = attempt.claimed.executionId
    this.#held.set(id, attempt)
    // Its claim was under way, or it was decided about, when the others were told.
    if (this.#isSuspending) attempt.suspend?.()
    if (this.#isLeaving) attempt.abort('shutdown')
    if (attempt.timeoutMs !== null) {
      this.#timed.add(attempt)
      this.#allowSoon()
    }
    void this.#follow(id, attempt)
  }

  async #follow(id: string, attempt: SlotWork): Promise<void> {
    try {
      await attempt.run()
    } catch (error) {
      this.#options.logger.error('An attempt could not be recorded', { executionId: id, error })
    } finally {
      this.#end(attempt)
    }
  }

  /** A shutdown begins: what is made of steps begins no more of them. */
  suspendAll(): void {
    this.#isSuspending = true
    for (const holding of this.#held.values()) holding.suspend?.()
  }

  /** After a shutdown what begins is aborted too. */
  abortAll(reason: AbortReason): void {
    if (reason === 'shutdown') this.#isLeaving = true
    for (const holding of this.#held.values()) holding.abort(reason)
  }

  /** Gives up on handlers that still run; their executions stay leased to this node. Returns what they run. */
  strandAll(): readonly ClaimedExecution[] {
    return [...this.#held.values()].flatMap((holding) => holding.strand?.() ?? [])
  }

  /** Waits until nothing runs, nor is decided about. */
  async idle(): Promise<void> {
    while (!this.#isIdle) await new Promise<void>((resolve) => this.#whenIdle.push(resolve))
    this.#cancelTimer()
    this.#isAllowing = false
  }

  get #isIdle(): boolean {
    return this.#held.size === 0 && this.#deciding === 0
  }

  #end(attempt: SlotWork): void {
    this.#forget(attempt)
    if (this.#timed.delete(attempt)) this.#allowSoon()
    this.#freed()
  }

  /** The same execution may be held here again already: it runs after its decision, or under another epoch. */
  #forget(holding: Holding): void {
    const id = holding.claimed.executionId
    if (this.#held.get(id) === holding) this.#held.delete(id)
  }

  #freed(): void {
    if (this.#isIdle) {
      const waiting = this.#whenIdle
      this.#whenIdle = []
      for (const resolve of waiting) resolve()
    }
    this.#options.onFree()
  }

  /** Told twice a second and not at every start and end: to look through all of them costs time. */
  #allowSoon(): void {
    if (this.#isAllowing) return
    this.#isAllowing = true
    this.#allowLease()
    this.#cancelTimer = this.#options.env.after(ALLOW_MS, () => {
      this.#isAllowing = false
      this.#allowLease()
    })
  }

  /** A handler that blocks the event loop past its timeout must not keep the node alive. */
  #allowLease(): void {
    let soonest: number | null = null
    for (const { mustEndInMs } of this.#timed) {
      if (mustEndInMs !== null && (soonest === null || mustEndInMs < soonest)) soonest = mustEndInMs
    }
    // Looked at again before long, as long as the event loop turns.
    this.#options.node.allowUntil(soonest === null ? null : Math.max(soonest, ALLOW_MS * 2))
  }
}

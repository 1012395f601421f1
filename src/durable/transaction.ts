import { PontualError } from '../errors.ts'
import type { ActivityRules } from '../job/activity/activity.ts'
import type { DurableTransaction } from '../job/activity/durable-context.ts'
import { isRetryable, retryDelay } from '../job/rules/retry.ts'
import { asActivity } from './activity-scope.ts'
import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import { errorOf } from './error-of.ts'
import { RunOverError } from './errors.ts'
import { isHopeless } from './is-hopeless.ts'
import type { Placed } from './ledger.ts'
import type { Run } from './run.ts'

type Perform = (transaction: DurableTransaction) => unknown

/** SQL that commits together with its record. */
export function transactionPlan(run: Run, name: string, perform: Perform, rules: ActivityRules): CallPlan {
  return {
    kind: 'transaction',
    name,
    verb: 'transaction',
    begin: (call) => new TransactionCall(run, call, perform, rules).begin(),
  }
}

/** All attempts of one call, until it is settled. */
class TransactionCall {
  readonly #run: Run
  readonly #call: Call
  readonly #perform: Perform
  readonly #rules: ActivityRules
  #placed: Placed | null = null
  #failure: Error | null = null

  constructor(run: Run, call: Call, perform: Perform, rules: ActivityRules) {
    this.#run = run
    this.#call = call
    this.#perform = perform
    this.#rules = rules
  }

  begin(): void {
    const { recorded } = this.#call
    if (recorded && recorded.dueAt !== null) this.#attemptAt(recorded.dueAt, recorded.attempt + 1)
    else void this.#attempt(Math.max(1, recorded?.attempt ?? 1))
  }

  #attemptAt(dueAt: number, attempt: number): void {
    this.#call.stopWaiting = this.#run.gate.wait(dueAt, () => {
      if (!this.#call.isGivenUp) void this.#attempt(attempt)
    })
  }

  async #attempt(attempt: number): Promise<void> {
    const run = this.#run
    run.work.enter()
    run.note(this.#call, { attempt, dueAt: null })
    try {
      const isHeld = await run.host.transact(async (transaction) => await this.#work(transaction, attempt))
      if (!isHeld || !this.#placed) return run.stop({ kind: 'lost' })
      run.ledger.confirm(this.#placed)
      run.telling.completed(this.#call, attempt)
    } catch (error) {
      this.#withdraw()
      // What the database refuses after the work, such as to commit it, was the work's doing.
      const failure = this.#failure ?? (isPassing(error) ? null : errorOf(error))
      if (failure) this.#fail(attempt, failure)
      // It did not begin, or nobody knows whether it was committed: whoever takes the run up next finds out.
      else run.breakOff('How a transaction ended is not known', { transaction: this.#call.name, error })
    } finally {
      run.work.leave()
    }
  }

  /** May be called again within one attempt, where the store begins its transaction anew. */
  async #work(transaction: DurableTransaction, attempt: number): Promise<Placed['entries']> {
    const run = this.#run
    const call = this.#call
    this.#withdraw()
    this.#failure = null
    try {
      const told = { activity: call.name, sequence: call.sequence, attempt }
      const work = () => asActivity(run, call.name, this.#perform, transaction)
      const value: unknown = await run.host.inActivity(told, work)
      const output = encodeValue(value, `Output of transaction "${call.name}"`)
      // Rolled back: what is to be undone is decided already.
      if (!run.maySettle(call)) throw new RunOverError(false)
      call.isSettled = true
      const settled = { status: 'COMPLETED', attempt, output, dueAt: null, endedAt: run.time() } as const
      this.#placed = run.ledger.place(call.entry({ ...settled, calls: run.sequence }))
      return this.#placed.entries
    } catch (error) {
      this.#failure = errorOf(error)
      throw error
    }
  }

  #withdraw(): void {
    if (!this.#placed) return
    this.#run.ledger.withdraw(this.#placed)
    this.#placed = null
    this.#call.isSettled = false
  }

  #fail(attempt: number, error: Error): void {
    const run = this.#run
    const call = this.#call
    if (run.isOver || call.isGivenUp || run.gate.isSuspending) return
    const { retry } = this.#rules
    const isLast = isHopeless(error) || !isRetryable(retry, error)
    const delayMs = isLast ? null : retryDelay(retry, attempt, () => run.host.random())
    const text = encodeValue(error, 'Error')
    if (delayMs === null) {
      run.settle(call, { status: 'FAILED', attempt, error: text, dueAt: null })
      run.telling.failed(call, attempt, error)
      return
    }
    const dueAt = run.host.now() + delayMs
    run.note(call, { attempt, error: text, dueAt })
    run.telling.retried(call, attempt, error, delayMs)
    this.#attemptAt(dueAt, attempt + 1)
  }
}

/** Whether it is about the store being away, and not about the work. */
function isPassing(error: unknown): boolean {
  return error instanceof PontualError && error.code.startsWith('store.')
}

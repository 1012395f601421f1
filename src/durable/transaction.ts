import type { ActivityRules } from '../job/activity.ts'
import type { DurableTransaction } from '../job/durable-context.ts'
import { isRetryable, retryDelay } from '../job/retry.ts'
import { asActivity } from './activity-scope.ts'
import type { Call, CallPlan } from './call.ts'
import { encodeValue } from './codec.ts'
import type { Placed } from './ledger.ts'
import type { Run } from './run.ts'
import { errorOf } from './unwinding.ts'

type Perform = (transaction: DurableTransaction) => unknown

/** SQL that commits together with its record. */
export function transactionPlan(run: Run, name: string, perform: Perform, rules: ActivityRules): CallPlan {
  const attempt = (call: Call, number: number) =>
    void new TransactionAttempt(run, call, name, perform, rules).begin(number)
  return {
    kind: 'transaction',
    name,
    verb: 'transaction',
    begin(call) {
      const { recorded } = call
      if (recorded?.dueAt) run.wait(recorded.dueAt, () => attempt(call, recorded.attempt + 1))
      else attempt(call, Math.max(1, recorded?.attempt ?? 1))
    },
  }
}

class TransactionAttempt {
  readonly #run: Run
  readonly #call: Call
  readonly #name: string
  readonly #perform: Perform
  readonly #rules: ActivityRules
  #placed: Placed | null = null
  #failure: Error | null = null

  constructor(run: Run, call: Call, name: string, perform: Perform, rules: ActivityRules) {
    this.#run = run
    this.#call = call
    this.#name = name
    this.#perform = perform
    this.#rules = rules
  }

  async begin(attempt: number): Promise<void> {
    const run = this.#run
    run.enter()
    run.ledger.putBeside(this.#call.entry({ attempt, dueAt: null }))
    try {
      const isHeld = await run.host.transact(async (transaction) => await this.#work(transaction, attempt))
      if (isHeld && this.#placed) run.ledger.confirm(this.#placed)
      else run.stop({ kind: 'lost' })
    } catch (error) {
      if (this.#placed) run.ledger.withdraw(this.#placed)
      if (this.#failure) this.#fail(attempt, this.#failure)
      else this.#giveBack(error)
    } finally {
      run.leave()
    }
  }

  async #work(transaction: DurableTransaction, attempt: number): Promise<Placed['entries']> {
    const run = this.#run
    try {
      const value: unknown = await asActivity(this.#name, () => this.#perform(transaction))
      const output = encodeValue(value, `Output of transaction "${this.#name}"`)
      const endedAt = Math.max(run.now, run.host.now())
      const settled = this.#call.entry({
        status: 'COMPLETED',
        attempt,
        output,
        dueAt: null,
        endedAt,
        calls: run.sequence,
      })
      this.#placed = run.ledger.place(settled)
      return this.#placed.entries
    } catch (error) {
      this.#failure = errorOf(error)
      throw error
    }
  }

  /** It did not begin, or nobody knows whether it was committed: whoever takes the run up next finds out. */
  #giveBack(error: unknown): void {
    this.#run.host.logger.error('How a transaction ended is not known', { transaction: this.#name, error })
    this.#run.stop({ kind: 'suspended' })
  }

  #fail(attempt: number, error: Error): void {
    const run = this.#run
    if (run.isOver || this.#call.isGivenUp) return
    const { retry } = this.#rules
    const delayMs = isRetryable(retry, error) ? retryDelay(retry, attempt, () => run.host.random()) : null
    const text = encodeValue(error, 'Error')
    if (delayMs === null) return run.settle(this.#call, { status: 'FAILED', attempt, error: text, dueAt: null })
    const dueAt = run.host.now() + delayMs
    run.ledger.putBeside(this.#call.entry({ attempt, error: text, dueAt }))
    const again = new TransactionAttempt(run, this.#call, this.#name, this.#perform, this.#rules)
    run.wait(dueAt, () => void again.begin(attempt + 1))
  }
}

import { PontualError } from '../errors.ts'
import type { ActivityRules } from '../job/activity/activity.ts'
import type { DurableTransaction } from '../job/activity/durable-context.ts'
import type { NewEntry } from '../job/activity/history.ts'
import { asActivity } from './activity-scope.ts'
import { AttemptedCall } from './attempts.ts'
import { encodeValue } from './codec.ts'
import { errorOf, RunOverError } from './errors.ts'
import type { Completion } from './journal.ts'
import type { Run } from './run.ts'

type Perform = (transaction: DurableTransaction) => unknown

/** A call whose SQL commits together with its record. */
export class TransactionCall extends AttemptedCall {
  readonly verb = 'transaction'
  readonly #perform: Perform
  #completion: Completion | null = null
  #failure: Error | null = null

  constructor(run: Run, name: string, perform: Perform, rules: ActivityRules) {
    super(run, 'transaction', name, rules)
    this.#perform = perform
  }

  protected override fields(): Partial<NewEntry> {
    return {}
  }

  protected override attempt(attempt: number): void {
    void this.#attempt(attempt)
  }

  async #attempt(attempt: number): Promise<void> {
    const { effects, host } = this.run
    effects.enter()
    this.noteAttempt(attempt)
    try {
      const isHeld = await host.transact(async (transaction) => await this.#work(transaction, attempt))
      if (!isHeld || !this.#completion) return this.run.stop({ kind: 'lost' })
      effects.confirm(this.#completion)
      host.tell('activity.completed', this.facts(attempt))
    } catch (error) {
      this.#withdraw()
      // An error of the database after the work, for example on commit, is a failure of the work.
      const failure = this.#failure ?? (isStoreError(error) ? null : errorOf(error))
      if (failure) this.#failAttempt(attempt, failure)
      // The transaction did not begin, or its commit is in doubt: the next node that takes up the run reads what was committed.
      else effects.breakOff('How a transaction ended is not known', { transaction: this.name, error })
    } finally {
      effects.leave()
    }
  }

  /** The store may call it again within one attempt, when it restarts the transaction. */
  async #work(transaction: DurableTransaction, attempt: number): Promise<readonly NewEntry[]> {
    const { run, call } = this
    this.#withdraw()
    this.#failure = null
    try {
      const work = () => asActivity(run, this.name, this.#perform, transaction)
      const value: unknown = await run.host.inActivity(this.facts(attempt), work)
      const output = encodeValue(value, `Output of transaction "${this.name}"`)
      // Rolled back, because it is decided already what to undo.
      if (!run.effects.maySettle(call)) throw new RunOverError(false)
      this.#completion = run.effects.place(call, { status: 'COMPLETED', attempt, output, dueAt: null })
      return this.#completion.entries
    } catch (error) {
      this.#failure = errorOf(error)
      throw error
    }
  }

  #withdraw(): void {
    if (!this.#completion) return
    this.run.effects.withdraw(this.#completion, this.call)
    this.#completion = null
  }

  #failAttempt(attempt: number, error: Error): void {
    if (this.run.isOver || this.call.isGivenUp || this.run.isSuspending) return
    const delayMs = this.delayAfter(attempt, error)
    if (delayMs === null) this.fail(attempt, error)
    else this.retryAfter(delayMs, attempt, error)
  }
}

/** True if the store is unavailable, which says nothing about the work. */
function isStoreError(error: unknown): boolean {
  return error instanceof PontualError && error.code.startsWith('store.')
}

import type { EntryKind, HistoryEntry, NewEntry } from '../job/activity/history.ts'
import { decodeValue } from './codec.ts'
import { OpenStep, type Step } from './step.ts'

/** What is asked for by a call. */
export interface CallPlan {
  readonly kind: EntryKind
  readonly name: string
  /** As the author knows it: `run`, `sleep` … */
  readonly verb: string
  /** It has its number, in the first run as in a replay. */
  onCalled?(call: Call): void
  /** Does what is not recorded yet. */
  begin(call: Call): void
  /** Nobody waits for it any more: whatever does its work elsewhere need not go on. */
  giveUp?(call: Call): void
  /** What the author gets; without it, what is recorded as output. */
  valueFrom?(entry: HistoryEntry): unknown
  /** What the author has thrown at him; without it, what is recorded as error. */
  errorOf?(entry: HistoryEntry): Error
}

/** An entry as long as nobody else has it. */
export type EntryDraft = { -readonly [Field in keyof NewEntry]: NewEntry[Field] }

/** How a call is settled: what of its entry differs from one that is under way. */
export interface Settling extends Partial<Omit<NewEntry, 'sequence' | 'kind' | 'name' | 'position' | 'calls'>> {
  readonly status: 'COMPLETED' | 'FAILED'
}

export interface CallOptions {
  readonly plan: CallPlan
  readonly sequence: number
  /** What is recorded of it already; null where nothing is. */
  readonly recorded: HistoryEntry | null
  readonly startedAt: number
}

const NOTHING = () => {}

/** One call of the code through its context. */
export class Call {
  readonly sequence: number
  readonly recorded: HistoryEntry | null
  readonly startedAt: number
  readonly #plan: CallPlan
  readonly #open = new OpenStep()
  /** The execution that does its work, once there is one. */
  childId: string | null
  /** Nobody waits for it any more. */
  isGivenUp = false
  /** How it ended is on its way to the store, or there: less must not be recorded of it from here on. */
  isSettled = false
  /** Ends what it waits for: an instant, a signal, a child. */
  stopWaiting: () => void = NOTHING

  constructor({ plan, sequence, recorded, startedAt }: CallOptions) {
    this.#plan = plan
    this.sequence = sequence
    this.recorded = recorded
    this.startedAt = recorded?.startedAt ?? startedAt
    this.childId = recorded?.childId ?? null
  }

  get kind(): EntryKind {
    return this.#plan.kind
  }

  get name(): string {
    return this.#plan.name
  }

  get step(): Step {
    return this.#open.step
  }

  /** Whether it is still to be settled, and somebody waits for that. */
  get isOpen(): boolean {
    return !this.isGivenUp && !this.isSettled
  }

  called(): void {
    this.#plan.onCalled?.(this)
  }

  begin(): void {
    if (!this.isGivenUp) this.#plan.begin(this)
  }

  /** Settles it as is recorded. */
  conclude(entry: HistoryEntry): void {
    const plan = this.#plan
    try {
      if (entry.status === 'COMPLETED') {
        this.#open.resolve(plan.valueFrom ? plan.valueFrom(entry) : decodeValue(entry.output))
      } else this.#open.reject(plan.errorOf ? plan.errorOf(entry) : decodeValue(entry.error))
    } catch (error) {
      // What is recorded cannot be read.
      this.#open.reject(error)
    }
  }

  /** With a reason, whoever waits for it learns so. */
  giveUp(reason: Error | null): void {
    this.isGivenUp = true
    this.stopWaiting()
    this.#plan.giveUp?.(this)
    if (reason) this.#open.reject(reason)
  }

  /** What is to be recorded of it: as it was recorded last, but for what changes. */
  entry(change: Partial<NewEntry>): EntryDraft {
    const { recorded } = this
    return {
      sequence: this.sequence,
      kind: this.#plan.kind,
      name: this.#plan.name,
      status: 'RUNNING',
      position: null,
      calls: 0,
      attempt: recorded?.attempt ?? 0,
      input: recorded?.input ?? null,
      output: null,
      error: null,
      details: null,
      childId: this.childId,
      startedAt: this.startedAt,
      dueAt: recorded?.dueAt ?? null,
      endedAt: null,
      ...change,
    }
  }
}

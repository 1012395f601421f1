import type { EntryKind, HistoryEntry, NewEntry } from '../job/history.ts'
import { decodeValue } from './codec.ts'
import { type OpenStep, openStep, type Step } from './step.ts'

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
  valueOf?(entry: HistoryEntry): unknown
  /** What the author has thrown at him; without it, what is recorded as error. */
  errorOf?(entry: HistoryEntry): Error
}

/** How a call is settled: what of its entry differs from one that is under way. */
export interface Settling extends Partial<Omit<NewEntry, 'sequence' | 'kind' | 'name' | 'position' | 'calls'>> {
  readonly status: 'COMPLETED' | 'FAILED'
}

export interface CallOptions {
  readonly plan: CallPlan
  readonly sequence: number
  /** What is recorded of it already; null where nothing is. */
  readonly recorded: HistoryEntry | null
  /** By the run's own time. */
  readonly startedAt: number
}

/** One call of the code through its context. */
export class Call {
  readonly sequence: number
  readonly recorded: HistoryEntry | null
  readonly startedAt: number
  readonly #plan: CallPlan
  readonly #open: OpenStep = openStep()
  /** Nobody waits for it any more. */
  isGivenUp = false

  constructor({ plan, sequence, recorded, startedAt }: CallOptions) {
    this.#plan = plan
    this.sequence = sequence
    this.recorded = recorded
    this.startedAt = recorded?.startedAt ?? startedAt
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

  called(): void {
    this.#plan.onCalled?.(this)
  }

  /** Settles it as is recorded. */
  conclude(entry: HistoryEntry): void {
    const { valueOf, errorOf } = this.#plan
    if (entry.status === 'COMPLETED') {
      this.#open.resolve(valueOf ? valueOf(entry) : decodeValue(entry.output))
      return
    }
    this.#open.reject(errorOf ? errorOf(entry) : (decodeValue(entry.error) as Error))
  }

  /** With a reason, whoever waits for it learns so. */
  giveUp(reason: Error | null): void {
    this.isGivenUp = true
    this.#plan.giveUp?.(this)
    if (reason) this.#open.reject(reason)
  }

  /** What is to be recorded of it: as it was recorded last, but for what changes. */
  entry(change: Partial<NewEntry> = {}): NewEntry {
    const { sequence, kind, name, startedAt, recorded } = this
    return {
      sequence,
      kind,
      name,
      status: 'RUNNING',
      position: null,
      calls: 0,
      attempt: recorded?.attempt ?? 0,
      input: recorded?.input ?? null,
      output: null,
      error: null,
      details: null,
      childId: recorded?.childId ?? null,
      startedAt,
      dueAt: recorded?.dueAt ?? null,
      endedAt: null,
      ...change,
    }
  }
}

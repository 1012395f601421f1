/* oxlint-disable unicorn/no-thenable -- a Step is a promise */

import type { CalledAs, EntryKind, HistoryEntry, NewEntry } from '../job/activity/history.ts'
import { decodeValue } from './codec.ts'

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

interface Watched extends CalledAs {
  readonly sequence: number
  readonly step: Step
}

/** So many may be watched before those that were looked at are let go. */
const LOOK_THROUGH_AT = 32

/** The calls that the code of a run has made and that matter still. */
export class Calls {
  readonly #pending = new Map<number, Call>()
  /** Settled ones that nobody had looked at by then, and steps that stand for several calls. */
  #watched: Watched[] = []
  #lookThroughAt = LOOK_THROUGH_AT

  get hasPending(): boolean {
    return this.#pending.size > 0
  }

  isPending(sequence: number): boolean {
    return this.#pending.has(sequence)
  }

  add(call: Call): void {
    this.#pending.set(call.sequence, call)
  }

  watch(watched: Watched): void {
    this.#watched.push(watched)
    if (this.#watched.length < this.#lookThroughAt) return
    this.#watched = this.#watched.filter(({ step }) => !step.isAwaited)
    this.#lookThroughAt = LOOK_THROUGH_AT + 2 * this.#watched.length
  }

  /** Settles the call that an entry is about, where somebody still waits for it. */
  conclude(entry: HistoryEntry): void {
    const call = this.#pending.get(entry.sequence)
    if (!call) return
    this.#pending.delete(entry.sequence)
    call.conclude(entry)
    if (!call.step.isAwaited) this.watch(call)
  }

  giveUp(reason: Error | null): void {
    const pending = [...this.#pending.values()]
    this.#pending.clear()
    for (const call of pending) call.giveUp(reason)
  }

  /** Those whose result nobody ever looked at. */
  get forgotten(): readonly (CalledAs & { readonly sequence: number })[] {
    return [...this.#watched, ...this.#pending.values()]
      .filter(({ step }) => !step.isAwaited)
      .map(({ kind, name, sequence }) => ({ kind, name, sequence }))
  }
}

/** What a call gives its author: a promise that knows whether anybody ever looked at it. */
export class Step<Value = unknown> extends Promise<Value> {
  // What is derived from it is nobody's call.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise
  }

  isAwaited = false

  // biome-ignore lint/suspicious/noThenProperty: it is a promise
  override then<A = Value, B = never>(
    onKept?: ((value: Value) => A | PromiseLike<A>) | null,
    onBroken?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.isAwaited = true
    return super.then(onKept, onBroken)
  }
}

/** A step with the means to settle it. */
export class OpenStep {
  readonly step: Step
  #resolve!: (value: unknown) => void
  #reject!: (reason: unknown) => void

  constructor() {
    this.step = new Step((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  resolve(value: unknown): void {
    this.#resolve(value)
  }

  reject(reason: unknown): void {
    this.#reject(reason)
    // One that nobody looks at is named when the run ends; it must not end the process before.
    if (!this.step.isAwaited) void Promise.prototype.then.call(this.step, undefined, () => {})
  }
}

/** A step that is never settled: whoever waits for it is left where he is. */
export function endlessStep(): Step {
  return new Step(() => {})
}

/** A step that stands for others: looked at by itself, settled as they are. */
export function stepOf(value: Promise<unknown>): Step {
  const open = new OpenStep()
  value.then(
    (kept) => open.resolve(kept),
    (reason: unknown) => open.reject(reason),
  )
  return open.step
}

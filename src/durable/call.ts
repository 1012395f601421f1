/* oxlint-disable unicorn/no-thenable -- a Step is a promise */

import type { CalledAs, EntryKind } from '../job/activity/divergence.ts'
import type { HistoryEntry, NewEntry } from '../job/activity/history.ts'
import { decodeValue } from './codec.ts'

/** The kind of a call: how it starts, and how its entry becomes a value for the author. */
export interface CallPlan {
  readonly kind: EntryKind
  readonly name: string
  /** The method of the context: `run`, `sleep` … */
  readonly verb: string
  /** The call has its number, in the first run as in a replay. */
  onCalled?(call: Call): void
  /** Performs what is not recorded yet. */
  begin(call: Call): void
  /** The call was given up: an execution that does its work can be cancelled. */
  giveUp?(call: Call): void
  /** The value for the author. Default: the recorded output. */
  valueFrom?(entry: HistoryEntry): unknown
  /** The error for the author. Default: the recorded error. */
  errorOf?(entry: HistoryEntry): Error
}

/** An entry that is still being built. */
export type EntryDraft = { -readonly [Field in keyof NewEntry]: NewEntry[Field] }

/** The fields of a completion that differ from the entry of a call in progress. */
export interface Settling extends Partial<Omit<NewEntry, 'sequence' | 'kind' | 'name' | 'position' | 'calls'>> {
  readonly status: 'COMPLETED' | 'FAILED'
}

export interface CallOptions {
  readonly plan: CallPlan
  readonly sequence: number
  /** The recorded entry; null if there is none. */
  readonly recorded: HistoryEntry | null
  readonly startedAt: number
}

const NOTHING = () => {}

/** A call of the code through its context. */
export class Call {
  readonly sequence: number
  readonly recorded: HistoryEntry | null
  readonly startedAt: number
  readonly #plan: CallPlan
  readonly #open = new OpenStep()
  /** The execution that does its work, after it was started. */
  childId: string | null
  /** The code no longer waits for it. */
  isGivenUp = false
  /** Its completion is being recorded, or recorded: no note may follow. */
  isSettled = false
  /** Removes its wait for an instant, a signal or a child. */
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

  /** Not completed, and not given up. */
  get isOpen(): boolean {
    return !this.isGivenUp && !this.isSettled
  }

  called(): void {
    this.#plan.onCalled?.(this)
  }

  begin(): void {
    if (!this.isGivenUp) this.#plan.begin(this)
  }

  /** Settles its step from the recorded completion. */
  conclude(entry: HistoryEntry): void {
    const plan = this.#plan
    try {
      if (entry.status === 'COMPLETED') {
        this.#open.resolve(plan.valueFrom ? plan.valueFrom(entry) : decodeValue(entry.output))
      } else this.#open.reject(plan.errorOf ? plan.errorOf(entry) : decodeValue(entry.error))
    } catch (error) {
      // The recorded value cannot be read.
      this.#open.reject(error)
    }
  }

  /** With a reason, its step is rejected. */
  giveUp(reason: Error | null): void {
    this.isGivenUp = true
    this.stopWaiting()
    this.#plan.giveUp?.(this)
    if (reason) this.#open.reject(reason)
  }

  /** Its entry: the recorded one with a change. */
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

/** The number of watched steps above which awaited ones are dropped. */
const LOOK_THROUGH_AT = 32

/** The calls of a run that are pending, and those whose result the code may have forgotten to await. */
export class Calls {
  readonly #pending = new Map<number, Call>()
  /** Settled steps that were not awaited by then, and steps that combine several calls. */
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

  /** Settles the call of an entry if it is pending. */
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

  /** Calls whose result the code never awaited. */
  get forgotten(): readonly (CalledAs & { readonly sequence: number })[] {
    return [...this.#watched, ...this.#pending.values()]
      .filter(({ step }) => !step.isAwaited)
      .map(({ kind, name, sequence }) => ({ kind, name, sequence }))
  }
}

/** The promise that a call returns to its author. It knows if it was ever awaited. */
export class Step<Value = unknown> extends Promise<Value> {
  // A derived promise belongs to no call.
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

/** A step and its resolvers. */
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
    // A forgotten step is reported when the run ends; an unhandled rejection would end the process before.
    if (!this.step.isAwaited) void Promise.prototype.then.call(this.step, undefined, () => {})
  }
}

/** A step that never settles: code that awaits it goes no further. */
export function endlessStep(): Step {
  return new Step(() => {})
}

/** A step that settles with another promise and counts as awaited on its own. */
export function stepOf(value: Promise<unknown>): Step {
  const open = new OpenStep()
  value.then(
    (kept) => open.resolve(kept),
    (reason: unknown) => open.reject(reason),
  )
  return open.step
}

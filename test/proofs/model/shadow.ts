import { RULES } from './lease-rules.ts'
import type { State, Statement } from './lease-state.ts'
import { stepsOf } from './lease-steps.ts'
import { initialState, type LeaseStep, type Size } from './lease-world.ts'

/**
 * The states in which the model may be, given what was done and seen of a real store. The store keeps to the model for as long as there is one. Which row a claim has
 * taken, say, is known once it commits: until then there is a state for each.
 */
export class Shadow {
  readonly #size: Size
  #possible: readonly State[]

  constructor(size: Size) {
    this.#size = size
    this.#possible = [initialState(size)]
  }

  get states(): readonly State[] {
    return this.#possible
  }

  /** What may happen next, whichever of the states it is. */
  get steps(): readonly LeaseStep[] {
    const [first, ...others] = this.#possible
    if (!first) return []
    const names = others.map((state) => new Set(this.#stepsOf(state).map(({ name }) => name)))
    return this.#stepsOf(first).filter(({ name }) => names.every((each) => each.has(name)))
  }

  /** Something happens that is no statement's: also that one begins. */
  take(name: string): void {
    this.#become(this.#possible.flatMap((state) => this.#stepsOf(state).filter((step) => step.name === name)))
  }

  /** A statement has done all it can before its commit: or it waits for a lock. */
  meet(tag: number, isBlocked: boolean): void {
    const possible = this.#possible.flatMap((state) => {
      const taken = this.#stepsOf(state).filter(({ of }) => of?.tag === tag && of.act === 'takes')
      if (isBlocked) return taken.length === 0 && statementOf(state, tag) ? [state] : []
      return taken.map(({ next }) => next)
    })
    this.#possible = distinct(possible)
  }

  /** A statement goes on to its end, as far as locks allow; with `isAgain`, one that found nothing may have asked once more. */
  finish(tag: number, isDone: boolean, isAgain: boolean): void {
    const possible = this.#possible.flatMap((state) => {
      const ended = this.#toEnd(state, tag, isDone)
      const hasTaken = (statementOf(state, tag)?.takes.length ?? 0) > 0
      return isAgain && !hasTaken ? [...ended, ...ended.flatMap((each) => this.#claimedAgain(each))] : ended
    })
    this.#possible = distinct(possible)
  }

  /** A claim that found nothing may have asked once more after another statement went on. */
  claimAgain(): void {
    this.#possible = distinct([...this.#possible, ...this.#possible.flatMap((state) => this.#claimedAgain(state))])
  }

  undo(tag: number): void {
    this.#possible = this.#possible.map((state) => {
      return { ...state, statements: state.statements.filter((each) => each.tag !== tag) }
    })
  }

  /** Leaves out what does not fit what is seen. */
  keep(fits: (state: State) => boolean): void {
    this.#possible = this.#possible.filter(fits)
  }

  #toEnd(state: State, tag: number, isDone: boolean): State[] {
    if (!statementOf(state, tag)) return [state]
    const on = this.#stepsOf(state).filter(({ of }) => of?.tag === tag && (of.act === 'takes' || of.act === 'commits'))
    // A cancel that looks again is another statement of the same call.
    if (on.length === 0) return isDone ? [] : [state]
    return on.flatMap(({ next }) => this.#toEnd(next, next.begun > state.begun ? state.begun : tag, isDone))
  }

  /** A claim goes on for as long as it may find something. */
  #claimedAgain(state: State): State[] {
    return state.processes.flatMap((_, index) => {
      const step = this.#stepsOf(state).find(({ name }) => name === `n${index} claims`)
      return step ? this.#toEnd(step.next, state.begun, true) : []
    })
  }

  #become(steps: readonly LeaseStep[]): void {
    this.#possible = distinct(steps.map(({ next }) => next))
  }

  #stepsOf(state: State): LeaseStep[] {
    return stepsOf(state, RULES, this.#size)
  }
}

/** Who is who matters here; and statements have the same numbers in all of them. */
function distinct(states: readonly State[]): State[] {
  const begun = Math.max(...states.map((state) => state.begun))
  const alike = states.map((state) => ({ ...state, begun }))
  return [...new Map(alike.map((state) => [JSON.stringify(state), state])).values()]
}

function statementOf({ statements }: State, tag: number): Statement | undefined {
  return statements.find((each) => each.tag === tag)
}

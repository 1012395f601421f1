import type { Spec, Step } from './spec.ts'

interface CounterExample {
  readonly invariant: string
  readonly what: string
  /** From the beginning on, a line per step; the shortest there is. */
  readonly trace: readonly string[]
}

interface Exploration {
  readonly states: number
  readonly steps: number
  /** How many steps the state lies away that is furthest from the beginning. */
  readonly diameter: number
  /** Whether every state was looked at. */
  readonly isComplete: boolean
  readonly counterExample: CounterExample | null
}

interface ExploreOptions {
  /** Stops after so many states. Default: never. */
  readonly mostStates?: number | undefined
}

/**
 * Looks at every state that can be reached, those near the beginning first, so that a counter-example is the shortest. A state is kept by its key, and by the one it was
 * reached from; a trace is walked anew.
 */
export function explore<State, Each extends Step<State>>(
  spec: Spec<State, Each>,
  { mostStates = Number.POSITIVE_INFINITY }: ExploreOptions = {},
): Exploration {
  const numbers = new Map<string, number>([[spec.key(spec.initial), 0]])
  const cameFrom: number[] = [-1]
  const healing = new Edges()
  const reached: number[] = spec.goal.isReached(spec.initial) ? [0] : []
  let level: (readonly [number, State])[] = [[0, spec.initial]]
  let steps = 0
  let diameter = 0
  const report = (counterExample: CounterExample | null, isComplete: boolean): Exploration => {
    return { states: numbers.size, steps, diameter, isComplete, counterExample }
  }
  const broken = (invariant: string, what: string, from: number, last?: Each): Exploration => {
    return report({ invariant, what, trace: traceTo(spec, cameFrom, numbers, from, last) }, false)
  }

  const wrong = wrongState(spec, spec.initial)
  if (wrong) return broken(wrong.name, wrong.what, 0)
  while (level.length > 0) {
    const next: (readonly [number, State])[] = []
    for (const [number, state] of level) {
      for (const step of spec.steps(state)) {
        steps += 1
        const bad = wrongStep(spec, state, step)
        if (bad) return broken(bad.name, bad.what, number, step)
        const key = spec.key(step.next)
        let to = numbers.get(key)
        if (to === undefined) {
          to = numbers.size
          const worse = wrongState(spec, step.next)
          if (worse) return broken(worse.name, worse.what, number, step)
          numbers.set(key, to)
          cameFrom.push(number)
          if (spec.goal.isReached(step.next)) reached.push(to)
          next.push([to, step.next])
        }
        if (!step.isFault) healing.add(number, to)
      }
      if (numbers.size >= mostStates) return report(null, false)
    }
    if (next.length > 0) diameter += 1
    level = next
  }
  const stuck = healing.firstThatCannotReach(reached, numbers.size)
  if (stuck === null) return report(null, true)
  return broken(spec.goal.name, 'From here on it cannot be reached any more, although nothing fails.', stuck)
}

function wrongState<State, Each extends Step<State>>(spec: Spec<State, Each>, state: State) {
  for (const { name, ofState } of spec.invariants) {
    const what = ofState?.(state)
    if (what) return { name, what }
  }
  return null
}

function wrongStep<State, Each extends Step<State>>(spec: Spec<State, Each>, before: State, step: Each) {
  for (const { name, ofStep } of spec.invariants) {
    const what = ofStep?.(before, step)
    if (what) return { name, what }
  }
  return null
}

/** Walks from the beginning again, over the states that lead to one. */
function traceTo<State, Each extends Step<State>>(
  spec: Spec<State, Each>,
  cameFrom: readonly number[],
  numbers: ReadonlyMap<string, number>,
  to: number,
  last: Each | undefined,
): string[] {
  const way: number[] = []
  for (let at = to; at > 0; at = cameFrom[at] ?? 0) way.unshift(at)
  let state = spec.initial
  const lines = [`         ${spec.describe(state)}`]
  const tell = ({ name, isFault, next }: Each) => {
    lines.push(`${String((lines.length + 1) / 2).padStart(3)}. ${isFault ? '! ' : '  '}${name}`)
    lines.push(`         ${spec.describe(next)}`)
    state = next
  }
  for (const number of way) {
    const step = spec.steps(state).find(({ next }) => numbers.get(spec.key(next)) === number)
    if (!step) throw new Error('Steps are not the same each time they are asked for.')
    tell(step)
  }
  if (last) {
    // Names of what is alike may have been exchanged on the way: the last step is the one that breaks the same here.
    const same = spec.steps(state).find((step) => wrongStep(spec, state, step) ?? wrongState(spec, step.next))
    tell(same ?? last)
  }
  return lines
}

/** The steps that lead from one state to another where nothing fails, read against their direction. */
class Edges {
  readonly #from = new Numbers()
  readonly #to = new Numbers()

  add(from: number, to: number): void {
    if (from === to) return
    this.#from.push(from)
    this.#to.push(to)
  }

  /**
   * The first of all states from which none of some can be reached; null where all can. Where every state can reach the goal, each set of states that is never left contains it: who
   * takes every step that stays possible gets there.
   */
  firstThatCannotReach(goal: readonly number[], count: number): number | null {
    const [from, to] = [this.#from.values, this.#to.values]
    const firstEdge = new Int32Array(count + 1)
    for (const each of to) firstEdge[each + 1]! += 1
    for (let state = 0; state < count; state += 1) firstEdge[state + 1]! += firstEdge[state]!
    const place = firstEdge.slice()
    const origins = new Int32Array(to.length)
    for (let edge = 0; edge < to.length; edge += 1) origins[place[to[edge]!]!++] = from[edge]!
    const canReach = new Uint8Array(count)
    const open = [...goal]
    for (const state of goal) canReach[state] = 1
    for (let state = open.pop(); state !== undefined; state = open.pop()) {
      for (let edge = firstEdge[state]!; edge < firstEdge[state + 1]!; edge += 1) {
        const origin = origins[edge]!
        if (canReach[origin]) continue
        canReach[origin] = 1
        open.push(origin)
      }
    }
    const stuck = canReach.indexOf(0)
    return stuck === -1 ? null : stuck
  }
}

/** Millions of small numbers. */
class Numbers {
  #values = new Int32Array(1 << 16)
  #length = 0

  push(value: number): void {
    if (this.#length === this.#values.length) {
      const longer = new Int32Array(2 * this.#length)
      longer.set(this.#values)
      this.#values = longer
    }
    this.#values[this.#length++] = value
  }

  get values(): Int32Array {
    return this.#values.subarray(0, this.#length)
  }
}

import type { Chance } from './expressions.ts'

/** What is asked of a trigger here. */
export interface Answers {
  next(after: number): number | null
  previous(before: number): number | null
  between(from: number, to: number): Iterable<number>
  count(from: number, to: number): number
}

/** How many answers were compared, and what differed, each told in a line. */
export class Comparison {
  compared = 0
  differed = 0
  readonly differences: string[] = []

  /** Compares all answers of a trigger over a range with the fire times that the oracle found in it. */
  compare(name: string, trigger: Answers, expected: readonly number[], from: number, to: number, chance: Chance): void {
    this.#compareWalk(name, trigger, expected, from, to)
    this.#expect(() => `${name} count ${span(from, to)}`, expected.length, trigger.count(from, to))
    for (let turn = 0; turn < 4; turn++) {
      const [a, b] = [this.#instantNear(expected, from, to, chance), this.#instantNear(expected, from, to, chance)]
      const [low, high] = a < b ? [a, b] : [b, a]
      const inside = expected.filter((at) => at >= low && at < high)
      this.#expect(() => `${name} count ${span(low, high)}`, inside.length, trigger.count(low, high))
      this.#expectSame(`${name} between ${span(low, high)}`, inside, trigger.between(low, high))
      const after = expected.find((at) => at > a)
      if (after !== undefined) this.#expect(() => `${name} next ${iso(a)}`, after, trigger.next(a))
      const before = expected.findLast((at) => at < a)
      if (before !== undefined) this.#expect(() => `${name} previous ${iso(a)}`, before, trigger.previous(a))
    }
  }

  /** Forwards from the beginning of the range to its end, and back. */
  #compareWalk(name: string, trigger: Answers, expected: readonly number[], from: number, to: number): void {
    let at = trigger.next(from - 1)
    for (const want of expected) {
      if (!this.#expect(() => `${name} next ${span(from, to)}`, want, at)) return
      at = trigger.next(want)
    }
    this.#expect(() => `${name} next after all in ${span(from, to)}`, true, at === null || at >= to)
    at = trigger.previous(to)
    for (const want of expected.toReversed()) {
      if (!this.#expect(() => `${name} previous ${span(from, to)}`, want, at)) return
      at = trigger.previous(want)
    }
    this.#expect(() => `${name} previous before all in ${span(from, to)}`, true, at === null || at < from)
  }

  /** An instant of the range: as often as not a fire time, or a millisecond or a second beside one. */
  #instantNear(expected: readonly number[], from: number, to: number, chance: Chance): number {
    const fire = expected.length > 0 ? expected[chance(expected.length)] : undefined
    if (fire === undefined || chance(3) === 0) return from + chance(to - from)
    const at = fire + ([0, 1, -1, 1000, -1000, 500, -500][chance(7)] ?? 0)
    return Math.min(Math.max(at, from), to)
  }

  #expectSame(name: string, want: readonly number[], got: Iterable<number>): void {
    const found = [...got]
    this.#expect(() => `${name}: length`, want.length, found.length)
    for (const [index, at] of want.entries())
      if (!this.#expect(() => `${name} [${index}]`, at, found[index] ?? null)) return
  }

  #expect(name: () => string, want: number | boolean, got: number | boolean | null): boolean {
    this.compared++
    if (want === got) return true
    this.differed++
    if (this.differences.length < 40) this.differences.push(`${name()}: expected ${told(want)}, got ${told(got)}`)
    return false
  }
}

function told(value: number | boolean | null): string {
  return typeof value === 'number' && Math.abs(value) > 1e8 ? iso(value) : String(value)
}

function iso(instant: number): string {
  return new Date(instant).toISOString()
}

function span(from: number, to: number): string {
  return `${iso(from)} to ${iso(to)}`
}

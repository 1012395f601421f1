import type { HistogramSnapshot, Labels, Sample } from './family.ts'

/** How many series a counter has at most: what comes later is counted together, as `(other)`. */
const MOST_SERIES = 1_000
const OTHER = '(other)'

/** Counts by labels, in one process. */
export class Counter {
  readonly #series = new Map<string, { readonly labels: Labels; value: number }>()
  readonly #most: number

  constructor(most = MOST_SERIES) {
    this.#most = most
  }

  add(labels: Labels): void {
    const key = JSON.stringify(Object.values(labels))
    const known = this.#series.get(key)
    if (known) known.value += 1
    else if (this.#series.size < this.#most) this.#series.set(key, { labels, value: 1 })
    else this.#addOther(labels)
  }

  samples(): readonly Sample[] {
    return [...this.#series.values()].map(({ labels, value }) => ({ labels, value }))
  }

  #addOther(labels: Labels): void {
    const others = Object.fromEntries(Object.keys(labels).map((name) => [name, OTHER]))
    const known = this.#series.get(OTHER)
    if (known) known.value += 1
    else this.#series.set(OTHER, { labels: others, value: 1 })
  }
}

/** How values are spread, in one process. */
export class Histogram {
  readonly #bounds: readonly number[]
  readonly #counts: number[]
  #sum = 0
  #count = 0

  /** Upper bounds in ascending order; what is above the last is counted too. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#counts = bounds.map(() => 0)
  }

  record(value: number): void {
    const at = this.#bounds.findIndex((bound) => value <= bound)
    if (at >= 0) this.#counts[at] = (this.#counts[at] ?? 0) + 1
    this.#sum += value
    this.#count += 1
  }

  snapshot(): HistogramSnapshot {
    let count = 0
    const buckets = this.#bounds.map((atMost, at) => {
      count += this.#counts[at] ?? 0
      return { atMost, count }
    })
    return { buckets, sum: this.#sum, count: this.#count }
  }
}

const KEPT = 1_000
/** An occurrence that starts within this is on time. */
const ON_TIME_MS = 1_000

/** How late occurrences start that nobody missed; of the last thousand. */
export interface PunctualityReport {
  readonly count: number
  /** The share that started within a second, 1 where nothing ran yet. */
  readonly onTime: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
}

export class Punctuality {
  readonly #lateness: number[] = []
  #next = 0

  record(latenessMs: number): void {
    this.#lateness[this.#next] = latenessMs
    this.#next = (this.#next + 1) % KEPT
  }

  report(): PunctualityReport {
    const sorted = this.#lateness.toSorted((a, b) => a - b)
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
    const onTime = sorted.filter((latenessMs) => latenessMs <= ON_TIME_MS).length
    return {
      count: sorted.length,
      onTime: sorted.length === 0 ? 1 : onTime / sorted.length,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      maxMs: sorted.at(-1) ?? 0,
    }
  }
}

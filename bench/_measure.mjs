/** The middle of some numbers; of an even number of them the mean of the two in the middle. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

export function timeMs(run) {
  const start = performance.now()
  run()
  return performance.now() - start
}

/**
 * The median time of one run of each candidate, in milliseconds by name. The candidates take turns, round by round, so that
 * a slow moment of the machine meets all of them. A run that is short is repeated within its turn until `turnMs` are filled.
 */
export function measureInTurns(candidates, { rounds, turnMs = 40, budgetMs = Number.POSITIVE_INFINITY }) {
  const repeats = new Map()
  const times = new Map()
  for (const { name, run } of candidates) {
    const { firstMs, count } = warmUp(run, turnMs)
    repeats.set(name, count)
    times.set(name, firstMs > LONG_RUN_MS ? [firstMs] : [])
  }
  const end = performance.now() + budgetMs
  for (let round = 0; round < rounds && (round === 0 || performance.now() < end); round++) {
    for (const { name, run } of candidates) {
      if (times.get(name).length === rounds) continue
      const count = repeats.get(name)
      const elapsed = timeMs(() => {
        for (let index = 0; index < count; index++) run()
      })
      times.get(name).push(elapsed / count)
    }
  }
  return new Map([...times].map(([name, each]) => [name, median(each)]))
}

/** A run this long warms itself up: its first one counts. */
const LONG_RUN_MS = 1_000

/** Runs until the compiler had its chance, and tells how many runs fill a turn. */
function warmUp(run, turnMs) {
  const firstMs = timeMs(run)
  if (firstMs > LONG_RUN_MS) return { firstMs, count: 1 }
  // The first run also fills caches, such as tables of zones: it tells nothing about the later ones.
  let fastest = Number.POSITIVE_INFINITY
  for (let spent = 0; spent < turnMs * 3; ) {
    const elapsed = timeMs(run)
    fastest = Math.min(fastest, elapsed)
    spent += elapsed
  }
  return { firstMs, count: Math.max(1, Math.ceil(turnMs / fastest)) }
}

/** Milliseconds of a clock that all processes of this machine share and nobody sets. */
export function monotonicMs() {
  return Number(process.hrtime.bigint()) / 1e6
}

/** The value below which so large a share of some numbers is. */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

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
  const repeats = new Map(candidates.map(({ name, run }) => [name, warmUp(run, turnMs)]))
  const times = new Map(candidates.map(({ name }) => [name, []]))
  const end = performance.now() + budgetMs
  for (let round = 0; round < rounds && (round === 0 || performance.now() < end); round++) {
    for (const { name, run } of candidates) {
      const count = repeats.get(name)
      const elapsed = timeMs(() => {
        for (let index = 0; index < count; index++) run()
      })
      times.get(name).push(elapsed / count)
    }
  }
  return new Map([...times].map(([name, each]) => [name, median(each)]))
}

/** Runs until the compiler had its chance, and tells how many runs fill a turn. */
function warmUp(run, turnMs) {
  let fastest = timeMs(run)
  for (let spent = fastest; spent < turnMs * 3; ) {
    const elapsed = timeMs(run)
    fastest = Math.min(fastest, elapsed)
    spent += elapsed
  }
  return Math.max(1, Math.ceil(turnMs / fastest))
}

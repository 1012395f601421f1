/** The candidate closest to what was written, or undefined where none is close: for "did you mean". */
export function nearest(written: string, candidates: Iterable<string>): string | undefined {
  const word = written.slice(0, 64).toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(word.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word, candidate.toLowerCase(), bestDistance)
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** What to say after a name that is not known: the nearest that is, or nothing. */
export function didYouMean(written: string, candidates: Iterable<string>): string {
  const guess = nearest(written, candidates)
  return guess === undefined ? '' : ` Did you mean "${guess}"?`
}

/** Levenshtein distance, or `limit` where the lengths alone rule out anything smaller. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) >= limit) return limit
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current[column] = Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
    }
    previous = current
  }
  return previous[right.length] ?? limit
}

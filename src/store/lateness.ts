import type { Measures } from './executions.ts'
import { percentile } from './percentile.ts'

export const ON_TIME_MS = 1_000

/** How late occurrences started, of very many of them too. */
export function latenessOf(latenessesMs: readonly number[]): Measures['lateness'] {
  const ascending = Float64Array.from(latenessesMs).sort()
  return {
    count: ascending.length,
    onTime: latenessesMs.filter((latenessMs) => latenessMs <= ON_TIME_MS).length,
    p50Ms: percentile(ascending, 0.5),
    p95Ms: percentile(ascending, 0.95),
    p99Ms: percentile(ascending, 0.99),
    maxMs: ascending.at(-1) ?? null,
  }
}

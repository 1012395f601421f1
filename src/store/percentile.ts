/** The smallest value that so many of them do not exceed, as PostgreSQL's percentile_disc. */
export function percentile(ascending: ArrayLike<number>, part: number): number | null {
  return ascending[Math.max(0, Math.ceil(part * ascending.length) - 1)] ?? null
}

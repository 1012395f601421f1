/** The rows of an answer: a list of them, or what `pg` and PGlite give. */
export function rowsOf<Row>(answer: unknown): readonly Row[] {
  if (Array.isArray(answer)) return answer as Row[]
  const rows = (answer as { readonly rows?: unknown } | null | undefined)?.rows
  return Array.isArray(rows) ? (rows as Row[]) : []
}

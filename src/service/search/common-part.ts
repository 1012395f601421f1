/** What two lists have in common, where a list that is absent holds everything. */
export function commonPart<Item>(
  one: readonly Item[] | undefined,
  other: readonly Item[] | undefined,
): readonly Item[] | undefined {
  if (one === undefined || other === undefined) return one ?? other
  const wanted = new Set(other)
  return one.filter((item) => wanted.has(item))
}

/** The first few of what is read in order: those that are wanted, and none from the first one on that is out of reach. */
export function take<Item>(
  items: Iterable<Item>,
  limit: number,
  conditions: {
    readonly where?: (item: Item) => boolean
    readonly while?: (item: Item) => boolean
  } = {},
): Item[] {
  const taken: Item[] = []
  if (limit <= 0) return taken
  for (const item of items) {
    if (conditions.while?.(item) === false) break
    if (conditions.where?.(item) === false) continue
    taken.push(item)
    if (taken.length >= limit) break
  }
  return taken
}

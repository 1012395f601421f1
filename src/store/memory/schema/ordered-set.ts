/** Says which of two comes first: negative, zero where they are the same, positive. */
export type Compare<Item> = (a: Item, b: Item) => number

/** Small enough that to move a bucket's items costs less than to search, large enough that there are few of them. */
const BUCKET_LIMIT = 512

/**
 * Items in order, each once. They stand in buckets, so that an item that comes or goes moves a few hundred at most; what comes in order
 * is appended.
 */
export class OrderedSet<Item> {
  readonly #compare: Compare<Item>
  /** None is empty. */
  readonly #buckets: Item[][] = []
  #size = 0

  constructor(compare: Compare<Item>) {
    this.#compare = compare
  }

  get size(): number {
    return this.#size
  }

  get first(): Item | undefined {
    return this.#buckets[0]?.[0]
  }

  /** An item that is there already stays. */
  add(item: Item): void {
    const last = this.#buckets.at(-1)
    if (!last || this.#compare(last.at(-1) as Item, item) < 0) this.#append(item, last)
    else this.#insert(item)
  }

  delete(item: Item): void {
    const isBefore = this.#before(item)
    const index = this.#bucketAt(isBefore)
    const bucket = this.#buckets[index]
    if (!bucket) return
    const position = countWhile(bucket, isBefore)
    if (this.#compare(bucket[position] as Item, item) !== 0) return
    // What goes is mostly the first, and to shift it costs a fraction of a splice.
    if (position === 0) bucket.shift()
    else bucket.splice(position, 1)
    if (bucket.length === 0) this.#buckets.splice(index, 1)
    this.#size -= 1
  }

  /** In order, from the first one on that does not stand before a point. The set must not change meanwhile. */
  *ascending(isBefore: (item: Item) => boolean = () => false): Generator<Item, void> {
    let index = this.#bucketAt(isBefore)
    let position = countWhile(this.#buckets[index] ?? [], isBefore)
    for (; index < this.#buckets.length; index += 1, position = 0) {
      const bucket = this.#buckets[index] as Item[]
      for (; position < bucket.length; position += 1) yield bucket[position] as Item
    }
  }

  /** The last one first, only those that stand before a point. The set must not change meanwhile. */
  *descending(isBefore: (item: Item) => boolean = () => true): Generator<Item, void> {
    let index = this.#bucketAt(isBefore)
    let position = countWhile(this.#buckets[index] ?? [], isBefore) - 1
    while (true) {
      const bucket = this.#buckets[index] ?? []
      for (; position >= 0; position -= 1) yield bucket[position] as Item
      if (index === 0) return
      index -= 1
      position = (this.#buckets[index] as Item[]).length - 1
    }
  }

  #append(item: Item, last: Item[] | undefined): void {
    if (last && last.length < BUCKET_LIMIT) last.push(item)
    else this.#buckets.push([item])
    this.#size += 1
  }

  #insert(item: Item): void {
    const isBefore = this.#before(item)
    const index = this.#bucketAt(isBefore)
    const bucket = this.#buckets[index] as Item[]
    const position = countWhile(bucket, isBefore)
    if (this.#compare(bucket[position] as Item, item) === 0) return
    bucket.splice(position, 0, item)
    if (bucket.length > BUCKET_LIMIT) this.#buckets.splice(index + 1, 0, bucket.splice(BUCKET_LIMIT / 2))
    this.#size += 1
  }

  /** The bucket that holds the first item that does not stand before a point. */
  #bucketAt(isBefore: (item: Item) => boolean): number {
    return countWhile(this.#buckets, (bucket) => isBefore(bucket.at(-1) as Item))
  }

  #before(item: Item): (other: Item) => boolean {
    return (other) => this.#compare(other, item) < 0
  }
}

/** How many at the beginning something is true of; it is true of none after the first of which it is not. */
function countWhile<Item>(items: readonly Item[], isTrue: (item: Item) => boolean): number {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isTrue(items[middle] as Item)) low = middle + 1
    else high = middle
  }
  return low
}

/** The first few of several sets, in order over all of them, and of each set at most `mostOf(set)`. */
export function firstOf<Item>(
  sets: readonly OrderedSet<Item>[],
  compare: Compare<Item>,
  limit: number,
  mostOf: (set: OrderedSet<Item>) => number = () => limit,
): Item[] {
  const heads = new OrderedSet<Head<Item>>((a, b) => compare(a.item, b.item))
  const advance = (rest: Iterator<Item, void>, left: number) => {
    const next = left > 0 ? rest.next() : { done: true as const }
    if (!next.done) heads.add({ item: next.value, rest, left: left - 1 })
  }
  for (const set of sets) advance(set.ascending(), mostOf(set))

  const found: Item[] = []
  while (found.length < limit) {
    const head = heads.first
    if (!head) break
    found.push(head.item)
    heads.delete(head)
    advance(head.rest, head.left)
  }
  return found
}

interface Head<Item> {
  readonly item: Item
  readonly rest: Iterator<Item, void>
  readonly left: number
}

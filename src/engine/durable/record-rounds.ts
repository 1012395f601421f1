import type { RecordItem } from '../../store/histories.ts'

/**
 * Several items of one run may tell of the same call, such as that an attempt has begun and that it has ended. The last word counts, and the others are left out: one
 * statement writes each entry once. One that is refused as early takes nobody's place, so that it goes with the next round.
 */
export function inRounds(items: readonly RecordItem[]): readonly (readonly RecordItem[])[] {
  if (items.length === 1) return [items]
  const rounds: RecordItem[][] = []
  let round = new Round()
  for (const item of items) {
    if (!round.takes(item)) {
      rounds.push(round.items)
      round = new Round()
    }
    round.add(item)
  }
  rounds.push(round.items)
  return rounds
}

class Round {
  readonly items: RecordItem[] = []
  /** The places of a run's items, as it is held: what is left of an earlier hold is refused, and must not take the place of what is not. */
  readonly #places = new Map<string, number[]>()

  takes(item: RecordItem): boolean {
    const places = this.#places.get(keyOf(item))
    if (!places || !item.entries.some(({ isTimer }) => isTimer)) return true
    const told = sequencesOf(item)
    return !places.some((place) => this.items[place]?.entries.some(({ sequence }) => told.has(sequence)))
  }

  add(item: RecordItem): void {
    const key = keyOf(item)
    const places = this.#places.get(key)
    if (places) {
      const told = sequencesOf(item)
      for (const place of places) this.#leaveOut(place, told)
      places.push(this.items.length)
    } else this.#places.set(key, [this.items.length])
    this.items.push(item)
  }

  #leaveOut(place: number, told: ReadonlySet<number>): void {
    const earlier = this.items[place]
    if (!earlier?.entries.some(({ sequence }) => told.has(sequence))) return
    this.items[place] = { ...earlier, entries: earlier.entries.filter(({ sequence }) => !told.has(sequence)) }
  }
}

function keyOf({ executionId, epoch }: RecordItem): string {
  return `${executionId} ${epoch}`
}

function sequencesOf({ entries }: RecordItem): ReadonlySet<number> {
  return new Set(entries.map(({ sequence }) => sequence))
}

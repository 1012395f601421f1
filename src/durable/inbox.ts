import type { ChildEnd, StoredSignal } from '../job/activity/history.ts'

type Taker<Item> = (item: Item) => void

/** What has come for a run and nobody has taken yet, and who waits for what: signals by name, ends of children by id. */
export class Inbox {
  readonly #signals = new Queues<StoredSignal>()
  readonly #ends = new Queues<ChildEnd>()
  /** Until their record is committed the store tells of them again. */
  readonly #seenSignals = new Set<number>()
  readonly #seenEnds = new Set<string>()

  addSignals(signals: readonly StoredSignal[]): void {
    for (const signal of signals) {
      if (this.#seenSignals.has(signal.id)) continue
      this.#seenSignals.add(signal.id)
      this.#signals.put(signal.name, signal)
    }
  }

  addEnds(ends: readonly ChildEnd[]): void {
    for (const end of ends) {
      if (this.#seenEnds.has(end.executionId)) continue
      this.#seenEnds.add(end.executionId)
      this.#ends.put(end.executionId, end)
    }
  }

  /** Calls with the next signal of a name, now or once it comes. Returns how to stop waiting. */
  takeSignal(name: string, take: Taker<StoredSignal>): () => void {
    return this.#signals.take(name, take)
  }

  /** It was taken, and not used: whoever asks next gets it before those that came after it. */
  putBack(signal: StoredSignal): void {
    this.#signals.putBack(signal.name, signal)
  }

  takeEnd(executionId: string, take: Taker<ChildEnd>): () => void {
    return this.#ends.take(executionId, take)
  }
}

/** Items and takers meet in the order in which they came. */
class Queues<Item> {
  readonly #items = new Map<string, Item[]>()
  readonly #takers = new Map<string, Taker<Item>[]>()

  put(key: string, item: Item): void {
    const taker = shift(this.#takers, key)
    if (taker) taker(item)
    else push(this.#items, key, item)
  }

  putBack(key: string, item: Item): void {
    const taker = shift(this.#takers, key)
    if (taker) taker(item)
    else this.#items.set(key, [item, ...(this.#items.get(key) ?? [])])
  }

  take(key: string, taker: Taker<Item>): () => void {
    const item = shift(this.#items, key)
    if (item !== undefined) {
      taker(item)
      return () => {}
    }
    push(this.#takers, key, taker)
    return () => {
      const waiting = this.#takers.get(key) ?? []
      const place = waiting.indexOf(taker)
      if (place >= 0) waiting.splice(place, 1)
    }
  }
}

function push<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

function shift<Value>(lists: Map<string, Value[]>, key: string): Value | undefined {
  const list = lists.get(key)
  const value = list?.shift()
  if (list?.length === 0) lists.delete(key)
  return value
}

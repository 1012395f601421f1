import type { ChildEnd, StoredSignal } from '../job/activity/history.ts'

type Taker<Item> = (item: Item) => void

/** The signals and ended children of a run that no call has taken, and the calls that wait for one: by signal name, by child id. */
export class Inbox {
  readonly #signals = new Queues<StoredSignal>()
  readonly #ends = new Queues<ChildEnd>()
  /** The store reports them again until their record is committed. */
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

  /** Calls with the next signal of a name. Returns a function that stops the wait. */
  takeSignal(name: string, take: Taker<StoredSignal>): () => void {
    return this.#signals.take(name, take)
  }

  /** Returns an unused signal to the front of its queue. */
  putBack(signal: StoredSignal): void {
    this.#signals.putBack(signal.name, signal)
  }

  takeEnd(executionId: string, take: Taker<ChildEnd>): () => void {
    return this.#ends.take(executionId, take)
  }
}

/** Matches items and takers in the order of their arrival. */
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

import { type CancelTimer, eventLoopTurn } from '../../../src/clock.ts'
import type { Chance } from '../../harness/chance.ts'

interface Happening {
  readonly at: number
  /** Decides between those of the same instant. */
  readonly tie: number
  readonly order: number
  call: (() => void) | null
}

/** What happens, in order of its time; what happens at the same time is put in order by chance. Nothing else moves the clock. */
export class VirtualTime {
  readonly #chance: Chance
  readonly #heap: Happening[] = []
  #now: number
  #order = 0
  /** How much has happened. */
  count = 0

  constructor(startAt: number, chance: Chance) {
    this.#now = startAt
    this.#chance = chance
  }

  get now(): number {
    return this.#now
  }

  /** Calls at an instant, or at once where that is past. */
  at(instant: number, call: () => void): CancelTimer {
    this.#order += 1
    const happening: Happening = {
      at: Math.max(this.#now, Math.ceil(instant)),
      tie: this.#chance.word(),
      order: this.#order,
      call,
    }
    this.#push(happening)
    return () => {
      happening.call = null
    }
  }

  after(delayMs: number, call: () => void): CancelTimer {
    return this.at(this.#now + Math.max(0, delayMs), call)
  }

  /** Lets everything happen up to an instant, or until `isOver`. After each, all that follows from it without time is done. */
  async runTo(instant: number, isOver: () => boolean): Promise<void> {
    await eventLoopTurn()
    while (!isOver()) {
      const next = this.#heap[0]
      if (next === undefined || next.at > instant) break
      this.#pop()
      if (next.call === null) continue
      this.#now = next.at
      this.count += 1
      next.call()
      await eventLoopTurn()
    }
    if (!isOver()) this.#now = Math.max(this.#now, instant)
  }

  #push(happening: Happening): void {
    const heap = this.#heap
    let place = heap.length
    heap.push(happening)
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above] as Happening
      if (!isBefore(happening, parent)) break
      heap[place] = parent
      place = above
    }
    heap[place] = happening
  }

  #pop(): void {
    const heap = this.#heap
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    let place = 0
    for (;;) {
      let below = place * 2 + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Happening, heap[below] as Happening)) below += 1
      if (!isBefore(heap[below] as Happening, last)) break
      heap[place] = heap[below] as Happening
      place = below
    }
    heap[place] = last
  }
}

function isBefore(a: Happening, b: Happening): boolean {
  if (a.at !== b.at) return a.at < b.at
  return a.tie === b.tie ? a.order < b.order : a.tie < b.tie
}

import type { Fires } from './fire-times.ts'

interface Head {
  readonly place: number
  readonly at: number
  readonly index: number
}

/** Goes through the fires of many in the order of time, and tells by their place in the list whose each is. At one instant the first in the list comes first. */
export function* inOrder(all: readonly Fires[]): Generator<{ readonly place: number; readonly at: number }> {
  const heap: Head[] = []
  for (const [place, fires] of all.entries()) if (fires.count > 0) push(heap, { place, at: fires.at(0), index: 0 })
  for (let head = pop(heap); head; head = pop(heap)) {
    yield head
    const { place, index } = head
    const fires = all[place]
    if (fires && index + 1 < fires.count) push(heap, { place, at: fires.at(index + 1), index: index + 1 })
  }
}

function isBefore(one: Head, other: Head): boolean {
  return one.at === other.at ? one.place < other.place : one.at < other.at
}

/** The earliest stands at 0; each stands before those at twice its place and one or two. */
function push(heap: Head[], head: Head): void {
  let at = heap.length
  while (at > 0) {
    const above = (at - 1) >> 1
    const parent = heap[above]
    if (!parent || !isBefore(head, parent)) break
    heap[at] = parent
    at = above
  }
  heap[at] = head
}

function pop(heap: Head[]): Head | undefined {
  const [first] = heap
  const last = heap.pop()
  if (!last || heap.length === 0) return first
  let at = 0
  for (;;) {
    const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]]
    const next = right && left && isBefore(right, left) ? 2 * at + 2 : 2 * at + 1
    const child = heap[next]
    if (!child || !isBefore(child, last)) break
    heap[at] = child
    at = next
  }
  heap[at] = last
  return first
}

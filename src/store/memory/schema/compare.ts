import type { Compare } from './ordered-set.ts'

/** For ids and other text of which only ASCII is expected. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const FIRST_SURROGATE = 0xd800
const LAST_SURROGATE = 0xdfff

/** By code point, as PostgreSQL's collation "C" does; JavaScript compares units, which puts surrogates before U+E000. */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return rank(left) - rank(right)
  }
  return a.length - b.length
}

/** A surrogate stands for a code point above all that one unit can hold. */
function rank(unit: number): number {
  return unit >= FIRST_SURROGATE && unit <= LAST_SURROGATE ? unit + 0x10000 : unit
}

/** By several things, the first one that differs. */
export function inOrderOf<Item>(...compares: readonly Compare<Item>[]): Compare<Item> {
  return (a, b) => {
    for (const compare of compares) {
      const order = compare(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

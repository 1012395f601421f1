/**
 * The instant just after the first `few` of something that can be counted, by bisection: `count(to)` tells how many lie before `to`.
 * Where there are not so many, `until`.
 */
export function endOfFirst(few: number, from: number, until: number, count: (to: number) => number): number {
  let low = from
  let high = from + 1
  while (high < until && count(high) < few) {
    low = high
    high = Math.min(from + (high - from) * 2, until)
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (count(middle) < few) low = middle
    else high = middle
  }
  return high
}

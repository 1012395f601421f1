import { PontualError } from '../errors.ts'

/** When something is due cannot be worked out in as many steps as there are. */
export class SearchTooLongError extends PontualError {}

/** Steps that may still be taken; outside of `withinSteps` there is no end to them. */
let left = Number.POSITIVE_INFINITY
let taken = 0

/**
 * Works something out that may look at so many fire times and stretches of calendars, and throws a SearchTooLongError once it has looked at more. Rules may be
 * wrapped into one another so that each excludes what the other leaves: to find that out could take for ever, and the same steps are counted on every machine.
 */
export function withinSteps<Result>(steps: number, work: () => Result): Result {
  const outer = left
  const given = Math.min(steps, outer)
  left = given
  try {
    return work()
  } finally {
    left = outer - (given - left)
  }
}

/** How many steps were ever taken: the difference between two is what something has cost. */
export function stepsTaken(): number {
  return taken
}

/** Taken with every fire time and every stretch that is looked at. */
export function takeStep(): void {
  left -= 1
  taken += 1
  if (left < 0) {
    throw new SearchTooLongError('trigger.search_too_long', 'It takes too long to work out when this would fire.')
  }
}

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

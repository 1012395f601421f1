import fc from 'fast-check'
import { describe, it } from 'vitest'
import { DAY_MS } from '../../../src/duration.ts'
import { type CronTrigger, cron } from '../../../src/time/triggers/cron.ts'
import { FROM, TO, ZONES } from './cron-sweep.ts'
import { chanceOf, randomExpression } from './expressions.ts'

const MOST_FIRES = 150
const CHECKS = { numRuns: 2_000, seed: 20_260_101 }

const options = fc.record({
  timeZone: fc.constantFrom(...ZONES),
  gap: fc.constantFrom('shift' as const, 'skip' as const),
  overlap: fc.constantFrom(undefined, 'first' as const, 'last' as const, 'both' as const),
  dayRule: fc.constantFrom('or' as const, 'and' as const),
})
const expression = fc.integer({ min: 0 }).map((seed) => randomExpression(chanceOf(seed)))
const instant = fc.integer({ min: FROM, max: TO })
const spanMs = fc.integer({ min: 0, max: 3 * 366 * DAY_MS })

/** Checks a fact about random expressions in random zones at random instants. */
function holds(fact: (trigger: CronTrigger, at: number, later: number, latest: number) => boolean): void {
  const property = fc.property(expression, options, instant, spanMs, spanMs, (text, how, at, span, further) =>
    fact(cron(text, how), at, at + span, at + span + further),
  )
  fc.assert(property, CHECKS)
}

/** The end of a range in which a trigger fires so many times at most. */
function endOf(trigger: CronTrigger, from: number, to: number): number {
  let at: number | null = from
  for (let fires = 0; fires < MOST_FIRES && at !== null; fires++) at = trigger.next(at)
  return Math.min(to, at ?? to)
}

describe('any cron expression, in any zone, from 1970 to 2037', () => {
  it('fires next after the instant asked about', () => {
    holds((trigger, at) => {
      const next = trigger.next(at)
      // Also where the instant is itself a fire time, which chance hardly ever finds.
      return next === null || (next > at && (trigger.next(next) ?? Number.POSITIVE_INFINITY) > next)
    })
  })

  it('fired previously before the instant asked about', () => {
    holds((trigger, at) => {
      const previous = trigger.previous(at)
      return previous === null || previous < at
    })
  })

  it('has, before the next fire time, the last at or before the instant', () => {
    holds((trigger, at) => {
      const next = trigger.next(at)
      if (next === null) return trigger.isNever || trigger.previous(at + 1) !== null
      const previous = trigger.previous(next)
      return previous === trigger.previous(at + 1) && (previous === null || previous <= at)
    })
  })

  it('has, after the previous fire time, the first at or after the instant', () => {
    holds((trigger, at) => {
      const previous = trigger.previous(at)
      const next = previous === null ? null : trigger.next(previous)
      return previous === null || next === null || (next >= at && next === trigger.next(at - 1))
    })
  })

  it('fires in a range as often as it counts', () => {
    holds((trigger, from, later) => {
      const to = endOf(trigger, from, later)
      return trigger.count(from, to) === [...trigger.between(from, to)].length
    })
  })

  it('lists fire times in order, each once, within the range', () => {
    holds((trigger, from, later) => {
      const to = endOf(trigger, from, later)
      const listed = [...trigger.between(from, to)]
      return listed.every((at, index) => at >= from && at < to && (index === 0 || at > (listed[index - 1] ?? at)))
    })
  })

  it('counts in two parts of a range what it counts in the whole', () => {
    holds((trigger, a, b, c) => trigger.count(a, c) === trigger.count(a, b) + trigger.count(b, c))
  })
})

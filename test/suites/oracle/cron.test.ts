import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/duration.ts'
import { Comparison } from './comparison.ts'
import { compareCron, FROM, ODD_CHANGES, RULES, TO, windowAround, ZONES } from './cron-sweep.ts'
import { chanceOf, EXPRESSIONS } from './expressions.ts'
import { wallClock } from './wall-clock.ts'

describe('cron as the oracle', () => {
  it.each(ODD_CHANGES)('fires the same in %s around %s', (zone, date) => {
    const chance = chanceOf(1)
    const comparison = new Comparison()
    const day = Date.parse(`${date}T00:00:00Z`)
    const clock = wallClock(zone)
    const change = clock.changes(day - 2 * DAY_MS, day + 2 * DAY_MS, DAY_MS)[0]
    expect(change, 'a change of the clock').toBeDefined()
    const stretches = clock.around(day - 6 * DAY_MS, day + 6 * DAY_MS)
    for (const expression of EXPRESSIONS) {
      for (const rules of [RULES[0], RULES[chance(RULES.length)], RULES[chance(RULES.length)]]) {
        const window = windowAround(change ?? day, expression, chance)
        compareCron(comparison, expression, zone, rules ?? {}, window, stretches, chance)
      }
    }
    expect(comparison.differences).toEqual([])
    expect(comparison.compared).toBeGreaterThan(10_000)
  })

  it('fires the same in every zone, around changes of its clock and at other times', () => {
    const chance = chanceOf(2)
    const comparison = new Comparison()
    for (const zone of ZONES) {
      const clock = wallClock(zone)
      const changes = clock.changes(FROM, TO, 10 * DAY_MS)
      const instants = Array.from({ length: 3 }, () => changes[chance(Math.max(changes.length, 1))] ?? FROM)
      for (const instant of [...instants, FROM + chance((TO - FROM) / 1000) * 1000]) {
        const stretches = clock.around(instant - 4 * DAY_MS, instant + 4 * DAY_MS)
        for (let turn = 0; turn < 3; turn++) {
          const expression = EXPRESSIONS[chance(EXPRESSIONS.length)] ?? ''
          const window = windowAround(instant, expression, chance)
          const rules = RULES[chance(RULES.length)] ?? {}
          compareCron(comparison, expression, zone, rules, window, stretches, chance)
        }
      }
    }
    expect(comparison.differences).toEqual([])
    expect(comparison.compared).toBeGreaterThan(500_000)
  })
})

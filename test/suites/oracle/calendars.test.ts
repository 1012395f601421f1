import { describe, expect, it } from 'vitest'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../src/duration.ts'
import { type Calendar, type CalendarJson, calendarFrom } from '../../../src/time.ts'
import { includes } from './calendar-oracle.ts'
import { type Chance, chanceOf } from './expressions.ts'
import { randomCalendar, randomPlace } from './random-json.ts'

const RUNS = 400

interface Example {
  readonly json: CalendarJson
  readonly calendar: Calendar
  readonly chance: Chance
  /** Instants around an odd change of the clock, many on the edges at which calendars change their mind. */
  readonly instants: readonly number[]
}

function* examples(): Generator<Example> {
  for (let seed = 1; seed <= RUNS; seed++) {
    const chance = chanceOf(seed)
    const place = randomPlace(chance)
    const json = randomCalendar(chance, place)
    const instants = Array.from({ length: 30 }, () => {
      const at = place.at + chance(8 * DAY_MS) - 4 * DAY_MS
      const edge = Math.floor(at / (HOUR_MS / 2)) * (HOUR_MS / 2)
      return [at, edge, edge - 1, edge + 1][chance(4)] ?? at
    })
    yield { json, calendar: calendarFrom(json), chance, instants }
  }
}

describe('calendars as the oracle', () => {
  it('include the same instants', () => {
    for (const { json, calendar, instants } of examples()) {
      const expected = instants.map((at) => [at, includes(json, at)])
      const actual = instants.map((at) => [at, calendar.isIncluded(at)])
      expect(actual, JSON.stringify(json)).toEqual(expected)
    }
  })

  it('tell stretches that begin at the instant asked about and are all alike', () => {
    for (const { json, calendar, instants, chance } of examples()) {
      for (const at of instants) {
        const { isIncluded, until } = calendar.stretchAt(at)
        expect(until, JSON.stringify(json)).toBeGreaterThan(at)
        const end = Math.min(until, at + 60 * DAY_MS)
        const inside = [at, end - 1, ...Array.from({ length: 8 }, () => at + chance(end - at))]
        const others = inside.filter((each) => includes(json, each) !== isIncluded)
        expect(others, `${JSON.stringify(json)} at ${at} until ${until}`).toEqual([])
      }
    }
  })

  it('find the next included instant, with nothing included before it', () => {
    for (const { json, calendar, instants, chance } of examples()) {
      for (const at of instants.slice(0, 4)) {
        const found = calendar.nextIncluded(at)
        const name = `${JSON.stringify(json)} at ${at} found ${found}`
        if (found !== null) expect(includes(json, found), name).toBe(true)
        const end = found ?? at + 400 * DAY_MS
        const minutes = Math.min(Math.ceil((end - at) / MINUTE_MS), 120)
        const walked = Array.from({ length: minutes }, (_, minute) => at + minute * MINUTE_MS)
        const sampled = end > at ? Array.from({ length: 30 }, () => at + chance(end - at)) : []
        const before = [...walked, ...sampled, end - 1].filter((each) => each >= at && each < end)
        expect(
          before.filter((each) => includes(json, each)),
          name,
        ).toEqual([])
      }
    }
  })

  it('are the same when read back from their JSON', () => {
    for (const { calendar, instants } of examples()) {
      const stored = JSON.stringify(calendar)
      const read = calendarFrom(JSON.parse(stored))
      expect(JSON.stringify(read)).toBe(stored)
      for (const at of instants) expect(read.stretchAt(at), stored).toEqual(calendar.stretchAt(at))
    }
  })
})

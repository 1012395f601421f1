import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../../src/duration.ts'
import { type CalendarJson, type TriggerJson, triggerFrom } from '../../../src/time.ts'
import { Comparison } from './comparison.ts'
import { type Chance, chanceOf } from './expressions.ts'
import {
  type Place,
  randomCalendar,
  randomCron,
  randomDaily,
  randomInterval,
  randomMonthEnd,
  randomPlace,
  randomPlain,
  randomSimple,
} from './random-json.ts'
import { firesOf } from './trigger-oracle.ts'

type Make = (chance: Chance, place: Place) => TriggerJson

/** Compares many random triggers with the oracle, in days around odd changes of the clock. */
function differencesOf(make: Make, runs: number, days: number): string[] {
  const all: string[] = []
  for (let seed = 1; seed <= runs && all.length < 12; seed++) {
    const chance = chanceOf(seed)
    const place = randomPlace(chance)
    const json = make(chance, place)
    const from = place.at - chance(days * DAY_MS)
    const to = from + chance(2 * days * DAY_MS)
    const comparison = new Comparison()
    comparison.compare(`${seed} ${JSON.stringify(json)}`, triggerFrom(json), firesOf(json, from, to), from, to, chance)
    all.push(...comparison.differences.slice(0, 2))
  }
  return all
}

function once(_: Chance, { at }: Place): TriggerJson {
  return { type: 'once', at: new Date(at).toISOString() }
}

function jittered(chance: Chance, place: Place): TriggerJson {
  return {
    type: 'jittered',
    trigger: randomPlain(chance, place),
    withinMs: 1 + chance(9_000_000),
    identity: `job ${chance(99)}`,
  }
}

function skipped(chance: Chance, place: Place): TriggerJson {
  const trigger = randomPlain(chance, place)
  return { type: 'calendared', trigger, calendar: randomCalendar(chance, place), onExcluded: 'skip' }
}

const rolled =
  (onExcluded: 'nextDay' | 'previousDay'): Make =>
  (chance, place) => ({
    type: 'calendared',
    trigger: randomCron(chance, place),
    calendar: calendarOfDays(chance, place),
    onExcluded,
  })

/** A calendar under which a fire time does not have to move for months. */
function calendarOfDays(chance: Chance, place: Place): CalendarJson {
  const calendar = randomCalendar(chance, place)
  return excludesTimes(calendar) ? calendarOfDays(chance, place) : calendar
}

function excludesTimes({ type, base }: CalendarJson): boolean {
  return type === 'daily' || type === 'cron' || (base !== undefined && excludesTimes(base))
}

describe('triggers as the oracle', () => {
  it.each<[string, Make, number, number]>([
    ['once', once, 50, 3],
    ['simple', randomSimple, 150, 4],
    ['calendarInterval', randomInterval, 600, 20],
    ['calendarInterval over years', randomInterval, 60, 800],
    ['calendarInterval from month ends', randomMonthEnd, 150, 800],
    ['dailyTimeInterval', randomDaily, 300, 8],
    ['cron', randomCron, 100, 8],
    ['jittered', jittered, 200, 5],
    ['calendared with skip', skipped, 120, 5],
    ['calendared with nextDay', rolled('nextDay'), 40, 8],
    ['calendared with previousDay', rolled('previousDay'), 40, 8],
  ])('%s fires at the same instants', (_, make, runs, days) => {
    expect(differencesOf(make, runs, days)).toEqual([])
  })
})

describe('a trigger read back from its JSON', () => {
  it.each<[string, Make]>([
    ['simple', randomSimple],
    ['calendarInterval', randomInterval],
    ['dailyTimeInterval', randomDaily],
    ['cron', randomCron],
    ['jittered', jittered],
    ['calendared with skip', skipped],
    ['calendared with nextDay', rolled('nextDay')],
  ])('%s is the same and fires at the same instants', (_, make) => {
    for (let seed = 1; seed <= 60; seed++) {
      const chance = chanceOf(seed)
      const place = randomPlace(chance)
      const trigger = triggerFrom(make(chance, place))
      const stored = JSON.stringify(trigger)
      const read = triggerFrom(JSON.parse(stored))
      expect(JSON.stringify(read)).toBe(stored)
      const [from, to] = [place.at - DAY_MS, place.at + DAY_MS]
      expect([...read.between(from, to)], stored).toEqual([...trigger.between(from, to)])
      expect(read.previous(to), stored).toBe(trigger.previous(to))
      expect(read.count(from, to), stored).toBe(trigger.count(from, to))
    }
  })
})

import fc from 'fast-check'
import { DAY_MS } from '../../../src/duration.ts'
import { SearchTooLongError, withinSteps } from '../../../src/time/search.ts'
import { triggerStateFrom } from '../../../src/time/trigger-state.ts'
import {
  type Calendar,
  type CalendarJson,
  calendarFrom,
  misfireRules,
  type Trigger,
  type TriggerJson,
  triggerFrom,
} from '../../../src/time.ts'
import { type Chance, chanceOf } from '../../suites/oracle/expressions.ts'
import { randomCalendar, randomCron, randomPlace, randomPlain } from '../../suites/oracle/random-json.ts'
import { type Check, check } from './check.ts'
import { reading, requireEqual, requireThat, requireUnpolluted, within } from './expectations.ts'
import { damagedJson, hostileValue } from './json-damage.ts'

const CODES = [
  'fields.invalid',
  'option.invalid',
  'instant.invalid',
  'duration.invalid',
  'time_of_day.invalid',
  'zone.unknown',
  'trigger.invalid',
  'calendar.invalid',
  'misfire.policy_unknown',
  /^cron\./,
]
const READ_MS = 250
/** As many as a service allows whoever sends a trigger. */
const STEPS = 20_000
const SEARCH_MS = 2_000

const seed = fc.nat()

/** A trigger of any kind, the wrapped ones as well. */
function randomTrigger(chance: Chance): TriggerJson {
  const place = randomPlace(chance)
  switch (chance(4)) {
    case 0:
      return {
        type: 'jittered',
        trigger: randomPlain(chance, place),
        withinMs: 1 + chance(9_000_000),
        identity: `job ${chance(99)}`,
      }
    case 1:
      return {
        type: 'calendared',
        trigger: randomPlain(chance, place),
        calendar: randomCalendar(chance, place),
        onExcluded: 'skip',
      }
    case 2: {
      const onExcluded = chance(2) === 0 ? 'nextDay' : 'previousDay'
      return {
        type: 'calendared',
        trigger: randomCron(chance, place),
        calendar: randomCalendar(chance, place),
        onExcluded,
      }
    }
    default:
      return randomPlain(chance, place)
  }
}

const triggerJson = seed.map((each) => randomTrigger(chanceOf(each)))
const calendarJson: fc.Arbitrary<CalendarJson> = seed.map((each) => {
  const chance = chanceOf(each)
  return randomCalendar(chance, randomPlace(chance))
})
const instant = fc.integer({ min: 0, max: Date.UTC(2040, 0, 1) })

/** An answer, or that it was not found in as many steps as are allowed. */
function searched<Answer>(act: () => Answer): Answer | 'too long' {
  return within(SEARCH_MS, 'a search', () => {
    try {
      return withinSteps(STEPS, act)
    } catch (error) {
      if (error instanceof SearchTooLongError) return 'too long'
      throw error
    }
  })
}

function answersOf(trigger: Trigger, at: number): unknown[] {
  return [
    searched(() => trigger.next(at)),
    searched(() => trigger.previous(at)),
    searched(() => trigger.count(at, at + 3 * DAY_MS)),
  ]
}

/** What was stored of it and read again is stored alike, and answers alike. */
function requireSameTrigger(trigger: Trigger, at: number): void {
  const stored = JSON.stringify(trigger)
  const again = triggerFrom(JSON.parse(stored))
  requireEqual(JSON.stringify(again), stored, 'what is stored of it')
  const answers = answersOf(trigger, at)
  requireEqual(answersOf(again, at), answers, `answers of ${stored}`)
  const [next, previous] = answers
  requireThat(typeof next !== 'number' || next > at, () => `next(${at}) of ${stored} is ${String(next)}`)
  requireThat(
    typeof previous !== 'number' || previous < at,
    () => `previous(${at}) of ${stored} is ${String(previous)}`,
  )
}

function requireSameCalendar(calendar: Calendar, at: number): void {
  const stored = JSON.stringify(calendar)
  const again = calendarFrom(JSON.parse(stored))
  requireEqual(JSON.stringify(again), stored, 'what is stored of it')
  const stretch = searched(() => calendar.stretchAt(at))
  requireEqual(
    searched(() => again.stretchAt(at)),
    stretch,
    `the stretch of ${stored} at ${at}`,
  )
  requireThat(stretch === 'too long' || stretch.until > at, () => `a stretch of ${stored} that ends before it begins`)
  requireEqual(
    searched(() => again.nextIncluded(at)),
    searched(() => calendar.nextIncluded(at)),
    'the next included',
  )
}

/** Reads something hostile: what is accepted is sound, what is not is refused by name, and nothing else is touched. */
function readHostile<Value>(json: unknown, read: (json: unknown) => Value, sound: (value: Value) => void): void {
  const result = within(READ_MS, 'reading it', () => reading(() => read(json), CODES))
  requireUnpolluted()
  if ('value' in result) sound(result.value)
}

const misfireOptions = fc.record(
  {
    policy: fc.constantFrom('smart', 'fireNow', 'fireAll', 'doNothing', 'rescheduleNextWithExistingCount'),
    threshold: fc.oneof(fc.nat(), fc.constantFrom('5m', '1h 30m')),
    causes: fc.dictionary(
      fc.constantFrom('outage', 'overload', 'paused', 'edited'),
      fc.constantFrom('fireOnce', 'ignore'),
    ),
    catchUp: fc.record(
      {
        limit: fc.nat(),
        maxAge: fc.constantFrom('1d', 5),
        order: fc.constantFrom('oldestFirst', 'newestFirst'),
        spacing: fc.nat(),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
)

export const timeJsonChecks: readonly Check[] = [
  check(
    { target: 'json', name: 'a trigger is the same when it is read back', inputs: 'triggers stored and read back' },
    () => fc.property(triggerJson, instant, (json, at) => requireSameTrigger(triggerFrom(json), at)),
  ),
  check(
    { target: 'json', name: 'a calendar is the same when it is read back', inputs: 'calendars stored and read back' },
    () => fc.property(calendarJson, instant, (json, at) => requireSameCalendar(calendarFrom(json), at)),
  ),
  check(
    {
      target: 'json',
      name: 'a damaged trigger is refused by name, or is sound',
      inputs: 'damaged trigger JSON',
      share: 2,
    },
    () =>
      fc.property(fc.oneof({ weight: 9, arbitrary: damagedJson(triggerJson) }, hostileValue), instant, (json, at) =>
        readHostile(json, triggerFrom, (trigger) => requireSameTrigger(trigger, at)),
      ),
  ),
  check(
    {
      target: 'json',
      name: 'a damaged calendar is refused by name, or is sound',
      inputs: 'damaged calendar JSON',
      share: 2,
    },
    () =>
      fc.property(fc.oneof({ weight: 9, arbitrary: damagedJson(calendarJson) }, hostileValue), instant, (json, at) =>
        readHostile(json, calendarFrom, (calendar) => requireSameCalendar(calendar, at)),
      ),
  ),
  check(
    {
      target: 'json',
      name: 'calendars and triggers in one another are read up to a depth',
      inputs: 'nested trigger and calendar JSON',
    },
    () =>
      fc.property(
        triggerJson,
        calendarJson,
        fc.integer({ min: 1, max: 10_000 }),
        fc.boolean(),
        (inner, calendar, depth, isTrigger) => {
          if (isTrigger) readHostile(wrapped(inner, depth), triggerFrom, () => {})
          else readHostile(based(calendar, depth), calendarFrom, () => {})
        },
      ),
  ),
  check(
    {
      target: 'json',
      name: 'rules for misfires and states of triggers are read or refused by name',
      inputs: 'damaged misfire rules and trigger states',
    },
    () =>
      fc.property(damagedJson(misfireOptions), damagedJson(stateJson), (rules, state) => {
        readHostile(
          rules,
          (json) => misfireRules(json as never),
          (read) => requireEqual(JSON.stringify(JSON.parse(JSON.stringify(read))), JSON.stringify(read), 'rules'),
        )
        readHostile(state, triggerStateFrom, () => {})
      }),
  ),
]

const stateJson = fc
  .tuple(triggerJson, fc.option(instant), fc.option(instant), fc.nat())
  .map(([trigger, nextFireAt, previousFireAt, timesTriggered]) => ({
    trigger,
    nextFireAt,
    previousFireAt,
    timesTriggered,
  }))

function wrapped(inner: TriggerJson, depth: number): unknown {
  let json: unknown = inner
  for (let level = 0; level < depth; level += 1) json = { type: 'jittered', trigger: json, withinMs: 1, identity: 'a' }
  return json
}

function based(calendar: CalendarJson, depth: number): unknown {
  let json: unknown = calendar
  for (let level = 0; level < depth; level += 1) json = { type: 'weekly', weekdays: [level % 7], base: json }
  return json
}

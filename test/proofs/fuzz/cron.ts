import fc from 'fast-check'
import { parseCron } from '../../../src/time/cron/parse.ts'
import { type CronTrigger, cron } from '../../../src/time/triggers/cron.ts'
import { Comparison } from '../../suites/oracle/comparison.ts'
import { compareCron, FROM, ODD_CHANGES, RULES, TO, windowAround, ZONES } from '../../suites/oracle/cron-sweep.ts'
import { chanceOf } from '../../suites/oracle/expressions.ts'
import { WallClock } from '../../suites/oracle/wall-clock.ts'
import { type Check, check } from './check.ts'
import { CRON_TOKENS, DATES_THAT_NEVER_COME, grammatical, macro, respelled, spread } from './cron-texts.ts'
import { type Read, reading, requireEqual, requireThat, within } from './expectations.ts'
import { anyTextOrLong, damaged } from './texts.ts'

const CODES = [/^cron\./, 'option.invalid', 'zone.unknown']
const FIELDS = ['second', 'minute', 'hour', 'day-of-month', 'month', 'day-of-week']
/** To read an expression, and to find a fire time however far away it is. */
const READ_MS = 250
const SEARCH_MS = 500

const instant = fc.integer({ min: FROM, max: TO })
const zone = fc.constantFrom(...ZONES)
const rules = fc.constantFrom(...RULES)
const identity = fc.string({ minLength: 1, maxLength: 20 })

/** Reads an expression, in the time that it may take, and looks at why where it is refused. */
function read(text: string, options: Parameters<typeof cron>[1] = {}): Read<CronTrigger> {
  const result = within(READ_MS, 'reading it', () => reading(() => cron(text, options), CODES))
  if ('refusal' in result && result.refusal.code === 'cron.field_invalid') {
    const { message, details } = result.refusal
    const isNamed = FIELDS.some((field) => details['field'] === field && message.includes(field))
    requireThat(isNamed, () => `the field is not named: ${message}`)
  }
  return result
}

/** What a trigger answers is a fire time, on the right side of what it was asked about, and found in time. */
function requireOrdered(trigger: CronTrigger, at: number): void {
  const next = within(SEARCH_MS, 'next', () => trigger.next(at))
  const previous = within(SEARCH_MS, 'previous', () => trigger.previous(at))
  requireThat(next === null || next > at, () => `next(${at}) is ${next}`)
  requireThat(previous === null || previous < at, () => `previous(${at}) is ${previous}`)
  requireThat(!trigger.isNever || (next === null && previous === null), () => 'it fires though it never does')
  if (next !== null) requireEqual(trigger.next(next - 1), next, 'the next one, asked for just before it')
  within(SEARCH_MS, 'count', () => trigger.count(at, at + 400 * 86_400_000))
}

/** What was understood, written down and read again, is understood alike. */
function requireSameAgain(text: string, trigger: CronTrigger, options: Parameters<typeof cron>[1], at: number): void {
  const { expression } = parseCron(text, options)
  requireEqual(parseCron(expression, options).expression, expression, 'what it was understood as, read again')
  const again = cron(expression, options)
  requireEqual(fires(again, at), fires(trigger, at), `fire times of "${expression}"`)
}

function fires(trigger: CronTrigger, from: number): (number | null)[] {
  const found: (number | null)[] = []
  let at: number | null = from
  for (let count = 0; count < 5 && at !== null; count += 1) {
    at = trigger.next(at)
    found.push(at)
  }
  return found
}

const valid = fc.oneof(grammatical, respelled, macro, spread)

export const cronChecks: readonly Check[] = [
  check(
    {
      target: 'cron',
      name: 'what the grammar allows is read, and reads the same when written down',
      inputs: 'valid cron expressions',
    },
    () =>
      fc.property(valid, identity, zone, instant, (text, name, timeZone, at) => {
        const result = read(text, { identity: name, timeZone })
        if ('refusal' in result) throw result.refusal
        requireOrdered(result.value, at)
        requireSameAgain(text, result.value, { identity: name, timeZone }, at)
      }),
  ),
  check(
    {
      target: 'cron',
      name: 'damaged expressions are read or refused by field, at once',
      inputs: 'damaged cron expressions',
      share: 2,
    },
    () =>
      fc.property(damaged(valid, CRON_TOKENS), fc.option(identity, { nil: undefined }), instant, (text, name, at) => {
        const result = read(text, { identity: name })
        if (!('value' in result)) return
        requireOrdered(result.value, at)
        requireSameAgain(text, result.value, { identity: name }, at)
      }),
  ),
  check(
    {
      target: 'cron',
      name: 'any text, in any zone, is read or refused by name',
      inputs: 'texts that are no cron expressions',
    },
    () =>
      fc.property(anyTextOrLong, anyTextOrLong, instant, (text, timeZone, at) => {
        const result = read(text)
        if ('value' in result) requireOrdered(result.value, at)
        const zoned = within(READ_MS, 'reading a zone', () => reading(() => cron('0 2 * * *', { timeZone }), CODES))
        if ('value' in zoned) requireOrdered(zoned.value, at)
      }),
  ),
  check(
    {
      target: 'cron',
      name: 'dates that never come are known at once',
      inputs: 'cron expressions of dates that are rare or never come',
    },
    () =>
      fc.property(rareDate, zone, fc.integer({ min: -62e12, max: 250e12 }), (text, timeZone, at) => {
        const result = read(text, { timeZone })
        if ('refusal' in result) throw result.refusal
        requireOrdered(result.value, at)
      }),
  ),
  check(
    {
      target: 'cron',
      name: 'fires when the oracle says, in every zone, also where clocks change',
      inputs: 'cron expressions compared with the oracle',
      share: 3,
      invariants: ['I4'],
    },
    () =>
      fc.property(
        grammatical,
        fc.oneof(oddPlace, fc.tuple(zone, instant)),
        rules,
        fc.nat(),
        (text, [timeZone, at], rule, seed) => {
          const chance = chanceOf(seed)
          const window = windowAround(at, text, chance)
          const comparison = new Comparison()
          const stretches = clockOf(timeZone).around(window.from, window.to)
          compareCron(comparison, text, timeZone, rule, window, stretches, chance)
          requireThat(comparison.differed === 0, () => comparison.differences.slice(0, 3).join('\n'))
        },
      ),
  ),
]

const oddPlace = fc
  .tuple(fc.constantFrom(...ODD_CHANGES), fc.integer({ min: -172_800, max: 172_800 }))
  .map(([[timeZone, date], seconds]): [string, number] => [timeZone, Date.parse(`${date}T00:00:00Z`) + seconds * 1000])

const rareDate = fc.oneof(
  fc.constantFrom(...DATES_THAT_NEVER_COME),
  fc
    .tuple(
      fc.constantFrom('29', '30', '31', '31W', 'L-29', 'L-30W', '29W'),
      fc.constantFrom('2', '2,4', '4', '*', 'FEB'),
      fc.constantFrom('*', '1#5', '5L', '0', '1-5', '6#1'),
    )
    .map(([day, month, weekday]) => `59 23 ${day} ${month} ${weekday}`),
)

const clocks = new Map<string, WallClock>()

function clockOf(timeZone: string): WallClock {
  // One for each zone remembers every offset that was asked for: a long run would fill the memory.
  if (clocks.size > 50) clocks.clear()
  const clock = clocks.get(timeZone) ?? new WallClock(timeZone)
  clocks.set(timeZone, clock)
  return clock
}

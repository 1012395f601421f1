import { CronExpressionParser } from 'cron-parser'
import { Cron } from 'croner'
import { CronosExpression, CronosTimezone } from 'cronosjs'
import { cron } from '../dist/time.js'

/**
 * Pontual and its peers behind one face, each used as its documentation says is best: parsed once, asked often.
 *
 * - `parse(expression, zone)`: the object to be asked. The zone `FIXED_UTC` is UTC by the fastest way the library has for it.
 * - `input(instant)`: an instant in the form the library asks for; made outside of the timed loops.
 * - `next(parsed, input)`: the first fire time after it in milliseconds, null when there is none.
 * - `nextAll(plan)`: `next` for all inputs of all jobs of a plan. A loop per library, so that each call site sees one library.
 * - `parseAndNext(expression, zone, input)`: `next` without any object kept from before.
 * - `list(parsed, from, to)`: all fire times in between, in the library's own form, by its fastest way.
 */
const pontual = {
  name: 'pontual',
  parse: (expression, zone) => cron(expression, { timeZone: zoneName(zone) }),
  input: (instant) => instant,
  next: (trigger, after) => trigger.next(after),
  nextAll(plan) {
    let sum = 0
    for (const { parsed, inputs } of plan) for (const after of inputs) sum += parsed.next(after)
    return sum
  },
  parseAndNext: (expression, zone, after) => cron(expression, { timeZone: zoneName(zone) }).next(after),
  list: (trigger, from, to) => [...trigger.between(from, to)],
}

let strangers = 0

/** Pontual remembers expressions. Under an identity of its own each counts as one it has never seen. */
export const FORGETFUL_PONTUAL = {
  ...pontual,
  name: 'pontual, unseen',
  parseAndNext: (expression, zone, after) =>
    cron(expression, { timeZone: zoneName(zone), identity: `stranger ${strangers++}` }).next(after),
}

const croner = {
  name: 'croner',
  parse: (expression, zone) => new Cron(expression, cronerOptions(zone)),
  input: (instant) => new Date(instant),
  next: (job, after) => job.nextRun(after)?.getTime() ?? null,
  nextAll(plan) {
    let sum = 0
    for (const { parsed, inputs } of plan) for (const after of inputs) sum += parsed.nextRun(after).getTime()
    return sum
  },
  parseAndNext: (expression, zone, after) => croner.next(croner.parse(expression, zone), after),
  // As fast as nextRuns, which has to be told how many there will be; enumerate is slower.
  list(job, from, to) {
    const dates = []
    for (let at = job.nextRun(new Date(from - 1000)); at.getTime() < to; at = job.nextRun(at)) dates.push(at)
    return dates
  },
}

const cronos = {
  name: 'cronosjs',
  parse: (expression, zone) => CronosExpression.parse(expression, cronosOptions(expression, zone)),
  input: (instant) => new Date(instant),
  next: (expression, after) => expression.nextDate(after)?.getTime() ?? null,
  nextAll(plan) {
    let sum = 0
    for (const { parsed, inputs } of plan) for (const after of inputs) sum += parsed.nextDate(after).getTime()
    return sum
  },
  parseAndNext: (expression, zone, after) => cronos.next(cronos.parse(expression, zone), after),
  // A little faster than nextNDates, which has to be told how many there will be.
  list(expression, from, to) {
    const dates = []
    for (let at = expression.nextDate(new Date(from - 1000)); at.getTime() < to; at = expression.nextDate(at)) {
      dates.push(at)
    }
    return dates
  },
}

const cronParser = {
  name: 'cron-parser',
  parse: (expression, zone) => CronExpressionParser.parse(expression, { tz: zoneName(zone) }),
  input: (instant) => new Date(instant),
  next(expression, after) {
    expression.reset(after)
    return expression.next().getTime()
  },
  nextAll(plan) {
    let sum = 0
    for (const { parsed, inputs } of plan) {
      for (const after of inputs) {
        parsed.reset(after)
        sum += parsed.next().getTime()
      }
    }
    return sum
  },
  parseAndNext: (expression, zone, currentDate) =>
    CronExpressionParser.parse(expression, { tz: zoneName(zone), currentDate })
      .next()
      .getTime(),
  list(expression, from, to) {
    const dates = []
    expression.reset(new Date(from - 1000))
    for (let at = expression.next(); at.getTime() < to; at = expression.next()) dates.push(at)
    return dates
  },
}

export const FIXED_UTC = 'UTC, fixed offset'

function zoneName(zone) {
  return zone === FIXED_UTC ? 'UTC' : zone
}

function cronerOptions(zone) {
  return zone === FIXED_UTC ? { utcOffset: 0 } : { timezone: zone }
}

const timezones = new Map()

/** cronosjs lets a time zone be shared between expressions, and has an option for what fires in an hour that comes twice. */
function cronosOptions(expression, zone) {
  if (!timezones.has(zone)) timezones.set(zone, new CronosTimezone(zone === FIXED_UTC ? 0 : zone))
  const times = expression.split(/\s+/).slice(0, -3)
  return { timezone: timezones.get(zone), skipRepeatedHour: !times.some((field) => /[*/-]/.test(field)) }
}

export const PONTUAL = pontual
export const PEERS = [croner, cronos, cronParser]
export const LIBRARIES = [pontual, ...PEERS]

import { MINUTE_MS } from '../../../duration.ts'
import { quote } from '../../../errors.ts'
import type { Calendar } from '../../../time/calendars/calendar.ts'
import { parseCron } from '../../../time/cron/parse.ts'
import { initialState } from '../../../time/trigger-state.ts'
import { cron } from '../../../time/triggers/cron.ts'
import { triggerFrom } from '../../../time/triggers/from-json.ts'
import type { TriggerJson } from '../../../time/triggers/json.ts'
import type { Trigger } from '../../../time/triggers/trigger.ts'
import { zoneOf } from '../../../time/zone.ts'
import { type FieldProblems, FieldRefusal } from '../../field-problems.ts'
import { requireShortRule, searched } from '../../search-limits.ts'

/** What somebody says about when a job fires; absent: as it is. */
export interface TriggerFields {
  readonly cronExpression?: unknown
  readonly trigger?: unknown
  readonly timeZone?: unknown
}

export interface TriggerRules {
  readonly now: number
  /** Whether it may fire more often than once a minute. */
  readonly allowsSeconds: boolean
  readonly calendar: Calendar | null
}

const MAX_CRON_LENGTH = 100
const MINUTE_IN: Readonly<Record<string, number>> = { second: 60 }

/** The trigger that the fields ask for; undefined where they cannot be accepted, which is noted, or say nothing. */
export function readTriggerFields(
  problems: FieldProblems,
  fields: TriggerFields,
  current: TriggerJson | null,
  rules: TriggerRules,
): TriggerJson | undefined {
  const hasTrigger = fields.trigger !== undefined && fields.trigger !== null
  const hasCron = fields.cronExpression !== undefined && fields.cronExpression !== null
  const zone =
    fields.timeZone === undefined
      ? undefined
      : problems.read('/timeZone', 'zone_unknown', () => zoneId(fields.timeZone))
  if (fields.timeZone !== undefined && zone === undefined) return undefined
  if (hasTrigger) {
    const json = problems.read('/trigger', 'trigger_invalid', () => ownTrigger(fields, zone, rules))
    return fired(problems, '/trigger', json, rules)
  }
  if (hasCron) {
    const json = problems.read('/cronExpression', 'cron_invalid', () =>
      cronTrigger(fields.cronExpression, zone, current, rules),
    )
    return fired(problems, '/cronExpression', json, rules)
  }
  if (current === null || fields.cronExpression === null || fields.trigger === null) {
    problems.add('/cronExpression', 'required', 'cronExpression is required, or a trigger in its place.', {
      name: 'cronExpression',
      or: 'trigger',
    })
    return undefined
  }
  if (zone === undefined) return undefined
  const json = problems.read('/timeZone', 'zone_misplaced', () => inZone(current, zone))
  return fired(problems, '/timeZone', json, rules)
}

/** Throws where a cron expression cannot be accepted. */
export function checkCron(expression: unknown, allowsSeconds: boolean): asserts expression is string {
  if (typeof expression !== 'string') {
    throw new FieldRefusal('cron_invalid', `cronExpression must be text, got ${quote(expression)}.`, {
      received: expression,
    })
  }
  if (expression.trim() === '')
    throw new FieldRefusal('required', 'cronExpression is required.', { name: 'cronExpression' })
  if (expression.length > MAX_CRON_LENGTH) {
    const message = `cronExpression must have at most ${MAX_CRON_LENGTH} characters, got ${expression.length}.`
    throw new FieldRefusal('length_invalid', message, {
      name: 'cronExpression',
      max: MAX_CRON_LENGTH,
      length: expression.length,
    })
  }
  const parsed = parseCron(expression, allowsSeconds ? {} : { fields: 5 })
  // A macro may stand for one with seconds.
  if (!allowsSeconds && parsed.expression.split(' ').length === 6) throw tooFast()
}

function zoneId(timeZone: unknown): string {
  if (typeof timeZone === 'string') return zoneOf(timeZone).id
  throw new FieldRefusal('zone_unknown', `timeZone must be an IANA name, got ${quote(timeZone)}.`, {
    received: timeZone,
  })
}

function ownTrigger(fields: TriggerFields, zone: string | undefined, { allowsSeconds }: TriggerRules): TriggerJson {
  requireShortRule(fields.trigger, 'trigger')
  const trigger = triggerFrom(fields.trigger)
  const json = trigger.toJSON()
  checkPace(json, allowsSeconds)
  const { cronExpression } = fields
  const isOther = json.type !== 'cron' || json.expression !== cronExpression
  if (cronExpression !== undefined && cronExpression !== null && isOther) {
    throw new FieldRefusal('contradiction', 'Give either cronExpression or trigger: they say different things.', {
      names: ['cronExpression', 'trigger'],
    })
  }
  if (zone !== undefined && hasZone(json) && json.timeZone !== zone) {
    throw new FieldRefusal('contradiction', `The trigger is in ${json.timeZone}, but timeZone is ${zone}.`, {
      case: 'zones',
      zones: [json.timeZone, zone],
    })
  }
  return json
}

function cronTrigger(
  expression: unknown,
  zone: string | undefined,
  current: TriggerJson | null,
  { allowsSeconds }: TriggerRules,
): TriggerJson {
  checkCron(expression, allowsSeconds)
  if (current?.type !== 'cron') return cron(expression, { timeZone: zone }).toJSON()
  return triggerFrom({ ...current, expression, ...(zone === undefined ? {} : { timeZone: zone }) }).toJSON()
}

function inZone(current: TriggerJson, timeZone: string): TriggerJson {
  if (hasZone(current)) return triggerFrom({ ...current, timeZone }).toJSON()
  throw new FieldRefusal(
    'zone_misplaced',
    `A trigger of type ${current.type} has no time zone of its own; set it inside of trigger.`,
    { trigger: current.type },
  )
}

function hasZone(json: TriggerJson): json is Extract<TriggerJson, { readonly timeZone: string }> {
  return 'timeZone' in json
}

/** Refuses what fires more often than once a minute, where that is not allowed, however it is said. */
function checkPace(json: TriggerJson, allowsSeconds: boolean): void {
  const inner = json.type === 'jittered' || json.type === 'calendared' ? json.trigger : null
  if (inner) checkPace(inner, allowsSeconds)
  if (json.type === 'cron') checkCron(json.expression, allowsSeconds)
  if (!allowsSeconds && isFast(json)) throw tooFast()
}

/** Whether a trigger other than cron fires more often than once a minute. */
export function isFast(json: TriggerJson): boolean {
  switch (json.type) {
    case 'simple':
      return json.repeatCount !== 0 && json.intervalMs < MINUTE_MS
    case 'calendarInterval':
    case 'dailyTimeInterval':
      return json.every < (MINUTE_IN[json.unit] ?? 0)
    case 'cron':
    case 'once':
    case 'jittered':
    case 'calendared':
      return false
  }
}

function tooFast(): FieldRefusal {
  const message = 'It would fire more often than once a minute, which the settings of this tenant do not allow.'
  return new FieldRefusal('seconds_not_allowed', message)
}

/** A trigger, if it ever fires. */
function fired(
  problems: FieldProblems,
  pointer: string,
  json: TriggerJson | undefined,
  { now, calendar }: TriggerRules,
): TriggerJson | undefined {
  if (json === undefined) return undefined
  const next = problems.read(pointer, 'trigger_invalid', () => nextFire(triggerFrom(json), now, calendar))
  if (next === undefined) return undefined
  if (next !== null) return json
  const isCron = pointer === '/cronExpression'
  const what = isCron ? `The cron expression ${quote(json.type === 'cron' ? json.expression : '')}` : 'The trigger'
  problems.add(pointer, isCron ? 'cron_unsatisfiable' : 'never_fires', `${what} never fires from now on.`, {
    expression: json.type === 'cron' ? json.expression : null,
  })
  return undefined
}

function nextFire(trigger: Trigger, now: number, calendar: Calendar | null): number | null {
  return searched(() => initialState(trigger, now, calendar).nextFireAt)
}

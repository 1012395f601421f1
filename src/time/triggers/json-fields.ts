import type { TriggerJson } from './json.ts'
import { FOREVER } from './simple.ts'

/** As much of JSON Schema as the fields of triggers need. */
export interface FieldSchema {
  /** `trigger`: another trigger. */
  readonly type: 'string' | 'integer' | 'array' | 'object' | 'trigger'
  readonly description?: string
  readonly format?: 'date-time'
  readonly enum?: readonly (string | number)[]
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: string | number
  readonly items?: FieldSchema
}

type JsonOf<Type extends TriggerJson['type']> = Extract<TriggerJson, { readonly type: Type }>

interface TriggerFields<Type extends TriggerJson['type']> {
  /** The trigger in messages. */
  readonly thing: string
  readonly description: string
  readonly required: readonly Exclude<keyof JsonOf<Type>, 'type'>[]
  readonly fields: { readonly [Name in Exclude<keyof JsonOf<Type>, 'type'>]-?: FieldSchema }
}

const instant: FieldSchema = { type: 'string', format: 'date-time' }
const timeZone: FieldSchema = { type: 'string', description: 'An IANA time zone.', default: 'UTC' }
const gap: FieldSchema = {
  type: 'string',
  enum: ['shift', 'skip'],
  default: 'shift',
  description: 'For a wall time that a clock change skips.',
}
const firstOrLast: FieldSchema = {
  type: 'string',
  enum: ['first', 'last'],
  default: 'first',
  description: 'For a wall time that a clock change repeats.',
}
const bounds = {
  startAt: { ...instant, description: 'Nothing fires before.' },
  endAt: { ...instant, description: 'Nothing fires at or after.' },
} as const
const repeatCount: FieldSchema = {
  type: 'integer',
  minimum: FOREVER,
  description: 'How often it fires after the first time; -1 without end.',
}

/** The JSON form of each type of trigger. The parser accepts exactly these fields, and the API describes them. */
export const TRIGGER_FIELDS: { readonly [Type in TriggerJson['type']]: TriggerFields<Type> } = {
  cron: {
    thing: 'Cron trigger',
    description: 'Fires when a cron expression matches.',
    required: ['expression'],
    fields: {
      expression: { type: 'string', description: 'Five fields, or six with seconds first, or a macro.' },
      timeZone,
      fields: { type: 'integer', enum: [5, 6], description: 'The only accepted number of fields. Default: either.' },
      dayRule: {
        type: 'string',
        enum: ['or', 'and'],
        default: 'or',
        description: 'How restricted days of the month and of the week combine.',
      },
      gap,
      overlap: {
        type: 'string',
        enum: ['first', 'last', 'both'],
        description:
          'For a match in an hour that a clock change repeats. Default: an expression that repeats within the day fires in both, one with fixed times in the first.',
      },
      identity: { type: 'string', description: 'What H in the expression spreads by.' },
      ...bounds,
    },
  },
  simple: {
    thing: 'Simple trigger',
    description: 'Fires at an instant and then at equal distances.',
    required: ['startAt', 'intervalMs'],
    fields: {
      intervalMs: { type: 'integer', minimum: 0, description: 'Time between two fire times; 0 if it fires once.' },
      startAt: { ...instant, description: 'The first fire time.' },
      repeatCount,
      endAt: bounds.endAt,
    },
  },
  calendarInterval: {
    thing: 'Calendar-interval trigger',
    description: 'Fires every so many units of the calendar, and keeps the wall time.',
    required: ['startAt', 'every', 'unit'],
    fields: {
      every: { type: 'integer', minimum: 1 },
      unit: { type: 'string', enum: ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] },
      timeZone,
      gap,
      overlap: firstOrLast,
      startAt: { ...instant, description: 'The first fire time.' },
      endAt: bounds.endAt,
    },
  },
  dailyTimeInterval: {
    thing: 'Daily-time-interval trigger',
    description: 'Fires every so many units within a part of the day.',
    required: ['every', 'unit'],
    fields: {
      every: { type: 'integer', minimum: 1 },
      unit: { type: 'string', enum: ['second', 'minute', 'hour'] },
      from: { type: 'string', default: '00:00', description: 'Time of day of the first fire time.' },
      to: {
        type: 'string',
        default: '23:59:59',
        description: 'Time of day after which nothing fires; itself included.',
      },
      weekdays: {
        type: 'array',
        items: { type: 'integer', minimum: 0, maximum: 6 },
        description: 'Days of the week, 0 for Sunday. Default: all.',
      },
      timeZone,
      overlap: firstOrLast,
      repeatCount: { ...repeatCount, default: FOREVER },
      ...bounds,
    },
  },
  once: {
    thing: 'One-time trigger',
    description: 'Fires at one instant.',
    required: ['at'],
    fields: { at: instant },
  },
  jittered: {
    thing: 'Jittered trigger',
    description: 'Fires later than another trigger, by an offset that its identity decides.',
    required: ['trigger', 'withinMs', 'identity'],
    fields: {
      trigger: { type: 'trigger' },
      withinMs: { type: 'integer', minimum: 1, maximum: 2 ** 32 - 1, description: 'The largest offset.' },
      identity: { type: 'string' },
    },
  },
  calendared: {
    thing: 'Calendared trigger',
    description: 'Fires as another trigger, but not at times that a calendar excludes.',
    required: ['trigger', 'calendar'],
    fields: {
      trigger: { type: 'trigger' },
      calendar: { type: 'object', description: 'A calendar, as `PUT /api/jobs/calendars/:name` accepts it.' },
      onExcluded: {
        type: 'string',
        enum: ['skip', 'nextDay', 'previousDay'],
        description: 'What happens to an excluded fire time. Default: the rule of the calendar.',
      },
    },
  },
}

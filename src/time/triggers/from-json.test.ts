import { describe, expect, it } from 'vitest'
import { at, fireTimes, refusal } from '../../../test/harness/instants.ts'
import { holidayCalendar, weeklyCalendar } from '../calendars/days.ts'
import { calendarInterval } from './calendar-interval.ts'
import { cron } from './cron.ts'
import { dailyTimeInterval } from './daily-time-interval.ts'
import { triggerFrom } from './from-json.ts'
import { withJitter } from './jittered.ts'
import type { TriggerJson } from './json.ts'
import { once } from './once.ts'
import { simple } from './simple.ts'
import type { Trigger } from './trigger.ts'
import { withCalendar } from './with-calendar.ts'

const SAO_PAULO = 'America/Sao_Paulo'
const hourly = cron('0 * * * *')
const hourlyJson = { type: 'cron', expression: '0 * * * *', timeZone: 'UTC' } as const

describe('the stored form of a trigger', () => {
  it.each<[string, Trigger, TriggerJson]>([
    ['cron', hourly, hourlyJson],
    [
      'cron with everything',
      cron('H 9 13 * 5', {
        timeZone: 'america/sao_paulo',
        fields: 5,
        dayRule: 'and',
        gap: 'skip',
        overlap: 'both',
        identity: 'a',
        startAt: 0,
        endAt: 1_000,
      }),
      {
        type: 'cron',
        expression: 'H 9 13 * 5',
        timeZone: SAO_PAULO,
        fields: 5,
        dayRule: 'and',
        gap: 'skip',
        overlap: 'both',
        identity: 'a',
        startAt: '1970-01-01T00:00:00.000Z',
        endAt: '1970-01-01T00:00:01.000Z',
      },
    ],
    [
      'simple',
      simple({ startAt: 0, interval: '90s' }),
      { type: 'simple', startAt: '1970-01-01T00:00:00.000Z', intervalMs: 90_000, repeatCount: -1 },
    ],
    [
      'simple with an end',
      simple({ startAt: 0, interval: '90s', repeatCount: 3, endAt: 500_000 }),
      {
        type: 'simple',
        startAt: '1970-01-01T00:00:00.000Z',
        intervalMs: 90_000,
        repeatCount: 3,
        endAt: '1970-01-01T00:08:20.000Z',
      },
    ],
    [
      'calendar interval',
      calendarInterval({ startAt: 0, every: 1, unit: 'month' }),
      { type: 'calendarInterval', startAt: '1970-01-01T00:00:00.000Z', every: 1, unit: 'month', timeZone: 'UTC' },
    ],
    [
      'calendar interval with everything',
      calendarInterval({
        startAt: 250,
        every: 2,
        unit: 'day',
        timeZone: SAO_PAULO,
        gap: 'skip',
        overlap: 'last',
        endAt: at('2026-01-01'),
      }),
      {
        type: 'calendarInterval',
        startAt: '1970-01-01T00:00:00.250Z',
        every: 2,
        unit: 'day',
        timeZone: SAO_PAULO,
        gap: 'skip',
        overlap: 'last',
        endAt: '2026-01-01T00:00:00.000Z',
      },
    ],
    [
      'daily time interval',
      dailyTimeInterval({ every: 5, unit: 'minute' }),
      {
        type: 'dailyTimeInterval',
        every: 5,
        unit: 'minute',
        from: '00:00',
        to: '23:59:59',
        weekdays: [0, 1, 2, 3, 4, 5, 6],
        timeZone: 'UTC',
        repeatCount: -1,
      },
    ],
    [
      'daily time interval with everything',
      dailyTimeInterval({
        every: 5,
        unit: 'hour',
        from: '8:00',
        to: '17:30:15',
        weekdays: [5, 1],
        timeZone: SAO_PAULO,
        repeatCount: 4,
        overlap: 'last',
        startAt: 0,
        endAt: 1_000,
      }),
      {
        type: 'dailyTimeInterval',
        every: 5,
        unit: 'hour',
        from: '08:00',
        to: '17:30:15',
        weekdays: [1, 5],
        timeZone: SAO_PAULO,
        repeatCount: 4,
        overlap: 'last',
        startAt: '1970-01-01T00:00:00.000Z',
        endAt: '1970-01-01T00:00:01.000Z',
      },
    ],
    ['once', once(250), { type: 'once', at: '1970-01-01T00:00:00.250Z' }],
    [
      'jittered',
      withJitter(hourly, { within: '5m', identity: 'a' }),
      { type: 'jittered', trigger: hourlyJson, withinMs: 300_000, identity: 'a' },
    ],
    [
      'calendared',
      withCalendar(hourly, weeklyCalendar()),
      {
        type: 'calendared',
        trigger: hourlyJson,
        calendar: { type: 'weekly', weekdays: [0, 6], timeZone: 'UTC' },
        onExcluded: 'skip',
      },
    ],
    [
      'rolled and jittered',
      withJitter(
        withCalendar(hourly, holidayCalendar({ dates: ['2026-01-01'], base: weeklyCalendar() }), {
          onExcluded: 'previousDay',
        }),
        { within: 5, identity: 'a' },
      ),
      {
        type: 'jittered',
        trigger: {
          type: 'calendared',
          trigger: hourlyJson,
          calendar: {
            type: 'holiday',
            dates: ['2026-01-01'],
            timeZone: 'UTC',
            base: { type: 'weekly', weekdays: [0, 6], timeZone: 'UTC' },
          },
          onExcluded: 'previousDay',
        },
        withinMs: 5,
        identity: 'a',
      },
    ],
  ])('%s is written and read back as the same', (_type, trigger, json) => {
    expect(trigger.toJSON()).toEqual(json)
    const text = JSON.stringify(trigger)
    const read = triggerFrom(JSON.parse(text))
    expect(JSON.stringify(read)).toBe(text)
    expect(read.type).toBe(json.type)
    expect(fireTimes(read, '2026-02-27T12:00', '2026-03-01T12:00')).toEqual(
      fireTimes(trigger, '2026-02-27T12:00', '2026-03-01T12:00'),
    )
  })

  it('has no need of what has a default', () => {
    expect(triggerFrom({ type: 'cron', expression: '0 * * * *' }).toJSON()).toEqual(hourlyJson)
    expect(triggerFrom({ type: 'dailyTimeInterval', every: 5, unit: 'minute' })).toMatchObject({
      weekdays: [0, 1, 2, 3, 4, 5, 6],
    })
  })
})

describe('a stored trigger with an unknown field is refused with the nearest one', () => {
  const startAt = '2026-01-01T00:00:00Z'

  it.each([
    ['Cron trigger', { ...hourlyJson, timezone: 'UTC' }, 'timezone', 'timeZone'],
    ['Cron trigger', { ...hourlyJson, expresion: '* * * * *' }, 'expresion', 'expression'],
    ['Simple trigger', { type: 'simple', startAt, interval: 5 }, 'interval', undefined],
    ['Simple trigger', { type: 'simple', startAt, repeatcount: 5 }, 'repeatcount', 'repeatCount'],
    ['Calendar-interval trigger', { type: 'calendarInterval', startAt, evry: 5 }, 'evry', 'every'],
    ['Daily-time-interval trigger', { type: 'dailyTimeInterval', weekDays: [1] }, 'weekDays', 'weekdays'],
    ['One-time trigger', { type: 'once', att: startAt }, 'att', 'at'],
    ['Jittered trigger', { type: 'jittered', trigger: hourlyJson, withinMS: 5 }, 'withinMS', 'withinMs'],
    ['Calendared trigger', { type: 'calendared', calender: {} }, 'calender', 'calendar'],
    [
      'Cron trigger',
      JSON.parse('{"type":"cron","expression":"* * * * *","__proto__":{"gap":"skip"}}') as object,
      '__proto__',
      undefined,
    ],
  ])('%s: %j', (thing, json, field, suggestion) => {
    const error = refusal(() => triggerFrom(json))
    expect(error.code).toBe('fields.invalid')
    expect(error.message).toContain(`${thing} has no field "${field}"; its fields are type, `)
    if (suggestion !== undefined) expect(error.message).toContain(`Did you mean "${suggestion}"?`)
  })
})

describe('a stored trigger that is not valid is refused by name', () => {
  const startAt = '2026-01-01T00:00:00Z'

  it.each([
    ['null', null, 'Trigger must have a type'],
    ['text', '0 * * * *', 'Trigger must be an object, got text: parse it first'],
    ['a list', [hourlyJson], 'Trigger must have a type'],
    ['nothing', undefined, 'Trigger must have a type'],
    [
      'no type',
      { expression: '0 * * * *' },
      'one of cron, simple, calendarInterval, dailyTimeInterval, once, jittered, calendared, got nothing',
    ],
    ['an unknown type', { type: 'corn' }, 'got "corn"'],
    ['a type of the prototype', { type: 'constructor' }, 'got "constructor"'],
    ['a type that is no text', { type: ['cron'] }, 'Trigger must have a type'],
    ['cron without an expression', { type: 'cron' }, 'Cron expression must be text'],
    ['cron with a number', { type: 'cron', expression: 5 }, 'Cron expression must be text'],
    ['cron with an invalid field', { type: 'cron', expression: '60 * * * *' }, 'Cron minute must be 0-59'],
    ['cron with null for the zone', { ...hourlyJson, timeZone: null }, 'Time zone'],
    ['cron with an unknown gap rule', { ...hourlyJson, gap: 'fill' }, 'gap'],
    ['cron with an unknown overlap rule', { ...hourlyJson, overlap: 1 }, 'overlap'],
    ['cron with an unknown day rule', { ...hourlyJson, dayRule: 'xor' }, 'dayRule'],
    ['cron with seven fields', { ...hourlyJson, fields: 7 }, 'fields'],
    ['simple without a start', { type: 'simple', intervalMs: 5 }, 'startAt'],
    ['simple with a wrong interval', { type: 'simple', startAt, intervalMs: -5 }, 'interval'],
    ['simple with a text for the repeats', { type: 'simple', startAt, intervalMs: 5, repeatCount: '5' }, 'repeatCount'],
    ['a calendar interval without a unit', { type: 'calendarInterval', startAt, every: 5 }, 'unit'],
    ['a calendar interval without a number', { type: 'calendarInterval', startAt, unit: 'day' }, 'every'],
    [
      'a daily interval with names',
      { type: 'dailyTimeInterval', every: 5, unit: 'hour', weekdays: ['MON'] },
      'weekdays',
    ],
    [
      'a hole in the weekdays',
      { type: 'dailyTimeInterval', every: 5, unit: 'hour', weekdays: new Array(1) },
      'weekdays',
    ],
    ['once without an instant', { type: 'once' }, 'at must be'],
    ['jittered without a trigger', { type: 'jittered', withinMs: 5, identity: 'a' }, 'Trigger must have a type'],
    ['jittered without an identity', { type: 'jittered', trigger: hourlyJson, withinMs: 5 }, 'identity'],
    [
      'jittered with a text for milliseconds',
      { type: 'jittered', trigger: hourlyJson, withinMs: '5m', identity: 'a' },
      'within',
    ],
    ['calendared without a calendar', { type: 'calendared', trigger: hourlyJson }, 'Calendar must have a type'],
    [
      'calendared with an unknown rule',
      { type: 'calendared', trigger: hourlyJson, calendar: { type: 'weekly' }, onExcluded: 'move' },
      'onExcluded',
    ],
    [
      'calendared around something invalid',
      { type: 'calendared', trigger: { type: 'once' }, calendar: { type: 'weekly' } },
      'at must be',
    ],
  ])('%s', (_what, json, named) => {
    expect(refusal(() => triggerFrom(json)).message).toContain(named)
  })

  it.each([
    ['16 levels are read', 16, true],
    ['17 levels are not', 17, false],
    ['nor are ten thousand', 10_000, false],
  ])('%s', (_fact, levels, isRead) => {
    let json: object = hourlyJson
    for (let level = 0; level < levels; level++) json = { type: 'jittered', trigger: json, withinMs: 1, identity: 'a' }
    if (isRead) expect(triggerFrom(json).type).toBe('jittered')
    else expect(refusal(() => triggerFrom(json)).message).toBe('Trigger must not nest deeper than 16 levels.')
  })
})

import type { Calendar } from '../../../src/time/calendars/calendar.ts'
import { annualCalendar, holidayCalendar, monthlyCalendar, weeklyCalendar } from '../../../src/time/calendars/days.ts'
import { cronCalendar, dailyCalendar } from '../../../src/time/calendars/times-of-day.ts'
import type { TriggerState } from '../../../src/time/trigger-state.ts'
import { calendarInterval } from '../../../src/time/triggers/calendar-interval.ts'
import { cron } from '../../../src/time/triggers/cron.ts'
import { dailyTimeInterval } from '../../../src/time/triggers/daily-time-interval.ts'
import type { IntervalUnit } from '../../../src/time/triggers/json.ts'
import { SimpleTrigger, simple } from '../../../src/time/triggers/simple.ts'
import type { Trigger } from '../../../src/time/triggers/trigger.ts'

/** A trigger as the vectors write it. */
export type QuartzTrigger = { zone: string; startTime: number; endTime: number | null } & (
  | { type: 'simple'; repeatInterval: number; repeatCount: number }
  | { type: 'cron'; expr: string }
  | {
      type: 'calendarInterval'
      unit: string
      interval: number
      preserveHourOfDayAcrossDaylightSavings: boolean
      skipDayIfHourDoesNotExist: boolean
    }
  | {
      type: 'dailyTimeInterval'
      unit: string
      interval: number
      startTimeOfDay: number[]
      endTimeOfDay: number[] | null
      daysOfWeek: number[]
      repeatCount: number
    }
)

/** A calendar as the vectors write it. */
export type QuartzCalendar = { zone: string; base?: QuartzCalendar | null } & (
  | { type: 'holiday'; excludedDates: string[] }
  | { type: 'annual'; excludedDays: { month: number; day: number }[] }
  | { type: 'monthly'; excludedDaysOfMonth: number[] }
  | { type: 'weekly'; excludedDaysOfWeek: number[] }
  | { type: 'daily'; rangeStart: string; rangeEnd: string; invertTimeRange: boolean }
  | { type: 'cron'; expr: string }
)

export interface QuartzState {
  nextFireTime: number | null
  previousFireTime: number | null
  startTime: number
  endTime: number | null
  timesTriggered?: number
  repeatCount?: number
}

export function triggerOf(row: QuartzTrigger): Trigger {
  const bounds = { startAt: row.startTime, endAt: row.endTime ?? undefined }
  const shared = { ...bounds, timeZone: row.zone }
  switch (row.type) {
    case 'simple':
      return simple({ ...bounds, interval: row.repeatInterval, repeatCount: row.repeatCount })
    case 'cron':
      return cron(row.expr, { ...shared, dayRule: 'and' })
    case 'calendarInterval': {
      const unit = row.unit.toLowerCase() as IntervalUnit
      const skips = row.preserveHourOfDayAcrossDaylightSavings && row.skipDayIfHourDoesNotExist
      // In an hour that comes twice Quartz takes the first pass for days and weeks, the last for months and years.
      const overlap = unit === 'month' || unit === 'year' ? 'last' : 'first'
      return calendarInterval({ ...shared, every: row.interval, unit, gap: skips ? 'skip' : 'shift', overlap })
    }
    case 'dailyTimeInterval':
      return dailyTimeInterval({
        ...shared,
        every: row.interval,
        unit: row.unit.toLowerCase() as 'second' | 'minute' | 'hour',
        from: clock(row.startTimeOfDay),
        to: row.endTimeOfDay ? clock(row.endTimeOfDay) : undefined,
        weekdays: row.daysOfWeek.map((day) => day - 1),
        repeatCount: row.repeatCount,
        overlap: 'last',
      })
  }
}

export function calendarOf(row: QuartzCalendar | null): Calendar | null {
  if (row === null) return null
  const shared = { timeZone: row.zone, base: calendarOf(row.base ?? null) ?? undefined }
  switch (row.type) {
    case 'holiday':
      return holidayCalendar({ ...shared, dates: row.excludedDates })
    case 'annual':
      return annualCalendar({ ...shared, days: row.excludedDays.map(({ month, day }) => `${two(month)}-${two(day)}`) })
    case 'monthly':
      return monthlyCalendar({ ...shared, days: row.excludedDaysOfMonth })
    case 'weekly':
      return weeklyCalendar({ ...shared, weekdays: row.excludedDaysOfWeek.map((day) => day - 1) })
    case 'daily':
      return dailyCalendar({ ...shared, from: row.rangeStart, to: row.rangeEnd, invert: row.invertTimeRange })
    case 'cron':
      return cronCalendar(row.expr, shared)
  }
}

/** A stored state as Pontual holds it: the trigger may have been restarted since it was made. */
export function stateOf(row: QuartzTrigger, state: QuartzState): TriggerState {
  const restarted = { ...row, startTime: state.startTime }
  if (restarted.type === 'simple') restarted.repeatCount = state.repeatCount ?? restarted.repeatCount
  return {
    trigger: triggerOf(restarted),
    nextFireAt: state.nextFireTime,
    previousFireAt: state.previousFireTime,
    timesTriggered: state.timesTriggered ?? 0,
  }
}

/** The fields of a state that the vectors record, by Pontual's names. */
export function comparable(state: TriggerState, like: QuartzState): object {
  const { trigger } = state
  const isSimple = trigger instanceof SimpleTrigger
  return {
    next: state.nextFireAt,
    previous: state.previousFireAt,
    ...(isSimple && { start: trigger.startAt, repeatCount: trigger.repeatCount }),
    ...(like.timesTriggered !== undefined && { timesTriggered: state.timesTriggered }),
  }
}

function clock(parts: number[]): string {
  return parts.map(two).join(':')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

/** `pontual/time`: decides when work is due. Pure: no I/O, no clock; all instants are epoch milliseconds. */
export { type Duration, parseDuration } from './duration.ts'
export { InvalidInputError, PontualError } from './errors.ts'
export { Calendar, type CalendarOptions, type Stretch } from './time/calendars/calendar.ts'
export type { DayCalendarOptions } from './time/calendars/days.ts'
export {
  type AnnualCalendar,
  type AnnualOptions,
  annualCalendar,
  type HolidayCalendar,
  type HolidayOptions,
  holidayCalendar,
  type MonthlyCalendar,
  type MonthlyOptions,
  monthlyCalendar,
  type WeeklyCalendar,
  type WeeklyOptions,
  weeklyCalendar,
} from './time/calendars/days.ts'
export { calendarFrom } from './time/calendars/from-json.ts'
export type { CalendarJson, ExcludedRule } from './time/calendars/json.ts'
export {
  type CronCalendar,
  cronCalendar,
  type DailyCalendar,
  type DailyOptions,
  dailyCalendar,
} from './time/calendars/times-of-day.ts'
export { type CronParseOptions, type DayRule, MAX_CRON_LENGTH } from './time/cron/parse.ts'
export type { GapRule, OverlapRule } from './time/cron/zoned-times.ts'
export type { Instant } from './time/instant.ts'
export type { Locale } from './time/locale.ts'
export {
  type CatchUpOptions,
  type CatchUpOrder,
  MISFIRE_CAUSES,
  type MisfireCause,
  type MisfireOptions,
  type MisfirePolicy,
  type MisfirePolicyName,
  type MisfireRules,
  misfirePolicy,
  misfireRules,
} from './time/misfire/policy.ts'
export type { QuartzInstruction, RescheduleInstruction } from './time/misfire/quartz.ts'
export * as quartz from './time/misfire/quartz.ts'
export type {
  FiredOccurrence,
  LedgerEntry,
  MisfireInfo,
  MissedDecision,
  Resolution,
} from './time/misfire/resolve.ts'
export { type DueJob, resolveMisfires } from './time/misfire/resolve.ts'
export { resolveWaiting, type WaitingCause, type WaitingResolution } from './time/misfire/waiting.ts'
export {
  type SimulatedJob,
  type SimulatedPolicy,
  type SimulatedResult,
  type SimulateOptions,
  simulate,
} from './time/simulate.ts'
export {
  initialState,
  nextFireTime,
  stateAfterFire,
  type TriggerState,
  triggerStateFrom,
} from './time/trigger-state.ts'
export {
  type CalendarIntervalOptions,
  type CalendarIntervalTrigger,
  calendarInterval,
} from './time/triggers/calendar-interval.ts'
export { type CronOptions, type CronTrigger, cron } from './time/triggers/cron.ts'
export {
  type DailyTimeIntervalOptions,
  type DailyTimeIntervalTrigger,
  dailyTimeInterval,
} from './time/triggers/daily-time-interval.ts'
export { triggerFrom } from './time/triggers/from-json.ts'
export { type JitteredTrigger, type JitterOptions, withJitter } from './time/triggers/jittered.ts'
export type { IntervalUnit, TriggerJson, Weekday } from './time/triggers/json.ts'
export { type OnceTrigger, once } from './time/triggers/once.ts'
export { FOREVER, type SimpleOptions, type SimpleTrigger, simple } from './time/triggers/simple.ts'
export { Trigger } from './time/triggers/trigger.ts'
export { type WithCalendarOptions, withCalendar } from './time/triggers/with-calendar.ts'

import type { CalendarJson, ExcludedRule } from '../calendars/json.ts'
import type { DayRule } from '../cron/parse.ts'
import type { GapRule, OverlapRule } from '../cron/zoned-times.ts'

/** Instants are RFC 3339 text in UTC. */
interface WithWindow {
  readonly startAt?: string
  readonly endAt?: string
}

export interface CronTriggerJson extends WithWindow {
  readonly type: 'cron'
  readonly expression: string
  readonly timeZone: string
  readonly fields?: 5 | 6
  readonly dayRule?: DayRule
  readonly gap?: GapRule
  readonly overlap?: OverlapRule
  readonly identity?: string
}

export interface SimpleTriggerJson extends WithWindow {
  readonly type: 'simple'
  readonly startAt: string
  readonly intervalMs: number
  /** How often it fires after the first time; -1 for ever. */
  readonly repeatCount: number
}

/** What the distance between two fire times is counted in. */
export type IntervalUnit = 'second' | 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

export interface CalendarIntervalTriggerJson extends WithWindow {
  readonly type: 'calendarInterval'
  readonly startAt: string
  readonly every: number
  readonly unit: IntervalUnit
  readonly timeZone: string
  readonly gap?: GapRule
  readonly overlap?: 'first' | 'last'
}

/** 0 is Sunday, 6 is Saturday. */
export type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6

export interface DailyTimeIntervalTriggerJson extends WithWindow {
  readonly type: 'dailyTimeInterval'
  readonly every: number
  readonly unit: 'second' | 'minute' | 'hour'
  /** Time of day of the first fire, `HH:MM:SS`. */
  readonly from: string
  /** Time of day after which nothing fires, `HH:MM:SS`; itself included. */
  readonly to: string
  readonly weekdays: readonly Weekday[]
  readonly timeZone: string
  readonly overlap?: 'first' | 'last'
  readonly repeatCount: number
}

export interface OnceTriggerJson {
  readonly type: 'once'
  readonly at: string
}

export interface JitteredTriggerJson {
  readonly type: 'jittered'
  readonly trigger: TriggerJson
  readonly withinMs: number
  readonly identity: string
}

export interface CalendaredTriggerJson {
  readonly type: 'calendared'
  readonly trigger: TriggerJson
  readonly calendar: CalendarJson
  readonly onExcluded: ExcludedRule
}

/** A trigger as it is stored and sent. */
export type TriggerJson =
  | CronTriggerJson
  | SimpleTriggerJson
  | CalendarIntervalTriggerJson
  | DailyTimeIntervalTriggerJson
  | OnceTriggerJson
  | JitteredTriggerJson
  | CalendaredTriggerJson

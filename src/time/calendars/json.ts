/** A calendar as it is stored and sent. */
export type CalendarJson =
  | HolidayCalendarJson
  | AnnualCalendarJson
  | MonthlyCalendarJson
  | WeeklyCalendarJson
  | DailyCalendarJson
  | CronCalendarJson

/** What becomes of a fire time that a calendar excludes: skipped, or moved to the nearest day on which it is included. */
export type ExcludedRule = 'skip' | 'nextDay' | 'previousDay'

interface WithBase {
  /** Absent: `skip`. */
  readonly onExcluded?: ExcludedRule
  /** Absent: the zone of the trigger. */
  readonly timeZone?: string
  readonly base?: CalendarJson
}

interface WithIncludes extends WithBase {
  /** Dates that are included whatever the rule says, `YYYY-MM-DD`. */
  readonly includes?: readonly string[]
}

export interface HolidayCalendarJson extends WithIncludes {
  readonly type: 'holiday'
  /** `YYYY-MM-DD` */
  readonly dates: readonly string[]
}

export interface AnnualCalendarJson extends WithIncludes {
  readonly type: 'annual'
  /** `MM-DD` */
  readonly days: readonly string[]
}

export interface MonthlyCalendarJson extends WithIncludes {
  readonly type: 'monthly'
  /** 1 to 31 */
  readonly days: readonly number[]
}

export interface WeeklyCalendarJson extends WithIncludes {
  readonly type: 'weekly'
  /** 0 is Sunday, 6 is Saturday. */
  readonly weekdays: readonly number[]
}

export interface DailyCalendarJson extends WithBase {
  readonly type: 'daily'
  /** `HH:MM`, `HH:MM:SS` or `HH:MM:SS.mmm` */
  readonly from: string
  /** Itself part of the range. */
  readonly to: string
  /** Whether the range is what is included, and all else excluded. */
  readonly invert?: boolean
}

export interface CronCalendarJson extends WithBase {
  readonly type: 'cron'
  /** Seconds that match are excluded. */
  readonly expression: string
}

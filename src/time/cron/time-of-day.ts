import { NO_VALUE, type ValueSet } from './value-set.ts'

/** The seconds of a day at which a cron expression matches, whatever the day. */
export class TimeOfDaySet {
  readonly #hours: ValueSet
  readonly #minutes: ValueSet
  readonly #seconds: ValueSet
  readonly #perHour: number
  readonly count: number
  readonly first: number
  readonly last: number

  constructor(hours: ValueSet, minutes: ValueSet, seconds: ValueSet) {
    this.#hours = hours
    this.#minutes = minutes
    this.#seconds = seconds
    this.#perHour = minutes.count * seconds.count
    this.count = hours.count * this.#perHour
    this.first = hours.first * 3600 + minutes.first * 60 + seconds.first
    this.last = hours.last * 3600 + minutes.last * 60 + seconds.last
  }

  has(secondOfDay: number): boolean {
    const { hour, minute, second } = split(secondOfDay)
    return this.#hours.has(hour) && this.#minutes.has(minute) && this.#seconds.has(second)
  }

  /** The first matching second of the day at or after the given one, else {@link NO_VALUE}. */
  atOrAfter(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    if (this.#hours.has(hour)) {
      if (this.#minutes.has(minute)) {
        const nextSecond = this.#seconds.atOrAfter(second)
        if (nextSecond !== NO_VALUE) return hour * 3600 + minute * 60 + nextSecond
      }
      const nextMinute = this.#minutes.atOrAfter(minute + 1)
      if (nextMinute !== NO_VALUE) return hour * 3600 + nextMinute * 60 + this.#seconds.first
    }
    const nextHour = this.#hours.atOrAfter(hour + 1)
    return nextHour === NO_VALUE ? NO_VALUE : nextHour * 3600 + this.#minutes.first * 60 + this.#seconds.first
  }

  /** The last matching second of the day at or before the given one, else {@link NO_VALUE}. */
  atOrBefore(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    if (this.#hours.has(hour)) {
      if (this.#minutes.has(minute)) {
        const earlierSecond = this.#seconds.atOrBefore(second)
        if (earlierSecond !== NO_VALUE) return hour * 3600 + minute * 60 + earlierSecond
      }
      const earlierMinute = this.#minutes.atOrBefore(minute - 1)
      if (earlierMinute !== NO_VALUE) return hour * 3600 + earlierMinute * 60 + this.#seconds.last
    }
    const earlierHour = this.#hours.atOrBefore(hour - 1)
    return earlierHour === NO_VALUE ? NO_VALUE : earlierHour * 3600 + this.#minutes.last * 60 + this.#seconds.last
  }

  /** How many matching seconds of the day lie before the given one, which may be the end of the day. */
  below(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    let count = this.#hours.below(hour) * this.#perHour
    if (hour < 24 && this.#hours.has(hour)) {
      count += this.#minutes.below(minute) * this.#seconds.count
      if (this.#minutes.has(minute)) count += this.#seconds.below(second)
    }
    return count
  }

  /**
   * The end of the stretch around the given second over which the answer of {@link has} stays the same, for
   * a second that matches: at most the end of its minute, hour or day.
   */
  runEnd(secondOfDay: number): number {
    const { hour, minute, second } = split(secondOfDay)
    if (this.#seconds.count < 60) return hour * 3600 + minute * 60 + endOfRun(this.#seconds, second, 60)
    if (this.#minutes.count < 60) return hour * 3600 + endOfRun(this.#minutes, minute, 60) * 60
    return endOfRun(this.#hours, hour, 24) * 3600
  }
}

function endOfRun(values: ValueSet, from: number, size: number): number {
  let end = from + 1
  while (end < size && values.has(end)) end++
  return end
}

function split(secondOfDay: number): { hour: number; minute: number; second: number } {
  const hour = (secondOfDay / 3600) | 0
  const rest = secondOfDay - hour * 3600
  const minute = (rest / 60) | 0
  return { hour, minute, second: rest - minute * 60 }
}

/** When something usually runs, as people say it. Days of the week count from Sunday, as in cron. */
export type Rhythm =
  | { readonly kind: 'minutes'; readonly every: number }
  | { readonly kind: 'hourly'; readonly minute: number }
  | { readonly kind: 'daily'; readonly time: string }
  | { readonly kind: 'weekly'; readonly days: readonly number[]; readonly time: string }
  | { readonly kind: 'monthly'; readonly day: number | 'last'; readonly time: string }

export const RHYTHMS = ['minutes', 'hourly', 'daily', 'weekly', 'monthly'] as const satisfies readonly Rhythm['kind'][]

/** How many minutes apart runs can be and still be the same distance apart over the hour. */
export const EVERY_MINUTES = [1, 2, 3, 5, 6, 10, 12, 15, 20, 30] as const

const WEEK = [0, 1, 2, 3, 4, 5, 6] as const

/** The cron expression of a rhythm. */
export function expressionOf(rhythm: Rhythm): string {
  switch (rhythm.kind) {
    case 'minutes':
      return rhythm.every === 1 ? '* * * * *' : `*/${rhythm.every} * * * *`
    case 'hourly':
      return `${rhythm.minute} * * * *`
    case 'daily':
      return `${clock(rhythm.time)} * * *`
    case 'weekly':
      return `${clock(rhythm.time)} * * ${daysText(rhythm.days)}`
    case 'monthly':
      return `${clock(rhythm.time)} ${rhythm.day === 'last' ? 'L' : rhythm.day} * *`
  }
}

/** The rhythm that an expression has; null where it has one that only cron has words for. */
export function rhythmOf(expression: string): Rhythm | null {
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = expression.trim().split(/\s+/)
  if (rest.length > 0 || month !== '*') return null
  if (hour === '*' && day === '*' && weekday === '*') return withinHour(minute)
  const time = timeOf(hour, minute)
  if (time === null) return null
  if (day === '*' && weekday === '*') return { kind: 'daily', time }
  if (day === '*') {
    const days = daysOf(weekday)
    return days === null ? null : { kind: 'weekly', days, time }
  }
  if (weekday !== '*') return null
  if (day === 'L') return { kind: 'monthly', day: 'last', time }
  const date = within(day, 1, 31)
  return date === null ? null : { kind: 'monthly', day: date, time }
}

/** A rhythm of another kind, at the same time of day where both have one. */
export function rhythmAs(kind: Rhythm['kind'], before: Rhythm | null): Rhythm {
  const time = before !== null && 'time' in before ? before.time : '02:00'
  switch (kind) {
    case 'minutes':
      return { kind, every: 15 }
    case 'hourly':
      return { kind, minute: 0 }
    case 'daily':
      return { kind, time }
    case 'weekly':
      return { kind, days: [1], time }
    case 'monthly':
      return { kind, day: 1, time }
  }
}

function withinHour(minute: string): Rhythm | null {
  if (minute === '*') return { kind: 'minutes', every: 1 }
  const every = minute.startsWith('*/') ? within(minute.slice(2), 1, 59) : null
  if (every !== null) return EVERY_MINUTES.some((each) => each === every) ? { kind: 'minutes', every } : null
  const at = within(minute, 0, 59)
  return at === null ? null : { kind: 'hourly', minute: at }
}

function clock(time: string): string {
  const [hour = '0', minute = '0'] = time.split(':')
  return `${Number(minute)} ${Number(hour)}`
}

function timeOf(hour: string, minute: string): string | null {
  const [h, m] = [within(hour, 0, 23), within(minute, 0, 59)]
  if (h === null || m === null) return null
  return `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}`
}

function daysText(days: readonly number[]): string {
  const sorted = [...days].sort((a, b) => a - b)
  const [first, last] = [sorted[0], sorted.at(-1)]
  if (first === undefined || last === undefined) return '*'
  const isRange = sorted.length > 2 && last - first === sorted.length - 1
  return isRange ? `${first}-${last}` : sorted.join(',')
}

function daysOf(text: string): readonly number[] | null {
  const days = new Set<number>()
  for (const part of text.split(',')) {
    const [from, to] = part.split('-')
    const [first, last] = [within(from ?? '', 0, 7), within(to ?? from ?? '', 0, 7)]
    if (first === null || last === null || last < first || part.split('-').length > 2) return null
    for (let day = first; day <= last; day += 1) days.add(day % WEEK.length)
  }
  return [...days].sort((a, b) => a - b)
}

function within(text: string, low: number, high: number): number | null {
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= low && value <= high ? value : null
}

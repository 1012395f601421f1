import type { CalendarJson } from '../../../../src/time/calendars/json.ts'

export const KINDS = ['holiday', 'annual', 'monthly', 'weekly', 'daily', 'cron'] as const
export type Kind = (typeof KINDS)[number]

const WEEKEND = [0, 6]

/** What a calendar of a kind begins as. What is common to all kinds is kept. */
export function begunAs(kind: Kind, before: CalendarJson | null): CalendarJson {
  const { onExcluded, timeZone, base } = before ?? {}
  const common = {
    ...(onExcluded === undefined ? {} : { onExcluded }),
    ...(timeZone === undefined ? {} : { timeZone }),
    ...(base === undefined ? {} : { base }),
  }
  switch (kind) {
    case 'holiday':
      return { type: kind, dates: [], ...common }
    case 'annual':
    case 'monthly':
      return { type: kind, days: [], ...common }
    case 'weekly':
      return { type: kind, weekdays: WEEKEND, ...common }
    case 'daily':
      return { type: kind, from: '22:00', to: '23:59', ...common }
    case 'cron':
      return { type: kind, expression: '* 0-6 * * *', ...common }
  }
}

/** Words apart by spaces, commas or lines. */
export function listOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((word) => word !== '')
}

/** What is no number stays as it is, so that the server says what is wrong with it. */
export function numbersOf(text: string): number[] {
  return listOf(text).map((word) => (/^\d+$/.test(word) ? Number(word) : (word as unknown as number)))
}

/** A field set, or taken away where there is nothing. */
export function withField<Definition extends CalendarJson>(
  definition: Definition,
  name: 'timeZone' | 'onExcluded',
  value: string,
): Definition {
  const { [name]: _before, ...rest } = definition
  return (value === '' ? rest : { ...rest, [name]: value }) as Definition
}

const SHOWN = 6

/** A calendar in a few words: what it leaves out, and what the one it builds on does. */
export function summaryOf(definition: CalendarJson, weekdayName: (weekday: number) => string): string {
  const own = ownSummary(definition, weekdayName)
  return definition.base === undefined ? own : `${own} + ${summaryOf(definition.base, weekdayName)}`
}

function ownSummary(definition: CalendarJson, weekdayName: (weekday: number) => string): string {
  const some = (items: readonly (string | number)[]) =>
    items.length > SHOWN ? `${items.slice(0, SHOWN).join(', ')} … (${items.length})` : items.join(', ')
  switch (definition.type) {
    case 'holiday':
      return some(definition.dates)
    case 'annual':
    case 'monthly':
      return some(definition.days)
    case 'weekly':
      return some(definition.weekdays.map(weekdayName))
    case 'daily':
      return `${definition.invert === true ? '≠ ' : ''}${definition.from} – ${definition.to}`
    case 'cron':
      return definition.expression
  }
}

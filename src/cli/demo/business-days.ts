import type { CalendarJson } from '../../time/calendars/json.ts'
import type { DemoTexts } from './texts.ts'

/** The calendar of the demo's business days: no job fires on weekends, on national holidays, or on holidays that move. */
export function businessDays({ company: { timeZone }, businessDays: { dates, days } }: DemoTexts): CalendarJson {
  const weekends: CalendarJson = { type: 'weekly', weekdays: [0, 6], timeZone }
  return { type: 'holiday', dates, timeZone, base: { type: 'annual', days, timeZone, base: weekends } }
}

import type { CalendarJson } from '../../time/calendars/json.ts'

/** The name of the calendar by which the demo keeps to business days. */
export const BUSINESS_DAYS = 'feriados-e-fins-de-semana'

/** When nothing fires: weekends, the national holidays of Brazil, and Good Friday, which moves. */
export const businessDays: CalendarJson = {
  type: 'holiday',
  dates: ['2026-04-03', '2027-03-26', '2028-04-14', '2029-03-30', '2030-04-19'],
  timeZone: 'America/Sao_Paulo',
  base: {
    type: 'annual',
    days: ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '11-20', '12-25'],
    timeZone: 'America/Sao_Paulo',
    base: { type: 'weekly', weekdays: [0, 6], timeZone: 'America/Sao_Paulo' },
  },
}

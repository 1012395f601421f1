import { describe, expect, it } from 'vitest'
import { weeklyCalendar } from '../calendars/days.ts'
import { calendarInterval } from '../triggers/calendar-interval.ts'
import { cron } from '../triggers/cron.ts'
import { dailyTimeInterval } from '../triggers/daily-time-interval.ts'
import { withJitter } from '../triggers/jittered.ts'
import { once } from '../triggers/once.ts'
import { simple } from '../triggers/simple.ts'
import type { Trigger } from '../triggers/trigger.ts'
import { withCalendar } from '../triggers/with-calendar.ts'

const startAt = '2026-03-08T12:00:00Z'
const timeZone = 'America/Sao_Paulo'
const nine = cron('0 9 * * *')
const hourly = withJitter(cron('0 * * * *'), { within: '1h', identity: 'closing' })

describe('a trigger in words', () => {
  it.each<[string, Trigger, string, string]>([
    ['cron', nine, 'At 09:00', 'Às 09:00'],
    [
      'simple, for ever',
      simple({ startAt, interval: '90m' }),
      'Every 90 minutes, starting 2026-03-08 12:00:00 UTC',
      'A cada 90 minutos, a partir de 08/03/2026 12:00:00 UTC',
    ],
    [
      'simple, so often',
      simple({ startAt, interval: '7d', repeatCount: 2 }),
      'Every week, starting 2026-03-08 12:00:00 UTC, 3 times in all',
      'A cada semana, a partir de 08/03/2026 12:00:00 UTC, 3 vezes ao todo',
    ],
    [
      'simple, in milliseconds',
      simple({ startAt, interval: 1_500 }),
      'Every 1500 ms, starting 2026-03-08 12:00:00 UTC',
      'A cada 1500 ms, a partir de 08/03/2026 12:00:00 UTC',
    ],
    ['simple, once', simple({ startAt }), 'Once, at 2026-03-08 12:00:00 UTC', 'Uma vez, em 08/03/2026 12:00:00 UTC'],
    ['once', once(startAt), 'Once, at 2026-03-08 12:00:00 UTC', 'Uma vez, em 08/03/2026 12:00:00 UTC'],
    [
      'every month, in its zone',
      calendarInterval({ startAt, every: 1, unit: 'month', timeZone }),
      'Every month, starting 2026-03-08 09:00:00 America/Sao_Paulo',
      'A cada mês, a partir de 08/03/2026 09:00:00 America/Sao_Paulo',
    ],
    [
      'every two weeks',
      calendarInterval({ startAt, every: 2, unit: 'week' }),
      'Every 2 weeks, starting 2026-03-08 12:00:00 UTC',
      'A cada 2 semanas, a partir de 08/03/2026 12:00:00 UTC',
    ],
    [
      'every three years',
      calendarInterval({ startAt, every: 3, unit: 'year' }),
      'Every 3 years, starting 2026-03-08 12:00:00 UTC',
      'A cada 3 anos, a partir de 08/03/2026 12:00:00 UTC',
    ],
    [
      'from midnight to midnight',
      calendarInterval({ startAt: '2026-03-08T00:00:00Z', every: 1, unit: 'day' }),
      'Every day, starting 2026-03-08 00:00:00 UTC',
      'A cada dia, a partir de 08/03/2026 00:00:00 UTC',
    ],
    [
      'within the day',
      dailyTimeInterval({ every: 5, unit: 'minute', from: '08:00', to: '17:30' }),
      'Every 5 minutes, between 08:00 and 17:30',
      'A cada 5 minutos, entre 08:00 e 17:30',
    ],
    [
      'within the day, so often',
      dailyTimeInterval({ every: 1, unit: 'hour', startAt, repeatCount: 0 }),
      'Every hour, between 00:00 and 23:59:59, 1 time in all',
      'A cada hora, entre 00:00 e 23:59:59, 1 vez ao todo',
    ],
    ['with jitter', hourly, 'Every hour, 43 min 34 s later', 'A cada hora, 43 min 34 s depois'],
    [
      'under a calendar',
      withCalendar(nine, weeklyCalendar()),
      'At 09:00, except when the calendar excludes it',
      'Às 09:00, exceto quando o calendário o exclui',
    ],
    [
      'moved to the next day',
      withCalendar(nine, weeklyCalendar(), { onExcluded: 'nextDay' }),
      'At 09:00, moved to the next day that the calendar includes',
      'Às 09:00, transferido para o próximo dia que o calendário inclui',
    ],
    [
      'moved to the previous day',
      withCalendar(nine, weeklyCalendar(), { onExcluded: 'previousDay' }),
      'At 09:00, moved to the previous day that the calendar includes',
      'Às 09:00, antecipado para o dia anterior que o calendário inclui',
    ],
  ])('%s', (_type, trigger, english, portuguese) => {
    expect(trigger.describe()).toBe(english)
    expect(trigger.describe('pt-BR')).toBe(portuguese)
  })

  it('names chosen days of the week', () => {
    const trigger = dailyTimeInterval({ every: 30, unit: 'second', weekdays: [5, 1, 2] })
    expect(trigger.describe()).toBe('Every 30 seconds, between 00:00 and 23:59:59, on Monday, Tuesday, and Friday')
    expect(trigger.describe('pt-BR')).toMatch(/segunda.*terça.*sexta/)
  })
})

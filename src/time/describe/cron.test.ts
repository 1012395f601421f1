import { describe, expect, it } from 'vitest'
import { type CronOptions, cron } from '../triggers/cron.ts'

describe('a cron expression in words', () => {
  it.each<[string, string, string]>([
    ['* * * * *', 'Every minute', 'A cada minuto'],
    ['*/5 * * * *', 'Every 5 minutes', 'A cada 5 minutos'],
    ['*/10 * * * * *', 'Every 10 seconds', 'A cada 10 segundos'],
    ['@hourly', 'Every hour', 'A cada hora'],
    ['@daily', 'At 00:00', 'Às 00:00'],
    ['0 9 * * *', 'At 09:00', 'Às 09:00'],
    ['30 15 10 * * *', 'At 10:15:30', 'Às 10:15:30'],
    ['30 18 * * 1-5', 'At 18:30, Monday through Friday', 'Às 18:30, de segunda-feira a sexta-feira'],
    ['*/15 8-18 * * *', 'Every 15 minutes, between 08:00 and 18:59', 'A cada 15 minutos, entre 08:00 e 18:59'],
    ['0 22-2 * * *', 'Every hour, between 22:00 and 02:00', 'A cada hora, entre 22:00 e 02:00'],
    ['0 0 1 * *', 'At 00:00, on day 1 of the month', 'Às 00:00, no dia 1 do mês'],
    [
      '0 0 1 jan *',
      'At 00:00, on day 1 of the month, only in January',
      'Às 00:00, no dia 1 do mês, somente em janeiro',
    ],
    [
      '0 0 30 2 *',
      'At 00:00, on day 30 of the month, only in February',
      'Às 00:00, no dia 30 do mês, somente em fevereiro',
    ],
    ['0 0 * 11-2 *', 'At 00:00, November through February', 'Às 00:00, de novembro a fevereiro'],
    ['0 0 L * *', 'At 00:00, on the last day of the month', 'Às 00:00, no último dia do mês'],
    ['0 0 L-3 * *', 'At 00:00, 3 days before the last day of the month', 'Às 00:00, 3 dias antes do último dia do mês'],
    [
      '0 0 LW * *',
      'At 00:00, on the last weekday of the month',
      'Às 00:00, no último dia de semana (segunda a sexta) do mês',
    ],
    [
      '0 0 15W * *',
      'At 00:00, on the weekday nearest day 15 of the month',
      'Às 00:00, no dia de semana (segunda a sexta) mais próximo do dia 15 do mês',
    ],
    [
      '0 0 L-3W * *',
      'At 00:00, on the weekday nearest 3 days before the last day of the month',
      'Às 00:00, no dia de semana (segunda a sexta) mais próximo de 3 dias antes do último dia do mês',
    ],
    [
      '0 0 L-3W 6 *',
      'At 00:00, on the weekday nearest 3 days before the last day of the month, only in June',
      'Às 00:00, no dia de semana (segunda a sexta) mais próximo de 3 dias antes do último dia do mês, somente em junho',
    ],
    ['0 0 * * 5L', 'At 00:00, on the last Friday of the month', 'Às 00:00, na última sexta-feira do mês'],
    ['0 0 * * 7L', 'At 00:00, on the last Sunday of the month', 'Às 00:00, no último domingo do mês'],
    ['0 0 * * mon#2', 'At 00:00, on the second Monday of the month', 'Às 00:00, na segunda segunda-feira do mês'],
    ['0 0 * * FRI-MON', 'At 00:00, Friday through Monday', 'Às 00:00, de sexta-feira a segunda-feira'],
    ['* * * * 4-07', 'Every minute, Thursday through Sunday', 'A cada minuto, de quinta-feira a domingo'],
    ['? ? ? ? ?', 'Every minute', 'A cada minuto'],
    ['0 ? 9 ? * *', 'Every minute, between 09:00 and 09:59', 'A cada minuto, entre 09:00 e 09:59'],
  ])('%s', (expression, english, portuguese) => {
    expect(cron(expression).describe()).toBe(english)
    expect(cron(expression).describe('en')).toBe(english)
    expect(cron(expression).describe('pt-BR')).toBe(portuguese)
  })
})

describe('the two day fields in words', () => {
  it.each<[string, CronOptions['dayRule'], string, string]>([
    [
      '0 0 13 * 5',
      'or',
      'At 00:00, on day 13 of the month, or on Friday',
      'Às 00:00, no dia 13 do mês, ou de sexta-feira',
    ],
    [
      '0 0 13 * 5',
      'and',
      'At 00:00, on day 13 of the month, and only if also on Friday',
      'Às 00:00, no dia 13 do mês, e somente se também de sexta-feira',
    ],
    [
      '0 0 */2 * 1',
      undefined,
      'At 00:00, every 2 days in a month, and only if also on Monday',
      'Às 00:00, a cada 2 dias, e somente se também de segunda-feira',
    ],
    [
      '0 12 13 6 5',
      undefined,
      'At 12:00, on day 13 of the month, or on Friday, only in June',
      'Às 12:00, no dia 13 do mês, ou de sexta-feira, somente em junho',
    ],
    [
      '0 9 1,15 * 1,5',
      undefined,
      'At 09:00, on day 1 and 15 of the month, or on Monday and Friday',
      'Às 09:00, no dia 1 e 15 do mês, ou de segunda-feira e sexta-feira',
    ],
    [
      '0 0 L-3W * 1',
      undefined,
      'At 00:00, on the weekday nearest 3 days before the last day of the month, or on Monday',
      'Às 00:00, no dia de semana (segunda a sexta) mais próximo de 3 dias antes do último dia do mês, ou de segunda-feira',
    ],
    ['0 0 13 * ?', undefined, 'At 00:00, on day 13 of the month', 'Às 00:00, no dia 13 do mês'],
  ])('%s, %s', (expression, dayRule, english, portuguese) => {
    expect(cron(expression, { dayRule }).describe()).toBe(english)
    expect(cron(expression, { dayRule }).describe('pt-BR')).toBe(portuguese)
  })
})

describe('H in words', () => {
  it('is the time that the identity gets', () => {
    expect(cron('H(20-20) 3 * * *', { identity: 'closing' }).describe()).toBe('At 03:20')
    expect(cron('H H * * *', { identity: 'closing' }).describe()).toMatch(/^At \d\d:\d\d$/)
  })
})

describe('every form of a field', () => {
  const times = ['*', '?', '5', '05', '1,2', '1-5', '22-2', '*/5', '3-9/2', '9-3/2', '5/5']
  const daysOfMonth = [...times, 'L', 'L-3', 'LW', 'L-3W', 'L-0', '15W']
  const months = ['*', '?', '1', 'JAN', 'jan,2', '11-2', 'NOV-FEB/2', '*/3']
  const daysOfWeek = [
    '*',
    '?',
    '0',
    '7',
    'MON',
    'mon-fri',
    '5-1',
    '6-7',
    '*/2',
    'MON-FRI/2',
    '5L',
    'FRIL',
    '5#2',
    'mon#1',
  ]

  it('has words, in both languages and under both day rules', () => {
    for (const dayOfMonth of daysOfMonth) {
      for (const dayOfWeek of daysOfWeek) {
        const index = dayOfMonth.length + dayOfWeek.length
        const [hour, month] = [times[index % times.length], months[index % months.length]]
        for (const expression of [
          `0 ${hour} ${dayOfMonth} ${month} ${dayOfWeek}`,
          `* 5 ${hour} ${dayOfMonth} ${month} ${dayOfWeek}`,
        ]) {
          for (const dayRule of ['or', 'and'] as const) {
            const trigger = cron(expression, { dayRule })
            expect(trigger.describe('en')).not.toMatch(/undefined|null|NaN| {2}/)
            expect(trigger.describe('pt-BR')).not.toMatch(/undefined|null|NaN| {2}/)
          }
        }
      }
    }
  })
})

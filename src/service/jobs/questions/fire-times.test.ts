import { describe, expect, it } from 'vitest'
import { ana, fields, openStage } from '../../../../test/http/service/stage.ts'
import type { NewJobFields } from '../../job-view.ts'

const daily = {
  type: 'dailyTimeInterval',
  every: 30,
  unit: 'minute',
  from: '08:00:00',
  to: '18:00:00',
  weekdays: [1, 2, 3, 4, 5],
  timeZone: 'America/Sao_Paulo',
  repeatCount: -1,
}
const simple = { type: 'simple', startAt: '2026-03-01T00:00:00.000Z', intervalMs: 5_400_000, repeatCount: -1 }
const monthly = {
  type: 'calendarInterval',
  startAt: '2026-03-01T12:00:00.000Z',
  every: 1,
  unit: 'month',
  timeZone: 'UTC',
}
const inner = { type: 'cron', expression: '0 9 * * *', timeZone: 'UTC' }

describe('when a job is due next', () => {
  it.each<[string, Partial<NewJobFields>, string, string]>([
    ['cron', { cronExpression: '0 9 * * *' }, 'At 09:00', 'Às 09:00'],
    [
      'simple',
      { trigger: simple },
      'Every 90 minutes, starting 2026-03-01 00:00:00 UTC',
      'A cada 90 minutos, a partir de 01/03/2026 00:00:00 UTC',
    ],
    [
      'calendarInterval',
      { trigger: monthly },
      'Every month, starting 2026-03-01 12:00:00 UTC',
      'A cada mês, a partir de 01/03/2026 12:00:00 UTC',
    ],
    [
      'dailyTimeInterval',
      { trigger: daily },
      'Every 30 minutes, between 08:00 and 18:00, on Monday, Tuesday, Wednesday, Thursday, and Friday',
      'A cada 30 minutos, entre 08:00 e 18:00, na segunda-feira, na terça-feira, na quarta-feira, na quinta-feira e na sexta-feira',
    ],
    [
      'once',
      { trigger: { type: 'once', at: '2026-05-01T00:00:00.000Z' } },
      'Once, at 2026-05-01 00:00:00 UTC',
      'Uma vez, em 01/05/2026 00:00:00 UTC',
    ],
    [
      'jittered',
      { trigger: { type: 'jittered', trigger: inner, withinMs: 60_000, identity: 'x' } },
      'At 09:00, 41 s 484 ms later',
      'Às 09:00, 41 s 484 ms depois',
    ],
    [
      'calendared',
      {
        trigger: {
          type: 'calendared',
          trigger: inner,
          calendar: { type: 'holiday', dates: ['2026-12-25'] },
          onExcluded: 'nextDay',
        },
      },
      'At 09:00, moved to the next day that the calendar includes',
      'Às 09:00, transferido para o próximo dia que o calendário inclui',
    ],
    [
      'with a calendar of the tenant',
      { cronExpression: '0 9 * * *', calendar: 'holidays' },
      'At 09:00, except when the calendar excludes it',
      'Às 09:00, exceto quando o calendário o exclui',
    ],
  ])('is told in words: %s', async (_, change, english, portuguese) => {
    await using stage = await openStage()
    const { jobs, administration } = stage.service
    await administration.putCalendar(ana, 'holidays', { type: 'holiday', dates: ['2026-01-02'] })
    const { id } = await jobs.create(ana, fields({ cronExpression: undefined, ...change }))
    expect((await jobs.nextExecution(ana, id, { language: 'en' })).description).toBe(english)
    expect((await jobs.nextExecution(ana, id, { language: 'pt-BR' })).description).toBe(portuguese)
  })

  it('is told in the language of the tenant where nobody asks for another', async () => {
    await using stage = await openStage()
    const { jobs, administration } = stage.service
    const { id } = await jobs.create(ana, fields())
    expect((await jobs.nextExecution(ana, id)).description).toBe('Às 02:00')
    await administration.updateSettings(ana, { language: 'en' }, null)
    expect((await jobs.nextExecution(ana, id)).description).toBe('At 02:00')
  })
})

import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { InvalidInputError, PontualError } from '../../errors.ts'
import { calendarFrom } from '../../time/calendars/from-json.ts'
import { parseCron } from '../../time/cron/parse.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { zoneOf } from '../../time/zone.ts'
import { InvalidFieldsError } from '../errors.ts'
import { readInteger, readText, type TextRules } from '../sent-values.ts'
import { API_CODES } from './codes.ts'
import { say, sayField } from './say.ts'

const refusal = (refused: () => unknown): PontualError => {
  try {
    refused()
  } catch (error) {
    if (error instanceof PontualError) return error
  }
  throw new Error('It was accepted.')
}

const inPortuguese = (refused: () => unknown) => say('pt-BR', refusal(refused))

describe('a cron expression that cannot be understood', () => {
  it.each([
    [
      '75 3 * * *',
      'minuto deve ser 0-59, recebido "75" em "75 3 * * *": aceita *, listas (1,2), intervalos (1-5) e passos (*/5).',
    ],
    [
      '0 25 * * *',
      'hora deve ser 0-23, recebido "25" em "0 25 * * *": aceita *, listas (1,2), intervalos (1-5) e passos (*/5).',
    ],
    ['*/99 * * * *', 'o passo de minuto deve ser 1-59, recebido "*/99" em "*/99 * * * *".'],
    ['0 0 L-31 * *', 'dia do mês deve ser 1-31, recebido "L-31" em "0 0 L-31 * *": L-n aceita 0-30.'],
    ['0 0 * * 1#6', 'dia da semana deve ser 0-7, recebido "1#6" em "0 0 * * 1#6": dia#n aceita um n de 1-5.'],
    [
      'H 0 * * *',
      'minuto deve ser 0-59, recebido "H" em "H 0 * * *": H precisa da identidade de um job para distribuir, e nenhuma foi dada.',
    ],
    [
      '* * *',
      'deve ter 5 campos (minuto hora dia-do-mês mês dia-da-semana) ou 6 com os segundos primeiro, recebidos 3 em "* * *".',
    ],
    [
      '0 0 0 1 1 * 2026',
      'deve ter 5 campos (minuto hora dia-do-mês mês dia-da-semana) ou 6 com os segundos primeiro, recebidos 7 em "0 0 0 1 1 * 2026"; um ano se define por startAt e endAt.',
    ],
    [
      '@dayly',
      'a macro deve ser uma destas: @every_second, @every_minute, @hourly, @daily, @midnight, @weekly, @monthly, @yearly, @annually, recebido "@dayly". Você quis dizer "@daily"?',
    ],
  ])('is told of in Portuguese: %s', (expression, message) => {
    expect(inPortuguese(() => parseCron(expression))).toBe(`Expressão CRON inválida: ${message}`)
  })

  it('says in English what it always said', () => {
    const error = refusal(() => parseCron('75 3 * * *'))
    expect(say('en', error)).toBe(error.message)
  })
})

describe('a rule that cannot be accepted is told of in Portuguese', () => {
  it.each<[string, () => unknown]>([
    [
      'Fuso horário deve ser um nome IANA como "America/Sao_Paulo" ou "UTC", recebido "America/Sao_Paolo". Você quis dizer "America/Sao_Paulo"?',
      () => zoneOf('America/Sao_Paolo'),
    ],
    [
      'Gatilho deve ter um "type" que seja um destes: cron, simple, calendarInterval, dailyTimeInterval, once, jittered, calendared, recebido "lunar".',
      () => triggerFrom({ type: 'lunar' }),
    ],
    ['Gatilho deve ser um objeto, recebido texto.', () => triggerFrom('text')],
    [
      'at deve ser um instante RFC 3339 com fuso, como "2026-03-08T02:30:00Z", entre os anos 1 e 9999, recebido "never".',
      () => triggerFrom({ type: 'once', at: 'never' }),
    ],
    [
      'Gatilho único não tem o campo "on"; os campos são type, at. Você quis dizer "at"?',
      () => triggerFrom({ type: 'once', at: 0, on: 1 }),
    ],
    [
      'intervalMs deve ser um número inteiro de no mínimo 0, recebido -1.',
      () => triggerFrom({ type: 'simple', intervalMs: -1 }),
    ],
    [
      'dates deve conter datas como "2026-12-25", recebido "2026-02-30".',
      () => calendarFrom({ type: 'holiday', dates: ['2026-02-30'] }),
    ],
    [
      'weekdays deve ser uma lista de números inteiros de 0 a 6, recebido 7.',
      () => calendarFrom({ type: 'weekly', weekdays: [7] }),
    ],
    [
      'onExcluded deve ser um destes: skip, nextDay, previousDay, recebido "x".',
      () => calendarFrom({ type: 'weekly', onExcluded: 'x' }),
    ],
  ])('%s', (message, refused) => {
    expect(inPortuguese(refused)).toBe(message)
  })
})

describe('a field of a job that cannot be accepted is told of word for word as in section 4.2', () => {
  const name: TextRules = { min: 3, max: 255 }
  it.each<[string, () => unknown]>([
    ['Nome é obrigatório', () => readText('', 'name', name)],
    ['Nome deve ter pelo menos 3 caracteres', () => readText('ab', 'name', name)],
    ['Timeout mínimo é 5 minutos', () => readInteger(4, 'timeoutMinutes', 5, 240)],
    ['Timeout máximo é 240 minutos', () => readInteger(241, 'timeoutMinutes', 5, 240)],
    ['Timeout é obrigatório', () => readInteger(null, 'timeoutMinutes', 5, 240)],
  ])('%s', (message, refused) => {
    expect(inPortuguese(refused)).toBe(message)
  })
})

describe('a sentence', () => {
  it.each(API_CODES)('of %s is there even where nothing is known beside the code', (code) => {
    const sentence = say('pt-BR', { code, details: {}, message: 'In English.' })
    expect(sentence).not.toBe('In English.')
    expect(sentence.trim().length).toBeGreaterThan(5)
    expect(sentence).not.toMatch(/undefined|null|\[object|NaN/)
  })

  it('of an application’s own error stays in its words', () => {
    const error = new InvalidInputError('invoice.closed', 'This month is closed.')
    expect(say('pt-BR', error)).toBe('This month is closed.')
  })

  it('is short, whatever was sent', () => {
    const problem = { pointer: '/name', code: 'job_type_unknown', message: 'No.' }
    const says = { code: 'job_type_unknown', details: { jobType: 'x'.repeat(10_000) } }
    expect(sayField('pt-BR', { ...problem, says }).message.length).toBeLessThanOrEqual(501)
  })

  it('does not go out with what it was made from', () => {
    const says = { code: 'required', details: { secret: 's3cret' } }
    const said = sayField('pt-BR', { pointer: '/jobType', code: 'required', message: 'Required.', says })
    expect(said).toEqual({ pointer: '/jobType', code: 'required', message: 'Tipo de Job: campo obrigatório.' })
    const error = new InvalidFieldsError([{ pointer: '/x', code: 'required', message: 'Required.', says }])
    expect(inspect(error) + JSON.stringify(error)).not.toContain('s3cret')
  })
})

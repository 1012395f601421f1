import { inBoth } from '../../language/language.ts'
import type { Rhythm } from './rhythm.ts'

interface Texts {
  readonly hint: string
  readonly presets: string
  readonly preset: Readonly<Record<'fiveMinutes' | 'hourly' | 'nightly' | 'workdays' | 'monthly', string>>
  readonly builder: string
  readonly rhythm: string
  readonly kinds: Readonly<Record<Rhythm['kind'], string>>
  readonly custom: string
  readonly every: string
  readonly minutes: (count: number) => string
  readonly atMinute: string
  readonly time: string
  readonly days: string
  readonly day: string
  readonly lastDay: string
  readonly meaning: string
  readonly next: string
  readonly checking: string
}

export const cronTexts = inBoth<Texts>({
  'pt-BR': {
    hint: 'Minuto, hora, dia do mês, mês e dia da semana.',
    presets: 'Expressões comuns',
    preset: {
      fiveMinutes: 'A cada 5 minutos',
      hourly: 'De hora em hora',
      nightly: 'Todo dia às 02:00',
      workdays: 'Dias úteis às 09:00',
      monthly: 'Dia 1 do mês às 00:00',
    },
    builder: 'Montar a expressão',
    rhythm: 'Repetição',
    kinds: {
      minutes: 'A cada tantos minutos',
      hourly: 'De hora em hora',
      daily: 'Todo dia',
      weekly: 'Em dias da semana',
      monthly: 'Uma vez por mês',
    },
    custom: 'Outra (expressão acima)',
    every: 'Intervalo',
    minutes: (count) => (count === 1 ? '1 minuto' : `${count} minutos`),
    atMinute: 'No minuto',
    time: 'Horário',
    days: 'Dias da semana',
    day: 'Dia do mês',
    lastDay: 'Último dia',
    meaning: 'O que significa',
    next: 'Próximas execuções',
    checking: 'Verificando…',
  },
  en: {
    hint: 'Minute, hour, day of the month, month and day of the week.',
    presets: 'Common expressions',
    preset: {
      fiveMinutes: 'Every 5 minutes',
      hourly: 'Every hour',
      nightly: 'Daily at 02:00',
      workdays: 'Weekdays at 09:00',
      monthly: 'Day 1 of the month at 00:00',
    },
    builder: 'Build the expression',
    rhythm: 'Repeats',
    kinds: {
      minutes: 'Every so many minutes',
      hourly: 'Every hour',
      daily: 'Every day',
      weekly: 'On days of the week',
      monthly: 'Once a month',
    },
    custom: 'Other (the expression above)',
    every: 'Interval',
    minutes: (count) => (count === 1 ? '1 minute' : `${count} minutes`),
    atMinute: 'At minute',
    time: 'Time of day',
    days: 'Days of the week',
    day: 'Day of the month',
    lastDay: 'Last day',
    meaning: 'What it means',
    next: 'Next runs',
    checking: 'Checking…',
  },
})

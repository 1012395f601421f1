import { formatInstant } from '../../../../time/instant.ts'
import { type Facts, inCases, type Sentence } from '../../facts.ts'
import { called, fieldIn, received, suggestion } from '../names.ts'
import { jobs } from '../texts.ts'

const CRON = jobs.messages.error.invalidCron

/** About when things fire: cron expressions, triggers, calendars and misfires. */
export const rules = {
  'calendar.invalid': (facts) => `${fieldIn(facts)} deve ${datesOf(facts)}, recebido ${received(facts)}.`,
  'cron.field_count': (facts) => {
    const five = '5 campos (minuto hora dia-do-mês mês dia-da-semana)'
    const six = '6 com os segundos primeiro'
    const wanted = facts.is('wanted', 5) ? five : facts.is('wanted', 6) ? six : `${five} ou ${six}`
    const year = facts.is('count', 7) ? '; um ano se define por startAt e endAt' : ''
    return `${CRON}: deve ter ${wanted}, recebidos ${facts.of('count')} em ${received(facts)}${year}.`
  },
  'cron.field_invalid': (facts) => {
    const name = CRON_FIELDS[facts.of('field')] ?? facts.of('field')
    const part = facts.case === 'step' ? `o passo de ${name}` : name
    const found = `recebido ${received(facts)} em ${facts.quoted('expression')}`
    return `${CRON}: ${part} deve ser ${facts.of('accepted')}, ${found}${reasonOf(facts)}.`
  },
  'cron.invalid': (facts) => `${CRON}: deve ser texto, recebido ${received(facts)}.`,
  'cron.macro_unknown': (facts) =>
    `${CRON}: a macro deve ser uma destas: ${facts.of('accepted')}, recebido ${received(facts)}.${suggestion(facts)}`,
  'cron.too_long': (facts) =>
    `${CRON}: deve ter no máximo ${facts.of('max')} caracteres, recebidos ${facts.of('length')} em ${received(facts)}.`,
  'duration.invalid': (facts) =>
    `${fieldIn(facts)} deve ser uma duração como "90s", "5m" ou "1h30m", recebido ${received(facts)}.`,
  'fields.invalid': inCases(
    {
      depth: (facts) => `${called(facts.of('thing'))}: mais profundo do que ${facts.of('max')} níveis.`,
      text: (facts) => `${called(facts.of('thing'))} deve ser um objeto, recebido texto.`,
      type: (facts) =>
        `${called(facts.of('thing'))} deve ter um "type" que seja um destes: ${facts.of('accepted')}, recebido ${received(facts)}.`,
      unknown: (facts) =>
        `${called(facts.of('thing'))} não tem o campo ${received(facts)}; os campos são ${facts.of('accepted')}.${suggestion(facts)}`,
    },
    (facts) => `${called(facts.of('thing'))} deve ser um objeto, recebido ${received(facts)}.`,
  ),
  'id.invalid': (facts) => `${fieldIn(facts)} deve ser um UUID, recebido ${received(facts)}.`,
  'instant.invalid': inCases(
    { offset: (facts) => `O fuso horário ${facts.of('timeZone')} não tem este instante.` },
    (facts) =>
      `${fieldIn(facts)} deve ser um instante RFC 3339 com fuso, como "2026-03-08T02:30:00Z", entre os anos 1 e 9999, recebido ${received(facts)}.`,
  ),
  'misfire.policy_unknown': (facts) =>
    `Política de misfire deve ser uma destas: ${facts.of('accepted')}, recebido ${received(facts)}.${suggestion(facts)}`,
  'misfire.policy_unsupported': (facts) =>
    `A política de misfire ${received(facts)} vale apenas para gatilhos simples, e este é do tipo ${facts.of('trigger')}; são aceitas ${facts.of('accepted')}.`,
  'name.invalid': (facts) =>
    `${called(facts.of('thing'))} deve ser texto de 1 a ${facts.of('max')} caracteres visíveis, sem espaços em volta, recebido ${received(facts)}.`,
  'option.invalid': inCases(
    {
      integer: (facts) => {
        const isOpen = facts.is('max', Number.MAX_SAFE_INTEGER)
        const bounds = isOpen ? `de no mínimo ${facts.of('min')}` : `de ${facts.of('min')} a ${facts.of('max')}`
        return `${fieldIn(facts)} deve ser um número inteiro ${bounds}, recebido ${received(facts)}.`
      },
      flag: (facts) => `${fieldIn(facts)} deve ser true ou false, recebido ${received(facts)}.`,
      text: (facts) =>
        `${fieldIn(facts)} deve ser texto de 1 a ${facts.of('max')} caracteres, recebido ${received(facts)}.`,
      list: (facts) => `${fieldIn(facts)} deve ser uma lista, recebido ${received(facts)}.`,
      oneOf: (facts) =>
        `${fieldIn(facts)} deve ser um destes: ${facts.of('values')}, recebido ${received(facts)}.${suggestion(facts)}`,
      overlap: (facts) =>
        `${fieldIn(facts)} deve ser um destes: ${facts.of('values')}, ou { atMost: n }, recebido ${received(facts)}.`,
      call: (facts) => `${fieldIn(facts)} deve ser o lugar de uma chamada, recebido ${received(facts)}.`,
      trigger: (facts) => `${fieldIn(facts)} deve ser um gatilho, recebido ${received(facts)}.`,
      calendar: (facts) => `${fieldIn(facts)} deve ser um calendário, recebido ${received(facts)}.`,
    },
    (facts) => `${fieldIn(facts)} tem um valor que não é aceito.`,
  ),
  'simulation.invalid': () => 'O fim não pode vir antes do início.',
  'time_of_day.invalid': (facts) =>
    `${fieldIn(facts)} deve ser "HH:MM", "HH:MM:SS" ou "HH:MM:SS.mmm", de 00:00 a 23:59:59.999, recebido ${received(facts)}.`,
  'trigger.invalid': inCases(
    {
      repeatCount: () => 'repeatCount precisa de um startAt a partir do qual contar.',
      timesOfDay: (facts) =>
        `"to" não pode vir antes de "from", recebido ${facts.of('to')} antes de ${facts.of('from')}.`,
      weekdays: () => 'weekdays deve ser uma lista de pelo menos um dia, de 0 (domingo) a 6 (sábado).',
      window: (facts) =>
        `endAt não pode vir antes de startAt, recebido ${instant(facts, 'endAt')} antes de ${instant(facts, 'startAt')}.`,
    },
    () => 'O gatilho não é válido.',
  ),
  'trigger.search_too_long': () => 'Calcular quando isto dispararia demora demais.',
  'zone.unknown': (facts) =>
    `Fuso horário deve ser um nome IANA como "America/Sao_Paulo" ou "UTC", recebido ${received(facts)}.${suggestion(facts)}`,
} satisfies Record<string, Sentence>

const CRON_FIELDS: Readonly<Record<string, string>> = {
  second: 'segundo',
  minute: 'minuto',
  hour: 'hora',
  'day-of-month': 'dia do mês',
  month: 'mês',
  'day-of-week': 'dia da semana',
}

function reasonOf(facts: Facts): string {
  switch (facts.case) {
    case 'forms':
      return `: aceita ${inPortuguese(facts.of('forms'))}`
    case 'fromEnd':
      return ': L-n aceita 0-30'
    case 'nth':
      return ': dia#n aceita um n de 1-5'
    case 'spread':
      return ': H precisa da identidade de um job para distribuir, e nenhuma foi dada'
    default:
      return ''
  }
}

/** The forms that a field takes are examples, with three words between them. */
function inPortuguese(forms: string): string {
  return forms.replace('lists', 'listas').replace('ranges', 'intervalos').replace('and steps', 'e passos')
}

function datesOf(facts: Facts): string {
  const verb = typeof facts.raw('received') === 'string' ? 'conter' : 'ser uma lista de'
  if (facts.case === 'dates') return `${verb} datas como "2026-12-25"`
  if (facts.case === 'monthDays') return `${verb} dias do ano como "12-25"`
  return `ser uma lista de números inteiros de ${facts.of('min')} a ${facts.of('max')}`
}

function instant(facts: Facts, name: string): string {
  const at = facts.raw(name)
  return typeof at === 'number' ? formatInstant(at) : ''
}

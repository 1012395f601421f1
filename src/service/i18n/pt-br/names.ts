import { quote } from '../../../errors.ts'
import type { Facts } from '../facts.ts'
import { jobFields } from './job-fields.ts'

/** What fields, options and things are called; what is not listed is called as it is spelled in a request. */
const NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(jobFields).map(([name, { label, inMessages }]) => [name, inMessages ?? label])),
  jobType: 'Tipo de Job',
  status: 'Status',
  reason: 'Motivo',
  comment: 'Comentário',
  language: 'Idioma',
  locale: 'Idioma',
  concurrency: 'Concorrência',
  profile: 'Perfil',
  permissions: 'Permissões',
  adminAddresses: 'Endereços de e-mail',
  webhook: 'Webhook',
  limit: 'Limite',
  cursor: 'Cursor',
  definition: 'Definição',
  'Job id': 'Id do job',
  'Execution id': 'Id da execução',
  'API key id': 'Id da chave de API',
  'Signal name': 'Nome do sinal',
  Trigger: 'Gatilho',
  'Cron trigger': 'Gatilho cron',
  'Simple trigger': 'Gatilho simples',
  'Calendar-interval trigger': 'Gatilho de intervalo de calendário',
  'Daily-time-interval trigger': 'Gatilho de intervalo diário',
  'One-time trigger': 'Gatilho único',
  'Jittered trigger': 'Gatilho com variação',
  'Calendared trigger': 'Gatilho com calendário',
  Calendar: 'Calendário',
  'Holiday calendar': 'Calendário de feriados',
  'Annual calendar': 'Calendário anual',
  'Monthly calendar': 'Calendário mensal',
  'Weekly calendar': 'Calendário semanal',
  'Daily calendar': 'Calendário diário',
  'Cron calendar': 'Calendário cron',
  'interval of a trigger that repeats': 'Intervalo de um gatilho que se repete',
  'number of bases': 'Número de calendários de base',
  'misfire cause': 'Causa do misfire',
}

const EACH = 'Each of '
const OPTION_OF_PAYLOAD = /^Payload of signal (.*)$/s

/** A field or a thing by its name. */
export function called(name: string): string {
  if (name.startsWith(EACH)) return `Cada item de ${called(name.slice(EACH.length))}`
  const [, signal] = OPTION_OF_PAYLOAD.exec(name) ?? []
  if (signal !== undefined) return `Payload do sinal ${signal}`
  return Object.hasOwn(NAMES, name) ? (NAMES[name] ?? name) : name
}

/** The field that a sentence is about: as the rule that was broken calls it, or as it was sent. */
export function fieldIn(facts: Facts): string {
  return facts.has('name') ? called(facts.of('name')) : called(facts.of('field'))
}

/** What was received: text quoted and cut, anything else by its kind. */
export function received(facts: Facts, name = 'received'): string {
  const value = facts.raw(name)
  if (value === undefined) return 'nada'
  if (Array.isArray(value)) return `uma lista de ${value.length}`
  if (value instanceof Date) return quote(value)
  if (typeof value === 'object' && value !== null) return 'um objeto'
  if (typeof value === 'function') return 'uma função'
  if (typeof value === 'boolean') return value ? 'verdadeiro' : 'falso'
  return value === null ? 'nulo' : quote(value)
}

/** What to say after a name that is not known. */
export function suggestion(facts: Facts): string {
  return facts.has('suggestion') ? ` Você quis dizer "${facts.of('suggestion')}"?` : ''
}

/** Several words, the last of them behind `ou`. */
export function anyOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ou ${words.at(-1)}`
}

/** Several words, the last of them behind `e`. */
export function allOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} e ${words.at(-1)}`
}

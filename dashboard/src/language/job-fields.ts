import type { JobView } from '../api/wire.ts'
import { jobTexts } from './job-texts.ts'
import { inBoth } from './language.ts'

/** The fields of a job that RF-112 gives no label. */
const more = inBoth({
  'pt-BR': {
    timeZone: 'Fuso horário',
    trigger: 'Gatilho',
    calendar: 'Calendário',
    calendarDefinition: 'Conteúdo do calendário',
    retryCount: 'Retentativas',
    retry: 'Regras de retentativa',
    payload: 'Payload',
    misfirePolicy: 'Política de misfire',
    misfireThresholdSeconds: 'Tolerância de atraso (segundos)',
    misfireCauses: 'Política de misfire por causa',
    misfireCatchUp: 'Recuperação de ocorrências perdidas',
    quartz: 'Misfires como no Quartz',
    isDurable: 'Durável',
    overlap: 'Sobreposição',
    queue: 'Fila',
    onFault: 'Ao falhar',
    tags: 'Tags',
    status: 'Status',
    version: 'Versão',
  },
  en: {
    timeZone: 'Time zone',
    trigger: 'Trigger',
    calendar: 'Calendar',
    calendarDefinition: 'Content of the calendar',
    retryCount: 'Retries',
    retry: 'Rules of retries',
    payload: 'Payload',
    misfirePolicy: 'Misfire policy',
    misfireThresholdSeconds: 'Tolerated lateness (seconds)',
    misfireCauses: 'Misfire policy by cause',
    misfireCatchUp: 'Catching up with what was missed',
    quartz: 'Misfires as in Quartz',
    isDurable: 'Durable',
    overlap: 'Overlap',
    queue: 'Queue',
    onFault: 'When it fails',
    tags: 'Tags',
    status: 'Status',
    version: 'Version',
  },
})

/** What a field of a job is called on a page; one without a name keeps that of the API. */
export function jobFieldName(field: string): string {
  const { form } = jobTexts.value
  const names: Readonly<Record<string, string>> = {
    name: form.name,
    description: form.description,
    jobType: form.jobType,
    cronExpression: form.cronExpression,
    priority: form.priority,
    timeoutMinutes: form.timeout,
    requiresTwoStepExecution: form.requiresTwoStep,
    ...more.value,
  }
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field
}

const overlaps = inBoth({
  'pt-BR': {
    allow: 'Permitir: executa ao lado da anterior',
    queue: 'Enfileirar: espera a anterior terminar',
    skip: 'Pular: não executa enquanto a anterior executa',
    replace: 'Substituir: cancela a anterior',
    atMost: (count: number | null) =>
      count === null ? 'Permitir até um número' : `Permitir até ${count} ao mesmo tempo`,
  },
  en: {
    allow: 'Allow: it runs beside the one before',
    queue: 'Queue: it waits for the one before to end',
    skip: 'Skip: it does not run while the one before does',
    replace: 'Replace: the one before is cancelled',
    atMost: (count: number | null) => (count === null ? 'Allow up to a number' : `Allow up to ${count} at once`),
  },
})

/** What happens to an occurrence that is due while the run before it has not ended; `atMost`: up to a number that is still to be said. */
export function overlapName(overlap: JobView['overlap'] | 'atMost'): string {
  const { atMost, ...named } = overlaps.value
  if (overlap === 'atMost') return atMost(null)
  return typeof overlap === 'string' ? named[overlap] : atMost(overlap.atMost)
}

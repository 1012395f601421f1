import { JOB_FIELDS, type JobFieldName } from '../../../src/job/job-fields.ts'
import { jobFields as en } from '../../../src/service/i18n/en/job-fields.ts'
import { jobFields as ptBr } from '../../../src/service/i18n/pt-br/job-fields.ts'
import type { JobView } from '../api/wire.ts'
import { jobTexts } from './job-texts.ts'
import { inBoth } from './language.ts'

/** Values of a job that no caller sets. */
const more = inBoth({
  'pt-BR': {
    calendarDefinition: 'Conteúdo do calendário',
    retry: 'Regras de retentativa',
    misfireCauses: 'Política de misfire por causa',
    misfireCatchUp: 'Recuperação de ocorrências perdidas',
    quartz: 'Misfires como no Quartz',
    isDurable: 'Durável',
    queue: 'Fila',
    onFault: 'Ao falhar',
    status: 'Status',
    version: 'Versão',
  },
  en: {
    calendarDefinition: 'Content of the calendar',
    retry: 'Rules of retries',
    misfireCauses: 'Misfire policy by cause',
    misfireCatchUp: 'Catching up with what was missed',
    quartz: 'Misfires as in Quartz',
    isDurable: 'Durable',
    queue: 'Queue',
    onFault: 'When it fails',
    status: 'Status',
    version: 'Version',
  },
})

const fields = inBoth({ 'pt-BR': ptBr, en })

/** What a field of a job is called on a page; one without a name keeps that of the API. */
export function jobFieldName(field: string): string {
  const names: Readonly<Record<string, string>> = { jobType: jobTexts.value.form.jobType, ...more.value }
  if (Object.hasOwn(fields.value, field)) return fields.value[field as JobFieldName].label
  return Object.hasOwn(names, field) ? (names[field] ?? field) : field
}

/** What a form says about a field. */
export function jobFieldHint(field: JobFieldName): string | undefined {
  const { accepts } = JOB_FIELDS[field]
  return fields.value[field].hint?.('max' in accepts ? accepts : {})
}

/** The unit of a field that is a duration. */
export function jobFieldUnit(field: string): 'minutes' | 'seconds' | undefined {
  const accepts = Object.hasOwn(JOB_FIELDS, field) ? JOB_FIELDS[field as JobFieldName].accepts : null
  return accepts?.kind === 'integer' ? accepts.unit : undefined
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

import type { FieldTexts } from '../field-texts.ts'
import { jobs } from './texts.ts'

const { form } = jobs

/** Labels, hints and names in messages of the fields of a job. */
export const jobFields: FieldTexts = {
  name: { label: form.name, inMessages: 'Nome' },
  description: { label: form.description },
  cronExpression: { label: form.cronExpression },
  trigger: { label: 'Gatilho', hint: () => 'Por exemplo: {"type":"once","at":"2030-01-31T12:00:00Z"}' },
  timeZone: { label: 'Fuso horário' },
  calendar: { label: 'Calendário', hint: () => 'Nos horários que o calendário exclui o job não executa.' },
  priority: { label: form.priority },
  timeoutMinutes: { label: form.timeout, inMessages: 'Timeout', hint: ({ min, max }) => `De ${min} a ${max}.` },
  retryCount: {
    label: 'Retentativas',
    inMessages: 'Número de retentativas',
    hint: ({ min, max }) => `De ${min} a ${max}, depois da primeira tentativa.`,
  },
  requiresTwoStepExecution: {
    label: form.requiresTwoStep,
    inMessages: 'Requer aprovação',
    hint: () => 'Uma segunda pessoa aprova o job antes de ele executar.',
  },
  payload: { label: 'Payload', hint: () => 'O que o job recebe a cada execução.' },
  misfirePolicy: {
    label: 'Política de misfire',
    hint: () => 'O que fazer com ocorrências que ninguém disparou a tempo, por exemplo durante uma parada.',
  },
  misfireThresholdSeconds: {
    label: 'Tolerância de atraso (segundos)',
    inMessages: 'Tolerância de misfire',
    hint: () => 'Até este atraso, a ocorrência ainda conta como no horário.',
  },
  overlap: { label: 'Sobreposição', inMessages: 'Regra de sobreposição' },
  tags: { label: 'Tags', inMessages: 'Etiquetas', hint: ({ max }) => `Separadas por vírgula, até ${max}.` },
}

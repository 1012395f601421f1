import { JOB_FIELDS, type JobFieldName } from '../../../../src/job/job-fields.ts'
import { jobTexts } from '../../language/job-texts.ts'
import { inBoth } from '../../language/language.ts'
import { type Fault, type FieldName, limitsOf } from './check-values.ts'
import type { FormValues } from './form-values.ts'

/** Faults that name the limit of the field. */
type LimitFault = 'range' | 'tooManyTags' | 'tagTooLong'
type OwnFault = Exclude<Fault, keyof (typeof jobTexts)['value']['validation'] | LimitFault>

interface Texts {
  readonly editTitle: (name: string) => string
  readonly copyTitle: (name: string) => string
  readonly copyName: (name: string) => string
  readonly sections: Readonly<Record<'basics' | 'schedule' | 'running' | 'payload', string>>
  readonly chooseType: string
  readonly typeFixed: string
  readonly typeUnknown: string
  readonly when: string
  readonly kinds: Readonly<Record<FormValues['kind'], string>>
  readonly noCalendar: string
  readonly calendarIgnored: string
  readonly durableRetries: string
  readonly durableTimeout: string
  readonly sensitiveType: string
  readonly atMost: string
  readonly noPayload: string
  readonly newNeedsApproval: string
  readonly changeNeedsApproval: string
  readonly changeLosesApproval: string
  readonly fixFirst: (count: number) => string
  readonly unchanged: string
  readonly unsavedTitle: string
  readonly unsavedText: string
  readonly leave: string
  readonly stay: string
  readonly staleTitle: string
  readonly staleText: (by: string) => string
  readonly staleSame: string
  readonly staleChanges: string
  readonly changedToo: string
  readonly reload: string
  readonly overwrite: string
  readonly somebody: string
  readonly deleted: string
  readonly backToJob: string
  readonly faults: Readonly<Record<OwnFault, string>>
  readonly limits: Readonly<Record<LimitFault, (max: number, min: number) => string>>
}

export const formTexts = inBoth<Texts>({
  'pt-BR': {
    editTitle: (name) => `Editar ${name}`,
    copyTitle: (name) => `Duplicar ${name}`,
    copyName: (name) => `${name} (cópia)`,
    sections: { basics: 'Identificação', schedule: 'Agendamento', running: 'Execução', payload: 'Payload' },
    chooseType: 'Escolha um tipo',
    typeFixed: 'O tipo de um job não muda; para outro tipo, crie outro job.',
    typeUnknown: 'Nenhum worker ativo conhece este tipo: o job só executa quando um deles conhecer.',
    when: 'Dispara por',
    kinds: { cron: 'Expressão CRON', trigger: 'Outro gatilho (JSON)' },
    noCalendar: 'Nenhum',
    calendarIgnored: 'As próximas execuções acima não levam em conta o calendário escolhido.',
    durableRetries: 'Este tipo é durável: cada atividade tem as próprias retentativas.',
    durableTimeout: 'De 5 a 240; vazio significa sem limite, pois o tipo é durável.',
    sensitiveType: 'Este tipo é sensível: os jobs dele sempre precisam de aprovação.',
    atMost: 'Quantas ao mesmo tempo',
    noPayload: 'Escolha o tipo de job para ver o que ele recebe.',
    newNeedsApproval: 'Este job vai esperar a aprovação de uma segunda pessoa antes da primeira execução.',
    changeNeedsApproval:
      'Este job é sensível: qualquer alteração além da descrição e das tags exige nova aprovação, e até lá ele não executa.',
    changeLosesApproval: 'Ao salvar, o job perde a aprovação e volta a esperar por uma.',
    fixFirst: (count) => (count === 1 ? 'Há 1 campo para corrigir.' : `Há ${count} campos para corrigir.`),
    unchanged: 'Nada foi alterado.',
    unsavedTitle: 'Sair sem salvar?',
    unsavedText: 'As alterações deste formulário ainda não foram salvas e serão perdidas.',
    leave: 'Sair sem salvar',
    stay: 'Continuar editando',
    staleTitle: 'O job mudou enquanto você editava',
    staleText: (by) => `${by} salvou outra versão. Veja o que mudou desde que você abriu o formulário.`,
    staleSame: 'Só mudou o estado do job, nada do que este formulário edita.',
    staleChanges: 'O que mudou',
    changedToo: 'você também mudou',
    reload: 'Recarregar e descartar o meu',
    overwrite: 'Salvar o meu por cima',
    somebody: 'Outra pessoa',
    deleted: 'Este job foi deletado e não pode mais ser alterado.',
    backToJob: 'Voltar ao job',
    faults: {
      jobTypeRequired: 'Tipo de job é obrigatório',
      triggerInvalid: 'Informe o gatilho como objeto JSON com "type"',
      zoneUnknown: 'Informe um fuso horário da lista',
      wholeNumber: 'Informe um número inteiro',
      payloadInvalid: 'Corrija o payload',
      payloadHidden: 'Há valores ocultos (***): informe-os de novo',
    },
    limits: {
      range: (max, min) => `Use de ${min} a ${max}`,
      tooManyTags: (max) => `Use no máximo ${max} tags`,
      tagTooLong: (max) => `Cada tag tem no máximo ${max} caracteres`,
    },
  },
  en: {
    editTitle: (name) => `Edit ${name}`,
    copyTitle: (name) => `Duplicate ${name}`,
    copyName: (name) => `${name} (copy)`,
    sections: { basics: 'What it is', schedule: 'When it runs', running: 'How it runs', payload: 'Payload' },
    chooseType: 'Choose a type',
    typeFixed: 'The type of a job does not change; for another type, make another job.',
    typeUnknown: 'No living worker knows this type: the job runs only once one does.',
    when: 'Fires by',
    kinds: { cron: 'CRON expression', trigger: 'Another trigger (JSON)' },
    noCalendar: 'None',
    calendarIgnored: 'The next runs above do not take the chosen calendar into account.',
    durableRetries: 'This type is durable: each activity has its own retries.',
    durableTimeout: '5 to 240; empty means no limit, as the type is durable.',
    sensitiveType: 'This type is sensitive: its jobs always need an approval.',
    atMost: 'How many at once',
    noPayload: 'Choose the job type to see what it takes.',
    newNeedsApproval: 'This job will wait for the approval of a second person before it first runs.',
    changeNeedsApproval:
      'This job is sensitive: any change but to its description and tags needs a new approval, and it does not run until then.',
    changeLosesApproval: 'Once saved, the job loses its approval and waits for a new one.',
    fixFirst: (count) => (count === 1 ? 'There is 1 field to correct.' : `There are ${count} fields to correct.`),
    unchanged: 'Nothing was changed.',
    unsavedTitle: 'Leave without saving?',
    unsavedText: 'What you changed in this form is not saved yet and will be lost.',
    leave: 'Leave without saving',
    stay: 'Keep editing',
    staleTitle: 'The job changed while you were editing',
    staleText: (by) => `${by} saved another version. This is what changed since you opened the form.`,
    staleSame: 'Only the state of the job changed, nothing that this form edits.',
    staleChanges: 'What changed',
    changedToo: 'you changed it too',
    reload: 'Reload and drop mine',
    overwrite: 'Save mine over it',
    somebody: 'Somebody else',
    deleted: 'This job was deleted and cannot be changed any more.',
    backToJob: 'Back to the job',
    faults: {
      jobTypeRequired: 'Job type is required',
      triggerInvalid: 'Enter the trigger as a JSON object with "type"',
      zoneUnknown: 'Enter a time zone of the list',
      wholeNumber: 'Enter a whole number',
      payloadInvalid: 'Correct the payload',
      payloadHidden: 'There are hidden values (***): enter them anew',
    },
    limits: {
      range: (max, min) => `Use ${min} to ${max}`,
      tooManyTags: (max) => `Use at most ${max} tags`,
      tagTooLong: (max) => `A tag has at most ${max} characters`,
    },
  },
})

/** What is wrong with a field: RF-112's own words where it has some. */
export function sayFault(fault: Fault, field: FieldName): string {
  const { faults, limits } = formTexts.value
  const accepts = field in JOB_FIELDS ? JOB_FIELDS[field as JobFieldName].accepts : null
  const { min = 0, max = 0 } = limitsOf(field) ?? {}
  if (fault === 'range') return limits.range(max, min)
  if (fault === 'tooManyTags' || fault === 'tagTooLong') {
    if (accepts?.kind !== 'list') return ''
    return limits[fault](fault === 'tagTooLong' ? accepts.item.max : accepts.max, 0)
  }
  const known: Readonly<Record<Exclude<Fault, LimitFault>, string>> = { ...faults, ...jobTexts.value.validation }
  return known[fault]
}

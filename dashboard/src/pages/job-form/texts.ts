import { jobTexts } from '../../language/job-texts.ts'
import { inBoth } from '../../language/language.ts'
import type { Fault } from './check-values.ts'
import type { FormValues } from './form-values.ts'

type OwnFault = Exclude<Fault, keyof (typeof jobTexts)['value']['validation']>

interface Texts {
  readonly editTitle: (name: string) => string
  readonly copyTitle: (name: string) => string
  readonly copyName: (name: string) => string
  readonly sections: Readonly<Record<'basics' | 'schedule' | 'running' | 'payload', string>>
  readonly chooseType: string
  readonly typeFixed: string
  readonly typeUnknown: string
  readonly tagsHint: string
  readonly when: string
  readonly kinds: Readonly<Record<FormValues['kind'], string>>
  readonly triggerHint: string
  readonly noCalendar: string
  readonly calendarHint: string
  readonly calendarIgnored: string
  readonly retryHint: string
  readonly durableRetries: string
  readonly timeoutHint: string
  readonly durableTimeout: string
  readonly sensitiveType: string
  readonly twoStepHint: string
  readonly misfireHint: string
  readonly thresholdHint: string
  readonly atMost: string
  readonly payloadHint: string
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
    tagsHint: 'Separadas por vírgula, até 20.',
    when: 'Dispara por',
    kinds: { cron: 'Expressão CRON', trigger: 'Outro gatilho (JSON)' },
    triggerHint: 'Por exemplo: {"type":"once","at":"2030-01-31T12:00:00Z"}',
    noCalendar: 'Nenhum',
    calendarHint: 'Nos horários que o calendário exclui o job não executa.',
    calendarIgnored: 'As próximas execuções acima não levam em conta o calendário escolhido.',
    retryHint: 'De 0 a 10, depois da primeira tentativa.',
    durableRetries: 'Este tipo é durável: cada atividade tem as próprias retentativas.',
    timeoutHint: 'De 5 a 240.',
    durableTimeout: 'De 5 a 240; vazio significa sem limite, pois o tipo é durável.',
    sensitiveType: 'Este tipo é sensível: os jobs dele sempre precisam de aprovação.',
    twoStepHint: 'Uma segunda pessoa aprova o job antes de ele executar.',
    misfireHint: 'O que fazer com ocorrências que ninguém disparou a tempo, por exemplo durante uma parada.',
    thresholdHint: 'Até este atraso, a ocorrência ainda conta como no horário.',
    atMost: 'Quantas ao mesmo tempo',
    payloadHint: 'O que o job recebe a cada execução.',
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
      retryRange: 'Use de 0 a 10',
      thresholdRange: 'Use de 0 a 604800',
      atMostRange: 'Use de 1 a 10000',
      tooManyTags: 'Use no máximo 20 tags',
      tagTooLong: 'Cada tag tem no máximo 64 caracteres',
      payloadInvalid: 'Corrija o payload',
      payloadHidden: 'Há valores ocultos (***): informe-os de novo',
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
    tagsHint: 'Separated by commas, up to 20.',
    when: 'Fires by',
    kinds: { cron: 'CRON expression', trigger: 'Another trigger (JSON)' },
    triggerHint: 'For example: {"type":"once","at":"2030-01-31T12:00:00Z"}',
    noCalendar: 'None',
    calendarHint: 'The job does not run at the times that the calendar leaves out.',
    calendarIgnored: 'The next runs above do not take the chosen calendar into account.',
    retryHint: '0 to 10, after the first attempt.',
    durableRetries: 'This type is durable: each activity has its own retries.',
    timeoutHint: '5 to 240.',
    durableTimeout: '5 to 240; empty means no limit, as the type is durable.',
    sensitiveType: 'This type is sensitive: its jobs always need an approval.',
    twoStepHint: 'A second person approves the job before it runs.',
    misfireHint: 'What becomes of occurrences that nobody fired in time, as during an outage.',
    thresholdHint: 'Up to this lateness an occurrence still counts as on time.',
    atMost: 'How many at once',
    payloadHint: 'What the job is given each time it runs.',
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
      retryRange: 'Use 0 to 10',
      thresholdRange: 'Use 0 to 604800',
      atMostRange: 'Use 1 to 10000',
      tooManyTags: 'Use at most 20 tags',
      tagTooLong: 'A tag has at most 64 characters',
      payloadInvalid: 'Correct the payload',
      payloadHidden: 'There are hidden values (***): enter them anew',
    },
  },
})

/** What is wrong with a field: RF-112's own words where it has some. */
export function sayFault(fault: Fault): string {
  const known: Readonly<Record<Fault, string>> = { ...formTexts.value.faults, ...jobTexts.value.validation }
  return known[fault]
}

import { number } from '../../language/format.ts'
import { inBoth } from '../../language/language.ts'

interface Texts {
  readonly sections: Readonly<
    Record<'why' | 'schedule' | 'runs' | 'durations' | 'definition' | 'source' | 'approval', string>
  >
  readonly linked: string
  readonly openExecution: string
  readonly nextRun: string
  readonly noNext: string
  readonly successRate: string
  readonly ofRuns: (count: number) => string
  readonly usualDuration: string
  readonly lastFailure: string
  readonly noFailure: string
  readonly lastSuccess: (when: string) => string
  readonly noRuns: string
  readonly durationLabel: (count: string, shortest: string, longest: string) => string
  readonly failedMark: string
  readonly source: Readonly<Record<'code' | 'runtime', string>>
  readonly overridden: (source: string) => string
  readonly overrideUsed: string
  readonly overrideCode: string
  readonly edited: string
  readonly editedFields: string
  readonly asDeclared: string
  readonly reset: string
  readonly resetTitle: (name: string) => string
  readonly resetText: string
  readonly resetDone: string
  readonly pending: string
  readonly requested: (by: string, at: string) => string
  readonly byCode: string
  readonly firstApproval: string
  readonly approvalChanges: string
  readonly toApprovals: string
  readonly noPayload: string
  readonly reveal: string
  readonly revealHint: string
  readonly hide: string
  readonly payloadErrors: Readonly<Record<'payload_undecryptable' | 'payload_erased', string>>
  readonly facts: Readonly<Record<'approved' | 'created' | 'updated' | 'deleted' | 'noTimeout' | 'yes' | 'no', string>>
  readonly policy: (policy: string, seconds: string) => string
  readonly deletedNote: string
  readonly actions: Readonly<Record<'duplicate' | 'retry' | 'cancel' | 'disable' | 'enable' | 'more' | 'audit', string>>
  readonly retried: string
  readonly cancelled: (count: number) => string
  readonly cancelTitle: (name: string) => string
  readonly cancelText: string
  readonly disabled: string
  readonly enabled: string
  readonly runTitle: (name: string) => string
  readonly runText: string
  readonly runSensitive: string
  readonly editPayload: string
  readonly history: Readonly<
    Record<
      | 'status'
      | 'all'
      | 'archived'
      | 'archivedHint'
      | 'none'
      | 'number'
      | 'when'
      | 'duration'
      | 'attempts'
      | 'origin'
      | 'error',
      string
    >
  >
}

export const jobPageTexts = inBoth<Texts>({
  'pt-BR': {
    sections: {
      why: 'Por que não executou?',
      schedule: 'Próximas execuções',
      runs: 'Últimas execuções',
      durations: 'Duração das execuções',
      definition: 'Definição',
      source: 'De onde vem a definição',
      approval: 'Aprovação pendente',
    },
    linked: 'Você chegou aqui por esta execução:',
    openExecution: 'Abrir a execução',
    nextRun: 'Próxima execução',
    noNext: 'Nenhuma',
    successRate: 'Taxa de sucesso',
    ofRuns: (count) => (count === 1 ? 'de 1 execução' : `de ${number(count)} execuções`),
    usualDuration: 'Duração (p50)',
    lastFailure: 'Última falha',
    noFailure: 'Nenhuma falha',
    lastSuccess: (when) => `Último sucesso: ${when}`,
    noRuns: 'Ainda não executou.',
    durationLabel: (count, shortest, longest) =>
      `Duração das últimas ${count} execuções, da mais antiga à mais recente: de ${shortest} a ${longest}`,
    failedMark: 'Falhou',
    source: {
      code: 'O código da aplicação declara este job.',
      runtime: 'O job foi criado por uma pessoa ou pela API, não pelo código.',
    },
    overridden: (source) => `A configuração (${source}) trocou a expressão CRON do código.`,
    overrideUsed: 'Vale agora',
    overrideCode: 'No código',
    edited: 'Um operador alterou o que o código declara.',
    editedFields: 'Antes: no código. Depois: como está.',
    asDeclared: 'Está como o código declara.',
    reset: 'Voltar ao código',
    resetTitle: (name) => `Voltar ${name} ao que o código declara?`,
    resetText: 'O que os operadores alteraram é desfeito. A alteração fica na auditoria.',
    resetDone: 'O job voltou ao que o código declara',
    pending: 'Este job só executa depois que uma segunda pessoa aprovar exatamente esta definição.',
    requested: (by, at) => `Pedida por ${by} em ${at}.`,
    byCode: 'o código',
    firstApproval: 'Ninguém aprovou este job antes.',
    approvalChanges: 'O que mudou desde a última aprovação',
    toApprovals: 'Ir para as aprovações',
    noPayload: 'O job não recebe payload.',
    reveal: 'Revelar valores ocultos',
    revealHint: 'Quem revelou fica registrado na auditoria.',
    hide: 'Ocultar',
    payloadErrors: {
      payload_undecryptable:
        'O payload não pode ser lido: a chave que o abre não está disponível, ou ele foi alterado.',
      payload_erased: 'O payload foi apagado.',
    },
    facts: {
      approved: 'Aprovado por',
      created: 'Criado por',
      updated: 'Alterado por',
      deleted: 'Deletado por',
      noTimeout: 'Sem limite',
      yes: 'Sim',
      no: 'Não',
    },
    policy: (policy, seconds) => `${policy} · atraso a partir de ${seconds} s`,
    deletedNote: 'Este job foi deletado. O que se sabe dele fica aqui para consulta.',
    actions: {
      duplicate: 'Duplicar',
      retry: 'Repetir a última falha',
      cancel: 'Cancelar o que executa',
      disable: 'Desabilitar',
      enable: 'Habilitar',
      more: 'Mais ações',
      audit: 'Ver auditoria',
    },
    retried: 'A execução que falhou foi posta na fila de novo',
    cancelled: (count) => (count === 1 ? '1 execução cancelada' : `${count} execuções canceladas`),
    cancelTitle: (name) => `Cancelar as execuções de ${name}?`,
    cancelText: 'Tudo o que deste job executa ou espera na fila é cancelado. O agendamento continua.',
    disabled: 'Job desabilitado',
    enabled: 'Job habilitado',
    runTitle: (name) => `Executar ${name} agora?`,
    runText: 'A execução entra na fila agora; o agendamento não muda.',
    runSensitive: 'Este job é sensível: só executa com o payload que foi aprovado.',
    editPayload: 'Usar outro payload nesta execução',
    history: {
      status: 'Status',
      all: 'Todos',
      archived: 'Incluir arquivadas',
      archivedHint: 'Também as de mais de 90 dias.',
      none: 'Nenhuma execução encontrada.',
      number: 'Nº',
      when: 'Quando',
      duration: 'Duração',
      attempts: 'Tentativas',
      origin: 'Origem',
      error: 'Erro',
    },
  },
  en: {
    sections: {
      why: 'Why did it not run?',
      schedule: 'Next runs',
      runs: 'Last runs',
      durations: 'How long runs took',
      definition: 'Definition',
      source: 'Where the definition comes from',
      approval: 'Pending approval',
    },
    linked: 'You came here for this execution:',
    openExecution: 'Open the execution',
    nextRun: 'Next run',
    noNext: 'None',
    successRate: 'Success rate',
    ofRuns: (count) => (count === 1 ? 'of 1 run' : `of ${number(count)} runs`),
    usualDuration: 'Duration (p50)',
    lastFailure: 'Last failure',
    noFailure: 'No failure',
    lastSuccess: (when) => `Last success: ${when}`,
    noRuns: 'It has not run yet.',
    durationLabel: (count, shortest, longest) =>
      `How long the last ${count} runs took, the oldest first: from ${shortest} to ${longest}`,
    failedMark: 'Failed',
    source: {
      code: 'The code of the application declares this job.',
      runtime: 'A person or the API made this job, not the code.',
    },
    overridden: (source) => `The configuration (${source}) replaces the CRON expression of the code.`,
    overrideUsed: 'In force',
    overrideCode: 'In the code',
    edited: 'An operator changed what the code declares.',
    editedFields: 'Before: in the code. After: as it is.',
    asDeclared: 'It is as the code declares it.',
    reset: 'Reset to code',
    resetTitle: (name) => `Reset ${name} to what the code declares?`,
    resetText: 'What operators changed is taken back. The change is kept in the audit log.',
    resetDone: 'The job is as the code declares it again',
    pending: 'This job runs only once a second person has approved exactly this definition.',
    requested: (by, at) => `Requested by ${by} at ${at}.`,
    byCode: 'the code',
    firstApproval: 'Nobody has approved this job before.',
    approvalChanges: 'What changed since the last approval',
    toApprovals: 'Go to the approvals',
    noPayload: 'The job is given no payload.',
    reveal: 'Reveal hidden values',
    revealHint: 'Who revealed them is kept in the audit log.',
    hide: 'Hide',
    payloadErrors: {
      payload_undecryptable: 'The payload cannot be read: the key that opens it is not there, or it was tampered with.',
      payload_erased: 'The payload was erased.',
    },
    facts: {
      approved: 'Approved by',
      created: 'Created by',
      updated: 'Changed by',
      deleted: 'Deleted by',
      noTimeout: 'No limit',
      yes: 'Yes',
      no: 'No',
    },
    policy: (policy, seconds) => `${policy} · late after ${seconds} s`,
    deletedNote: 'This job was deleted. What is known of it stays here to be read.',
    actions: {
      duplicate: 'Duplicate',
      retry: 'Retry the last failure',
      cancel: 'Cancel what runs',
      disable: 'Disable',
      enable: 'Enable',
      more: 'More actions',
      audit: 'View audit log',
    },
    retried: 'What failed is in the queue again',
    cancelled: (count) => (count === 1 ? '1 execution cancelled' : `${count} executions cancelled`),
    cancelTitle: (name) => `Cancel the executions of ${name}?`,
    cancelText: 'All of this job that runs or waits in the queue is cancelled. Its schedule goes on.',
    disabled: 'Job disabled',
    enabled: 'Job enabled',
    runTitle: (name) => `Run ${name} now?`,
    runText: 'The execution joins the queue now; the schedule does not change.',
    runSensitive: 'This job is sensitive: it runs only with the payload that was approved.',
    editPayload: 'Use another payload for this run',
    history: {
      status: 'Status',
      all: 'All',
      archived: 'Include archived',
      archivedHint: 'Also those older than 90 days.',
      none: 'No execution found.',
      number: 'No.',
      when: 'When',
      duration: 'Duration',
      attempts: 'Attempts',
      origin: 'Origin',
      error: 'Error',
    },
  },
})

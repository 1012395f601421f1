import type { Flag } from '../../../access/flag.ts'
import type { AlertKind } from '../../../store/alerts.ts'

/** What people read about jobs, word for word as section 4.2 of RF-112 has it. */
export const jobs = {
  list: {
    title: 'Jobs e Tarefas Agendadas',
    emptyState: 'Nenhum job configurado',
  },
  form: {
    name: 'Nome do Job',
    description: 'Descrição',
    jobType: 'Tipo de Job',
    cronExpression: 'Expressão CRON',
    priority: 'Prioridade',
    timeout: 'Timeout (minutos)',
    requiresTwoStep: 'Requer aprovação?',
  },
  messages: {
    success: {
      created: 'Job criado com sucesso',
      updated: 'Job atualizado com sucesso',
      executed: 'Job executado com sucesso',
      deleted: 'Job deletado com sucesso',
    },
    error: {
      nameAlreadyExists: 'Já existe um job com este nome',
      invalidCron: 'Expressão CRON inválida',
      maxWorkersExceeded: 'Limite máximo de workers atingido',
      jobNotFound: 'Job não encontrado',
    },
  },
  validation: {
    nameRequired: 'Nome é obrigatório',
    nameMinLength: 'Nome deve ter pelo menos 3 caracteres',
    cronRequired: 'Expressão CRON é obrigatória',
    timeoutRequired: 'Timeout é obrigatório',
    timeoutMinValue: 'Timeout mínimo é 5 minutos',
    timeoutMaxValue: 'Timeout máximo é 240 minutos',
  },
  status: {
    active: 'Ativo',
    paused: 'Pausado',
    disabled: 'Desabilitado',
    faulted: 'Falha',
    pendingApproval: 'Aguardando Aprovação',
  },
  priority: {
    high: 'Alta',
    medium: 'Média',
    low: 'Baixa',
  },
  actions: {
    create: 'Criar Job',
    edit: 'Editar',
    delete: 'Deletar',
    execute: 'Executar Agora',
    pause: 'Pausar',
    resume: 'Retomar',
    approve: 'Aprovar',
    viewHistory: 'Ver Histórico',
    viewLogs: 'Ver Logs',
  },
}

/** What people are told by mail. */
const mail = {
  subjects: {
    jobFailed: (job: string) => `Falha no job ${job}`,
    alertOpened: (alert: string) => `Alerta: ${alert}`,
    alertClosed: (alert: string) => `Alerta encerrado: ${alert}`,
    schedulerUnavailable: 'O agendador está indisponível',
    scheduleRefused: (job: string) => `O agendamento do job ${job} foi recusado`,
    approvalRulesPending: 'Uma alteração das regras de aprovação espera um segundo Admin',
    approvalRulesLoosened: 'As regras de aprovação foram afrouxadas',
    test: 'Mensagem de teste',
    digest: (count: number) => `${count} notificações`,
  },
  intros: {
    jobFailed: 'Uma execução falhou definitivamente: não haverá nova tentativa automática.',
    alertOpened: 'Uma condição que é observada foi atingida.',
    alertClosed: 'A condição deixou de existir.',
    schedulerUnavailable: 'Nenhum nó está ativo: nada é disparado e nada é executado.',
    scheduleRefused: 'O job não foi disparado, porque quem o agendou não tem mais permissão.',
    approvalRulesPending:
      'Um Admin quer afrouxar uma regra de aprovação. A regra atual vale até que um segundo Admin aprove a alteração.',
    approvalRulesLoosened:
      'A partir de agora é preciso menos aprovação do que antes. Qualquer Admin pode restaurar a regra na hora.',
    test: 'Se você recebeu esta mensagem, as notificações deste cliente funcionam.',
    digest: (count: number, listed: number) =>
      count > listed ? `Aconteceram ${count}; as primeiras ${listed} são listadas.` : `Aconteceram ${count}.`,
  },
  labels: {
    job: 'Job',
    jobType: 'Tipo de job',
    failedAt: 'Momento da falha',
    at: 'Momento',
    error: 'Erro',
    action: 'Ação recomendada',
    attempts: 'Tentativas',
    execution: 'Execução',
    alert: 'Alerta',
    value: 'Valor medido',
    rule: 'Regra',
    requestedBy: 'Pedido por',
    decidedBy: 'Aprovado por',
    link: 'Abrir no Pontual',
  },
  rules: { allowsSelfApproval: 'Quem agenda um job sensível pode aprová-lo' },
  /** By what kind of thing went wrong. */
  actions: {
    timeout:
      'A execução passou do tempo permitido. Verifique o que a deteve (serviço lento, bloqueio, volume maior) e aumente o timeout do job se a demora é normal.',
    network:
      'Um serviço não foi alcançado. Verifique endereço, DNS, firewall e se o serviço está no ar; depois repita a execução.',
    permission:
      'O acesso foi negado. Verifique credenciais, permissões e prazos de validade usados pelo job; depois repita a execução.',
    validation:
      'Os dados não foram aceitos. Corrija o payload ou a configuração do job; repetir sem corrigir falhará de novo.',
    crash:
      'O processo terminou ou ficou sem memória. Verifique o consumo de memória e o volume de dados; divida o trabalho ou aumente o limite.',
    lost: 'O nó que executava o job parou de responder. Verifique se o processo ou a máquina foi encerrada; depois repita a execução.',
    undecryptable:
      'Os dados guardados não puderam ser decifrados. Verifique as chaves de criptografia configuradas em todos os nós; não remova chaves em uso.',
    unknown: 'Consulte os logs da execução, corrija a causa e repita a execução.',
  },
  unknownJob: 'que não existe mais',
  erased: 'apagado',
  footer: 'Você recebe esta mensagem porque seu endereço está nas configurações de notificação deste cliente.',
}

/** What the status of a problem means, in two words. */
const problems = {
  titles: {
    400: 'Dados inválidos',
    401: 'Autenticação necessária',
    403: 'Acesso negado',
    404: 'Não encontrado',
    405: 'Método não permitido',
    406: 'Formato não aceitável',
    408: 'Tempo de envio esgotado',
    409: 'Conflito',
    410: 'Não existe mais',
    412: 'Versão desatualizada',
    413: 'Conteúdo grande demais',
    414: 'URL longa demais',
    415: 'Tipo de conteúdo não aceito',
    417: 'Expectativa não atendida',
    422: 'Chave de idempotência reutilizada',
    429: 'Requisições demais',
    431: 'Cabeçalhos grandes demais',
    500: 'Erro interno',
    503: 'Temporariamente indisponível',
  },
}

/** Names and formulas of what is measured. */
const kpis = {
  names: {
    successRate: 'Taxa de Sucesso de Jobs',
    meanDuration: 'Tempo Médio de Execução',
    retryRate: 'Taxa de Retry',
    workerUtilization: 'Utilização de Workers',
    queueTime: 'Tempo de Fila',
    meanTimeToRecover: 'MTTR (Mean Time To Recover)',
    schedulerAvailability: 'Disponibilidade do Scheduler',
    failureAlertsSent: 'Alertas de Falha Enviados',
  },
  formulas: {
    successRate: 'Execuções bem-sucedidas / (bem-sucedidas + falhadas + com timeout) × 100',
    meanDuration: 'Média da duração da última tentativa das execuções terminadas',
    retryRate: 'Execuções com retry / total de execuções terminadas × 100',
    workerUtilization: 'Tempo ocupado por tentativas / (máximo de workers × janela) × 100',
    queueTime: 'Média de (início da última tentativa − criação ou horário previsto)',
    meanTimeToRecover: 'Média de (próximo sucesso do job − falha que o marcou)',
    schedulerAvailability: 'Minutos com um nó vivo / minutos decorridos × 100',
    failureAlertsSent: 'Falhas notificadas / (falhas finais − falhas cuja notificação está desligada) × 100',
  },
}

/** What can be switched off; the first as section 4.1 of RF-112 has it. */
const flags = {
  features: {
    JOBS_SCHEDULING: {
      nome: 'Sistema de Jobs e Agendamentos',
      descricao: 'Habilita agendamento, execução e monitoramento de tarefas em background',
    },
    HANGFIRE_DASHBOARD: {
      nome: 'Dashboard de Jobs',
      descricao: 'Habilita o dashboard de monitoramento de jobs',
    },
    JOB_RETRY_POLICY: {
      nome: 'Política de Retentativas',
      descricao: 'Habilita novas tentativas automáticas de execuções que falham',
    },
    JOB_NOTIFICATIONS: {
      nome: 'Notificações de Jobs',
      descricao: 'Habilita o envio de e-mails e webhooks sobre jobs',
    },
  } satisfies Record<Flag, { nome: string; descricao: string }>,
  suspended: 'O agendamento de jobs está suspenso; a execução aguarda na fila até ser reativado',
}

const number = (value: number) => value.toLocaleString('pt-BR', { maximumFractionDigits: 1 })
const percent = (share: number) => `${number(share * 100)}%`
const gigabytes = (bytes: number) => `${number(bytes / 2 ** 30)} GB`

/** What people are told of an alert: what it is called, what was measured, and what to do. Of `jobFailed` there are no figures. */
const alerts: Readonly<
  Record<
    AlertKind,
    {
      readonly name: string
      readonly describe: (value: number, threshold: number) => string
      readonly action: string
    }
  >
> = {
  jobFailed: {
    name: 'Job Falhado',
    describe: () => 'O job falhou depois de todas as tentativas.',
    action: 'Abra um ticket, corrija a causa e execute o job novamente.',
  },
  workersSaturated: {
    name: 'Worker Pool Saturado',
    describe: (value, threshold) => `${number(value)} workers ativos; o limite é ${number(threshold)}.`,
    action: 'Considere aumentar a capacidade.',
  },
  queueCongested: {
    name: 'Fila Congestionada',
    describe: (value, threshold) => `${number(value)} jobs em fila; o limite é ${number(threshold)}.`,
    action: 'Investigue workers lentos.',
  },
  timeoutsFrequent: {
    name: 'Timeout Frequente',
    describe: (value, threshold) =>
      `${percent(value)} das tentativas da última hora excederam o timeout; o limite é ${percent(threshold)}.`,
    action: 'Aumente o timeout ou otimize o job.',
  },
  schedulerUnavailable: {
    name: 'Scheduler Indisponível',
    describe: (value) => `Nenhum nó ativo há ${number(Math.floor(value))} segundos: nenhum job é executado.`,
    action: 'Acione o engenheiro de plantão.',
  },
  auditFull: {
    name: 'Auditoria Cheia',
    describe: (value, threshold) =>
      `Os logs de auditoria deste mês ocupam ${gigabytes(value)}; o limite é ${gigabytes(threshold)}.`,
    action: 'O arquivamento foi iniciado; verifique o que gera tantos registros.',
  },
}

/** What people read, by area. Portuguese is the source: a text that English lacks, or has in another shape, does not compile. */
export const PT_BR = { alerts, flags, jobs, kpis, mail, problems }

export type Catalogue = typeof PT_BR

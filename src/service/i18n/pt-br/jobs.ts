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

import type { Flag } from '../../../access/flag.ts'

/** What can be switched off; the first as section 4.1 of RF-112 has it. */
export const flags = {
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

import type { flags as source } from '../pt-br/flags.ts'

export const flags: typeof source = {
  features: {
    JOBS_SCHEDULING: {
      nome: 'Jobs and schedules',
      descricao: 'Jobs fire, and executions run and are watched',
    },
    HANGFIRE_DASHBOARD: {
      nome: 'Job dashboard',
      descricao: 'The dashboard that watches jobs answers',
    },
    JOB_RETRY_POLICY: {
      nome: 'Retry policy',
      descricao: 'Executions that fail are tried again by themselves',
    },
    JOB_NOTIFICATIONS: {
      nome: 'Job notifications',
      descricao: 'Mails and webhooks about jobs are sent',
    },
  },
  suspended: 'Jobs are suspended; the execution waits in the queue until they are switched on again',
}

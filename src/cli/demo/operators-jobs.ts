import type { NewJobFields } from '../../service/job-view.ts'
import { BUSINESS_DAYS } from './business-days.ts'

const SAO_PAULO = 'America/Sao_Paulo'

function midnight(name: string, timeZone: string, things: string, tags: readonly string[]): NewJobFields {
  return { name, jobType: 'RotinaNoturna', cronExpression: '0 0 * * *', timeZone, payload: { things }, tags }
}

/** Jobs that operators of the demo's company have made: at midnight of three continents, on business days, by intervals. */
export const OPERATORS_JOBS: readonly NewJobFields[] = [
  midnight('Fechamento diário', SAO_PAULO, 'lançamentos', ['financeiro', 'crítico']),
  midnight('Backup noturno', SAO_PAULO, 'arquivos', ['infra', 'crítico']),
  midnight('Rotação de logs', SAO_PAULO, 'logs', ['infra']),
  midnight('Atualizar câmbio', SAO_PAULO, 'cotações', ['financeiro']),
  midnight('Abschluss Berlin', 'Europe/Berlin', 'Belege', ['financeiro', 'europa']),
  midnight('Fechamento Tóquio', 'Asia/Tokyo', 'lançamentos', ['financeiro', 'ásia']),
  {
    name: 'Cobrança mensal',
    description: 'No primeiro dia útil de cada mês.',
    jobType: 'RotinaNoturna',
    priority: 'HIGH',
    tags: ['financeiro', 'crítico'],
    payload: { things: 'boletos', batches: 12 },
    trigger: {
      type: 'calendared',
      trigger: { type: 'cron', expression: '0 8 1 * *', timeZone: SAO_PAULO },
      calendar: { type: 'weekly', weekdays: [0, 6] },
      onExcluded: 'nextDay',
    },
  },
  {
    name: 'Relatório de chamados',
    description: 'De meia em meia hora, em horário comercial.',
    jobType: 'GerarRelatorio',
    tags: ['relatórios'],
    calendar: BUSINESS_DAYS,
    payload: { title: 'Chamados abertos', format: 'xlsx', sections: ['chamados'] },
    trigger: {
      type: 'dailyTimeInterval',
      every: 30,
      unit: 'minute',
      from: '08:00:00',
      to: '18:00:00',
      weekdays: [1, 2, 3, 4, 5],
      timeZone: SAO_PAULO,
      repeatCount: -1,
    },
  },
  {
    name: 'Relatório da diretoria',
    description: 'Às segundas-feiras, exceto em feriados.',
    jobType: 'GerarRelatorio',
    priority: 'LOW',
    tags: ['relatórios', 'diretoria'],
    cronExpression: '0 7 * * 1',
    timeZone: SAO_PAULO,
    calendar: BUSINESS_DAYS,
    misfirePolicy: 'fireOnce',
    payload: { title: 'Visão da diretoria', isConfidential: true, copies: 3 },
  },
]

/** One that was approved, and has been changed since: it waits for a second yes. */
export const CHANGED_JOB: NewJobFields & { readonly name: string } = {
  name: 'Bloquear inadimplentes',
  description: 'Suspende linhas com faturas vencidas.',
  jobType: 'RotinaNoturna',
  requiresTwoStepExecution: true,
  tags: ['financeiro', 'crítico'],
  cronExpression: '30 6 * * 1-5',
  timeZone: SAO_PAULO,
  retryCount: 3,
  payload: { things: 'linhas', batches: 4 },
}

/** What was changed about it. */
export const CHANGE = { cronExpression: '0 3 * * *', retryCount: 0, payload: { things: 'linhas', batches: 40 } }

/** What operators have put on jobs that the code declares. */
export const TAGS: Readonly<Record<string, readonly string[]>> = {
  ImportarFaturas: ['financeiro', 'importação'],
  SincronizarAzureAD: ['identidade'],
  DeletarDadosObsoletos: ['lgpd', 'crítico'],
  ProcessarPedido: ['pedidos'],
  ProcessarPedidoGrande: ['pedidos', 'crítico'],
  ConciliarPagamentos: ['financeiro', 'bancos'],
  ExportarLegado: ['legado'],
}

import { requirePermission } from '../../access/principal.ts'
import { DAY_MS } from '../../duration.ts'
import { readTenant } from '../jobs/commands/run-job.ts'
import { successRate } from '../jobs/questions/describe-statistics.ts'
import type { ManifestView } from '../overview-answers.ts'
import type { Scope } from '../scope.ts'

const COUNTED = 100_000

/** The record by which a portal registers the feature, as it was agreed with it: its words are in its own language. */
const RECORD = {
  rfId: 'RF-112',
  nome: 'Jobs e Tarefas Agendadas',
  categoria: 'Automação e Background',
  descricao: 'Sistema de agendamento, execução e monitoramento de jobs em background',
  icone: 'schedule',
  rota: '/jobs',
  permissaoRequerida: 'jobs:read',
  isSystemFeature: true,
  dependencias: ['RF-004', 'RF-013', 'RF-066'],
  tags: ['jobs', 'scheduling', 'background', 'automation', 'hangfire'],
  menu: {
    modulo: 'Service Desk',
    submenu: 'Automação',
    item: 'Jobs e Tarefas Agendadas',
    ordem: 40,
    visivelSe: 'jobs:read',
  },
} as const satisfies Omit<ManifestView, 'metricas' | 'habilitadoPorPadrao'>

/** The record with figures of now: the rate of success is that of the last day, in percent. */
export async function readManifest(scope: Scope): Promise<ManifestView> {
  requirePermission(scope.principal, 'jobs:read')
  const { tenant, store } = scope
  const [defaults, jobs, statistics, own] = await Promise.all([
    store.flags.read(null),
    store.jobs.count(tenant),
    store.executions.statistics({ tenant, since: scope.now() - DAY_MS, limit: COUNTED }),
    readTenant(scope),
  ])
  const percent = Math.round((successRate(statistics) ?? 0) * 1_000) / 10
  return {
    ...RECORD,
    habilitadoPorPadrao: defaults.JOBS_SCHEDULING.isEnabled,
    metricas: {
      jobsAtivos: (jobs.ACTIVE ?? 0) + (jobs.APPROVED ?? 0),
      taxaSucesso: percent,
      workersUtilizados: own.running,
    },
  }
}

import { type Job, NO_DETAILS } from '../../src/job/job.ts'
import type { JobStatus } from '../../src/job/job-status.ts'
import type { Priority } from '../../src/job/rules/priority.ts'
import { blankDefinition } from '../../src/service/jobs/fields/job-type.ts'
import { cron } from '../../src/time/triggers/cron.ts'
import { uuidFrom } from '../../src/uuid.ts'

const VERBS = ['Importar', 'Exportar', 'Sincronizar', 'Conciliar', 'Calcular', 'Enviar', 'Arquivar', 'Validar'] as const
const THINGS = ['faturas', 'contratos', 'usuários', 'ativos', 'chamados', 'linhas', 'estoque', 'comissões'] as const
const TAGS = ['financeiro', 'crítico', 'infra', 'lgpd', 'relatórios', 'pedidos', 'bancos', 'noturno'] as const
const ZONES = ['America/Sao_Paulo', 'UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York'] as const
const PRIORITIES: readonly Priority[] = ['MEDIUM', 'MEDIUM', 'MEDIUM', 'HIGH', 'LOW']

/** The job types of the tenant: an application has to declare them for a node to run what fires. */
export const LARGE_TENANT_TYPES: readonly string[] = VERBS.flatMap((verb) => [`${verb}Dados`, `${verb}Arquivos`])

/** Of a hundred jobs so many are not ACTIVE. Those that are FAULTED are chosen by how they ended. */
const STATUSES: readonly (readonly [upTo: number, status: JobStatus, reason: string | null])[] = [
  [2, 'PAUSED', 'fechamento do mês'],
  [3, 'DISABLED', 'não é mais usado'],
  [4, 'PENDING_APPROVAL', null],
]

/** A third of them at midnight, as everywhere. */
function expressionOf(n: number): string {
  if (n % 3 === 0) return '0 0 * * *'
  if (n % 50 === 1) return '*/5 * * * *'
  return `${(n * 7) % 60} ${n % 24} * * ${n % 5 === 0 ? '1-5' : '*'}`
}

/** So many jobs of a tenant as they would stand after years: every one of them has a trigger, a zone, tags and a payload of its own. */
export function largeTenantJobs(tenant: string, count: number, createdAt: number): Job[] {
  let word = 1
  const uuid = uuidFrom(() => {
    word = (Math.imul(word, 1_664_525) + 1_013_904_223) >>> 0
    return word
  })
  return Array.from({ length: count }, (_, n) => jobOf(tenant, n, uuid(createdAt + n), createdAt))
}

function jobOf(tenant: string, n: number, id: string, createdAt: number): Job {
  const trigger = cron(expressionOf(n), { timeZone: ZONES[n % ZONES.length] ?? 'UTC' })
  const jobType = LARGE_TENANT_TYPES[n % LARGE_TENANT_TYPES.length] ?? ''
  const [, status, statusReason] = STATUSES.find(([upTo]) => n % 100 < upTo) ?? [0, 'ACTIVE' as const, null]
  const userId = `user-${n % 40}`
  return {
    id,
    tenant,
    name: `${VERBS[n % VERBS.length]} ${THINGS[(n >> 3) % THINGS.length]} ${String(n).padStart(5, '0')}`,
    status,
    resumeStatus: status === 'PAUSED' ? 'ACTIVE' : null,
    statusReason,
    pausedUntil: null,
    origin: 'runtime',
    definition: {
      ...blankDefinition(jobType, null, trigger.toJSON(), 'stop'),
      priority: PRIORITIES[n % PRIORITIES.length] ?? 'MEDIUM',
      payload: JSON.stringify({ source: `s3://dados/${n}`, isFull: n % 2 === 0, limit: n }),
    },
    details: {
      ...NO_DETAILS,
      description: n % 4 === 0 ? `Rotina ${n} da área ${THINGS[n % THINGS.length]}` : null,
      tags: TAGS.filter((_, place) => (n >> place) % 4 === 0).slice(0, 3),
      isSensitive: status === 'PENDING_APPROVAL',
      createdBy: userId,
      scheduledBy: userId,
      authors: [userId],
    },
    schedule: {
      currentTrigger: trigger.toJSON(),
      nextFireAt: trigger.next(createdAt),
      previousFireAt: null,
      timesTriggered: 0,
    },
    version: 1,
    createdAt,
    updatedAt: createdAt,
  }
}

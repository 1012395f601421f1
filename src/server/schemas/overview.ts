import { z } from 'zod'
import { PERMISSIONS } from '../../access/permission.ts'
import type { DashboardView, ManifestView, SimulationView, WorkersView } from '../../service/api.ts'
import type { OutageQuestion } from '../../service/requests.ts'
import { alertView } from './alerts.ts'
import { jobStatus, misfirePolicy } from './job.ts'
import { kpiView, metricsView, punctualityView } from './kpis.ts'
import { answeredInstant, cursorParameter, id, instant } from './values.ts'

const figure = z.number().nullable()

export const dashboardView = z.object({
  running: z.int(),
  queued: z.int(),
  waiting: z.int(),
  workers: z.object({ used: z.int(), maximum: z.int().nullable() }),
  queue: z.object({ oldestWaitMs: z.int().nullable() }),
  jobs: z.partialRecord(jobStatus, z.int()),
  last24Hours: z.object({
    successRate: figure,
    succeeded: z.int(),
    failed: z.int(),
    timedOut: z.int(),
    cancelled: z.int(),
    meanDurationMs: figure,
    meanQueueMs: figure,
    retryRate: figure,
  }),
  nodes: z.object({ alive: z.int(), slots: z.int() }),
  alerts: z.array(alertView),
  metrics: metricsView,
  kpis: z.array(kpiView),
  punctuality: punctualityView,
}) satisfies z.ZodType<DashboardView>

export const workersView = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      slots: z.int(),
      connections: z
        .int()
        .nullable()
        .meta({ description: 'How many connections to the server its process opens at most; null if unknown.' }),
      running: z.int(),
      queues: z.array(z.string()),
      isAlive: z.boolean(),
      startedAt: answeredInstant,
      renewedAt: answeredInstant,
    }),
  ),
  running: z.int(),
  queued: z.int(),
  queues: z.array(z.object({ queue: z.string(), queued: z.int() })),
  cap: z.int().nullable(),
}) satisfies z.ZodType<WorkersView>

const permission = z.enum(PERMISSIONS)

export const manifestView = z.object({
  rfId: z.string(),
  nome: z.string(),
  categoria: z.string(),
  descricao: z.string(),
  icone: z.string(),
  rota: z.string(),
  permissaoRequerida: permission,
  habilitadoPorPadrao: z.boolean(),
  isSystemFeature: z.boolean(),
  dependencias: z.array(z.string()),
  tags: z.array(z.string()),
  metricas: z.object({ jobsAtivos: z.number(), taxaSucesso: z.number(), workersUtilizados: z.number() }),
  menu: z.object({
    modulo: z.string(),
    submenu: z.string(),
    item: z.string(),
    ordem: z.number(),
    visivelSe: permission,
  }),
}) satisfies z.ZodType<ManifestView>

export const outage = z.strictObject({
  from: instant,
  to: instant,
  jobId: id.optional(),
  cursor: cursorParameter.optional(),
}) satisfies z.ZodType<OutageQuestion>

export const simulationView = z.object({
  jobs: z.array(
    z.object({
      jobId: z.string(),
      name: z.string(),
      policy: misfirePolicy,
      missed: z.int(),
      missedAt: z.array(answeredInstant),
      policies: z.record(
        z.string(),
        z.object({
          executions: z.int(),
          scheduledAt: z.array(answeredInstant),
          consolidated: z.int(),
          skipped: z.int(),
          dropped: z.int(),
          nextExecution: answeredInstant.nullable(),
        }),
      ),
    }),
  ),
  tooLong: z
    .array(z.object({ jobId: z.string(), name: z.string() }))
    .meta({ description: 'What it would take too long to work out, unless it is asked about for a shorter outage.' }),
  nextCursor: z.string().nullable(),
}) satisfies z.ZodType<SimulationView>

/** What is given to programs that read descriptions of APIs: they know its form better. */
export const openApiDocument = z.looseObject({ openapi: z.string() })

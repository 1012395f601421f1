import { z } from 'zod'
import type { KpisView, KpiView, MetricsView, PunctualityView } from '../../service/api.ts'
import { KPI_KEYS } from '../../service/kpis/kpi.ts'
import { integerParameter } from './values.ts'

const figure = z.number().nullable()
const MOST_HOURS = 2_160

export const kpiQuery = z.strictObject({ windowHours: integerParameter(1, MOST_HOURS).default(24) })

export const kpiView = z.object({
  key: z.enum(KPI_KEYS),
  name: z.string(),
  value: figure,
  unit: z.enum(['percent', 'seconds', 'minutes']),
  target: z.object({ min: z.number().exactOptional(), max: z.number().exactOptional() }),
  isMet: z.boolean().nullable(),
  formula: z.string(),
  windowHours: z.int(),
}) satisfies z.ZodType<KpiView>

export const punctualityView = z.object({
  windowHours: z.int(),
  executions: z.int(),
  onTimeRate: figure,
  p50Ms: figure,
  p95Ms: figure,
  p99Ms: figure,
  maxMs: figure,
}) satisfies z.ZodType<PunctualityView>

export const kpisView = z.object({
  items: z.array(kpiView),
  punctuality: punctualityView,
}) satisfies z.ZodType<KpisView>

export const metricsView = z.object({
  executionsRunning: z.int(),
  workersUsed: z.int(),
  executionsQueued: z.int(),
  successRate: figure,
  meanDurationMs: figure,
  consecutiveFailures: z.int(),
}) satisfies z.ZodType<MetricsView>

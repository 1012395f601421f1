import { z } from 'zod'
import type { FailuresView, SeriesView } from '../../service/api.ts'
import { answeredInstant, integerParameter } from './values.ts'

const figure = z.number().nullable()
const MOST_HOURS = 2_160
const MOST_GROUPS = 100

const hours = integerParameter(1, MOST_HOURS).default(24)

export const seriesQuery = z.strictObject({ hours })

export const failuresQuery = z.strictObject({ hours, limit: integerParameter(1, MOST_GROUPS).default(10) })

export const seriesView = z.object({
  from: answeredInstant,
  to: answeredInstant.meta({ description: 'When the last bucket, which is under way, will be over.' }),
  bucketMinutes: z.int(),
  buckets: z
    .array(
      z.object({
        at: answeredInstant,
        succeeded: z.int(),
        failed: z.int(),
        timedOut: z.int(),
        cancelled: z.int(),
        meanDurationMs: figure,
        p95DurationMs: figure,
        meanQueueMs: figure,
        onTimeRate: figure,
        p99LatenessMs: figure,
      }),
    )
    .meta({
      description:
        'By when executions ended, the oldest first; they begin at multiples of their length since the epoch.',
    }),
  isPartial: z
    .boolean()
    .meta({ description: 'Whether the oldest buckets lack some, since more have ended than are measured.' }),
}) satisfies z.ZodType<SeriesView>

export const failuresView = z.object({
  items: z.array(
    z.object({
      errorName: z.string(),
      message: z.string().meta({ description: 'With … for what differs from one failure to the other.' }),
      count: z.int(),
      jobCount: z.int(),
      jobs: z.array(z.object({ id: z.string(), name: z.string() })),
      lastAt: answeredInstant,
      lastExecutionId: z.string(),
    }),
  ),
  isPartial: z.boolean().meta({ description: 'Whether these are the latest of more than are looked at.' }),
}) satisfies z.ZodType<FailuresView>

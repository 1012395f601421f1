import { z } from 'zod'
import {
  type AttemptStatus,
  EXECUTION_STATUSES,
  type ExecutionOrigin,
  FINAL_STATUSES,
} from '../../job/execution/execution.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import { LOG_LEVELS } from '../../logger.ts'
import type { CancelAnswer, ExecuteAnswer, LogLineView, LogsAnswer } from '../../service/api.ts'
import type { ExecutionDetailView, ExecutionView, RecentExecutionView } from '../../service/execution-view.ts'
import { answeredInstant, anything, pageOf, unreadable } from './values.ts'

const executionStatus = z.enum(EXECUTION_STATUSES)

const attempt = z.object({
  attempt: z.int(),
  status: z.enum(['RUNNING', 'LOST', ...FINAL_STATUSES] satisfies AttemptStatus[]),
  nodeId: z.string().nullable(),
  startedAt: answeredInstant,
  endedAt: answeredInstant.nullable(),
  errorMessage: z.string().nullable(),
})

export const executionView = z.object({
  id: z.string(),
  clienteId: z.string(),
  jobId: z.string().nullable(),
  jobName: z.string().nullable(),
  jobType: z.string(),
  executionNumber: z.int().nullable(),
  status: executionStatus,
  origin: z.enum(['enqueue', 'schedule', 'manual', 'retry'] satisfies ExecutionOrigin[]),
  priority: z.enum(PRIORITIES),
  createdAt: answeredInstant,
  scheduledAt: answeredInstant.nullable(),
  startedAt: answeredInstant.nullable(),
  completedAt: answeredInstant.nullable(),
  durationMs: z.number().nullable(),
  duration: z.number().nullable().meta({ description: 'In seconds.' }),
  errorMessage: z.string().nullable(),
  error: z.object({ name: z.string(), message: z.string(), code: z.string().optional() }).nullable(),
  retryCount: z.int(),
  nextRetryAt: answeredInstant.nullable(),
  executedBy: z.string().nullable(),
  retryOf: z.string().nullable(),
  progress: z.number().nullable(),
  progressNote: z.string().nullable(),
  misfire: anything,
  divergence: anything,
  attempts: z.array(attempt),
}) satisfies z.ZodType<ExecutionView>

export const recentExecution = executionView.pick({
  id: true,
  status: true,
  createdAt: true,
  durationMs: true,
  errorMessage: true,
}) satisfies z.ZodType<RecentExecutionView>

export const executionDetailView = executionView.extend({
  payload: anything,
  payloadError: unreadable.optional(),
  output: anything,
  outputError: unreadable.optional(),
  recommendedAction: z
    .string()
    .nullable()
    .meta({ description: 'What to do about the error, in the language of the answer.' }),
  isTypeUnknown: z.boolean().meta({ description: 'It waits to start, and no active node knows its job type.' }),
  logOutput: z.string().nullable().meta({ description: 'The log as text; null for those who may not see logs.' }),
}) satisfies z.ZodType<ExecutionDetailView>

export const executionPage = pageOf(executionView)

export const occurrencePage = pageOf(
  z.object({
    from: answeredInstant,
    to: answeredInstant,
    count: z.int(),
    decision: z.enum(['fired', 'firedLate', 'consolidated', 'skipped', 'dropped']),
    cause: z.string().nullable(),
    executionId: z.string().nullable(),
    recordedAt: answeredInstant,
  }),
)

export const chainView = z.object({
  executions: z.array(z.object({ id: z.string(), jobType: z.string(), status: executionStatus })),
  links: z.array(z.object({ from: z.string(), to: z.string(), on: z.enum(['success', 'failure', 'end']) })),
})

export const executeAnswer = z.object({
  executionId: z.string(),
  isNew: z.boolean(),
  notice: z.enum(['maxWorkersExceeded', 'suspended']).nullable(),
}) satisfies z.ZodType<ExecuteAnswer>

export const executedAnswer = executeAnswer.extend({
  message: z.string().nullable().meta({ description: 'The notice in the language of the answer.' }),
})

export const cancelAnswer = z.object({
  cancelled: z.array(z.string()),
  cancelling: z.array(z.string()),
}) satisfies z.ZodType<CancelAnswer>

export const logLevel = z.enum(LOG_LEVELS)

export const logLineView = z.object({
  sequence: z.int(),
  attempt: z.int(),
  at: answeredInstant,
  level: logLevel,
  message: z.string(),
  fields: anything,
}) satisfies z.ZodType<LogLineView>

export const logsAnswer = z.object({
  executionId: z.string().nullable(),
  items: z.array(logLineView),
  nextCursor: z.string().nullable(),
}) satisfies z.ZodType<LogsAnswer>

/** One thing that is recorded of a durable execution. */
export const activityView = z.object({
  sequence: z.int(),
  kind: z.string(),
  name: z.string(),
  status: z.string(),
  position: z.int().nullable(),
  attempt: z.int(),
  input: anything,
  output: anything,
  error: anything,
  details: anything,
  childId: z.string().nullable(),
  startedAt: answeredInstant,
  dueAt: answeredInstant.nullable(),
  endedAt: answeredInstant.nullable(),
  replayed: z.int(),
})

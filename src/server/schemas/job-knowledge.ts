import { z } from 'zod'
import type { ApprovalView, JobTypeView, NextExecutionView } from '../../service/job-knowledge.ts'
import { answeredInstant, anything } from './values.ts'

/** What is known about a job, or about what it may be of. */

export const nextExecutionView = z.object({
  nextExecution: answeredInstant.nullable(),
  upcoming: z.array(answeredInstant),
  description: z.string().meta({ description: 'The trigger in words.' }),
}) satisfies z.ZodType<NextExecutionView>

export const approvalView = z.object({
  isPending: z.boolean(),
  isFirst: z.boolean().meta({ description: 'Whether nobody has approved it before.' }),
  requestedBy: z.string().nullable(),
  requestedAt: answeredInstant.nullable(),
  changes: z.array(
    z.object({ field: z.string(), approved: anything, current: anything, isApprovedKnown: z.boolean() }),
  ),
}) satisfies z.ZodType<ApprovalView>

export const jobTypeView = z.object({
  id: z.string(),
  isKnown: z.boolean().meta({ description: 'Whether a node has it; false where only stored jobs name it.' }),
  isDurable: z.boolean().nullable(),
  isSensitive: z.boolean().nullable(),
  isEnqueueable: z.boolean().meta({
    description:
      'Whether it is declared enqueueable: `POST /enqueue` then accepts it without a job, unless a sensitive job uses it.',
  }),
  queue: z.string().nullable(),
  inputSchema: z
    .record(z.string(), anything)
    .nullable()
    .meta({ description: 'JSON Schema of what it may be given; null where nobody can tell.' }),
  jobCount: z.int(),
}) satisfies z.ZodType<JobTypeView>

export const jobTypeList = z.object({ items: z.array(jobTypeView) })

import { z } from 'zod'
import { JOB_STATUSES } from '../../job/job-status.ts'
import { PRIORITIES } from '../../job/rules/priority.ts'
import type { BulkVerb } from '../../service/requests.ts'
import { id, text } from './values.ts'

const VERBS: readonly BulkVerb[] = ['pause', 'resume', 'execute', 'delete']
const MOST_IDS = 100

function listOf<Item extends z.ZodType>(item: Item) {
  return z.array(item).min(1).max(50)
}

export const bulkRequest = z.strictObject({
  verb: z.enum(VERBS),
  ids: z.array(id).min(1).max(MOST_IDS).optional().meta({ description: 'These jobs; or those of `query`.' }),
  query: z
    .strictObject({
      q: z.string().max(255).optional(),
      status: listOf(z.enum(JOB_STATUSES)).optional(),
      jobType: listOf(z.string().min(1).max(255)).optional(),
      priority: listOf(z.enum(PRIORITIES)).optional(),
      tag: z.string().max(100).optional(),
    })
    .optional()
    .meta({ description: 'As the list of jobs takes it.' }),
  dryRun: z.boolean().default(false).meta({ description: 'Count only.' }),
  cursor: z.string().min(1).max(2_000).optional(),
  reason: text(1_000).nullable().optional().meta({ description: 'Why they are paused.' }),
})

export const bulkAnswer = z.object({
  matched: z.int().meta({ description: 'In a dry run all that match, else those that this call has come to.' }),
  applicable: z.int().nullable().meta({ description: 'In a dry run, those whose status allows the verb.' }),
  done: z.int(),
  failed: z.array(
    z.object({
      id: z.string(),
      name: z.string().nullable(),
      code: z.string(),
      message: z.string().meta({ description: 'In the language of the answer.' }),
    }),
  ),
  sample: z.array(z.string()).optional().meta({ description: 'In a dry run, the names of the first five.' }),
  nextCursor: z.string().nullable(),
})

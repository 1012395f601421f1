import { z } from 'zod'
import { EXECUTION_STATUSES } from '../../job/execution.ts'
import type { CronAnswer } from '../../service/answers.ts'
import { type Route, route } from '../route.ts'
import { executionPage, logLevel, logsAnswer } from '../schemas/execution.ts'
import {
  answeredInstant,
  booleanParameter,
  cursorParameter,
  id,
  integerParameter,
  limitParameter,
  listParameter,
} from '../schemas/values.ts'
import { JOB, jobParams } from './jobs.ts'

/** What seed and dashboard call the last executions. */
const HISTORY_LIMIT = 100

export const historyQuery = {
  limit: limitParameter(HISTORY_LIMIT),
  cursor: cursorParameter.optional(),
  status: listParameter(EXECUTION_STATUSES).optional(),
  archived: booleanParameter.default(false).meta({ description: 'Also what is older than 90 days.' }),
}

const nextExecution = z.object({ nextExecution: answeredInstant.nullable(), upcoming: z.array(answeredInstant) })

const cronAnswer = z.object({
  valid: z.boolean(),
  error: z.string().optional(),
  description: z.string().nullable(),
  upcoming: z.array(answeredInstant),
}) satisfies z.ZodType<CronAnswer>

/** What may be asked about a job. */
export const jobQuestionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOB}/historico`,
    aliases: [`${JOB}/history`],
    name: 'listJobExecutions',
    summary: 'List the executions of a job, the newest first',
    access: { permissions: ['jobs:viewHistory'] },
    params: jobParams,
    query: z.strictObject(historyQuery),
    problems: [404],
    answers: { 200: { description: 'A page of executions', schema: executionPage } },
    handle: async ({ service, principal, params, query }) => ({
      status: 200,
      body: await service.jobs.history(principal, params.id, query),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOB}/logs`,
    name: 'readJobLogs',
    summary: 'Read the log of an execution of a job; of the last one unless one is named',
    access: { permissions: ['jobs:viewLogs'] },
    params: jobParams,
    query: z.strictObject({
      executionId: id.optional(),
      level: logLevel.optional(),
      after: integerParameter(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: limitParameter(200),
    }),
    problems: [404],
    answers: { 200: { description: 'Lines in order', schema: logsAnswer } },
    handle: async ({ service, principal, params, query }) => ({
      status: 200,
      body: await service.jobs.logs(principal, params.id, query),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOB}/nextExecution`,
    name: 'getNextExecution',
    summary: 'Tell when a job is due next, ten times over',
    access: { permissions: ['jobs:read'] },
    params: jobParams,
    problems: [404],
    answers: { 200: { description: 'When it is due', schema: nextExecution } },
    handle: async ({ service, principal, params }) => ({
      status: 200,
      body: await service.jobs.nextExecution(principal, params.id),
    }),
  }),
  route({
    method: 'POST',
    path: `${JOB}/validate-cron`,
    name: 'validateCron',
    summary: 'Check a cron expression, for a job or for a new one',
    access: { permissions: ['jobs:read'] },
    params: z.object({ id: z.union([z.literal('new'), id]) }),
    body: z.strictObject({
      cronExpression: z.string().max(10_000).meta({ maxLength: 100 }),
      timeZone: z.string().max(100).optional(),
      language: z.enum(['en', 'pt-BR']).optional(),
    }),
    problems: [404],
    answers: { 200: { description: 'Whether it is valid, what it says, and when it would fire', schema: cronAnswer } },
    handle: async ({ service, principal, params, body }) => ({
      status: 200,
      body: await service.jobs.validateCron(principal, params.id, body),
    }),
  }),
]

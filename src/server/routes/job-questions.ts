import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import { EXECUTION_STATUSES } from '../../job/execution/execution.ts'
import type { CronAnswer } from '../../service/answers.ts'
import type { ServiceApi } from '../../service/api.ts'
import { askedLanguage } from '../../service/i18n/accept-language.ts'
import type { Locale } from '../../time/locale.ts'
import { type Route, route } from '../request/route.ts'
import { executionPage, logLevel, logsAnswer, occurrencePage } from '../schemas/execution.ts'
import { approvalView, nextExecutionView } from '../schemas/job-knowledge.ts'
import {
  answeredInstant,
  anything,
  booleanParameter,
  cursorParameter,
  id,
  instant,
  integerParameter,
  limitParameter,
  listParameter,
  unreadable,
} from '../schemas/values.ts'
import { JOB, jobParams } from './jobs.ts'

/** What seed and dashboard call the last executions. */
const HISTORY_LIMIT = 100

export const archivedParameter = booleanParameter
  .default(false)
  .meta({ description: 'Also what is older than 90 days.' })

export const historyQuery = {
  limit: limitParameter(HISTORY_LIMIT),
  cursor: cursorParameter.optional(),
  status: listParameter(EXECUTION_STATUSES).optional(),
  archived: archivedParameter,
}

const cronAnswer = z.object({
  valid: z.boolean(),
  error: z.string().optional(),
  description: z.string().nullable(),
  upcoming: z.array(answeredInstant),
}) satisfies z.ZodType<CronAnswer>

const revealedPayload = z.object({ payload: anything, payloadError: unreadable.exactOptional() })

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
    path: `${JOB}/occurrences`,
    name: 'listOccurrences',
    summary: 'List what was decided about the occurrences of a job, the oldest first',
    access: { permissions: ['jobs:viewHistory'] },
    params: jobParams,
    query: z.strictObject({
      from: instant.optional(),
      to: instant.optional(),
      limit: limitParameter(HISTORY_LIMIT),
      cursor: cursorParameter.optional(),
    }),
    problems: [404],
    answers: { 200: { description: 'A page of decisions', schema: occurrencePage } },
    handle: async ({ service, principal, params, query }) => ({
      status: 200,
      body: await service.jobs.occurrences(principal, params.id, query),
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
      archived: archivedParameter,
    }),
    problems: [404, 410],
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
    summary: 'Tell when a job is due next, ten times over, and its trigger in words',
    access: { permissions: ['jobs:read'] },
    params: jobParams,
    problems: [404],
    answers: { 200: { description: 'When it is due', schema: nextExecutionView } },
    async handle({ service, principal, params, request }) {
      const language = await languageFor(service, principal, request)
      const body = await service.jobs.nextExecution(principal, params.id, { language })
      return { status: 200, body, headers: { 'content-language': language } }
    },
  }),
  route({
    method: 'GET',
    path: `${JOB}/approval`,
    name: 'getApproval',
    summary: 'Tell what a job is now against what was approved last',
    access: { permissions: ['jobs:read'] },
    params: jobParams,
    problems: [404],
    answers: { 200: { description: 'What a second person would say yes to', schema: approvalView } },
    handle: async ({ service, principal, params }) => ({
      status: 200,
      body: await service.jobs.approval(principal, params.id),
    }),
  }),
  route({
    method: 'POST',
    path: `${JOB}/reveal`,
    name: 'revealPayload',
    summary: 'Show the payload of a job with its secrets; that it was shown is recorded',
    access: { profile: 'Admin' },
    params: jobParams,
    problems: [404],
    answers: { 200: { description: 'The payload', schema: revealedPayload } },
    handle: async ({ service, principal, params }) => ({
      status: 200,
      body: await service.jobs.reveal(principal, params.id),
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
    async handle({ service, principal, params, body, request }) {
      const language = body.language ?? (await languageFor(service, principal, request))
      const answer = await service.jobs.validateCron(principal, params.id, { ...body, language })
      return { status: 200, body: answer, headers: { 'content-language': language } }
    },
  }),
]

/** Who asks for no language is told in that of his tenant. */
async function languageFor(service: ServiceApi, principal: Principal, request: Request): Promise<Locale> {
  return askedLanguage(request.headers.get('accept-language')) ?? (await service.administration.language(principal))
}

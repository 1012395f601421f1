import { z } from 'zod'
import type { ExecuteAnswer } from '../../service/answers.ts'
import type { Catalogue } from '../../service/i18n/pt-br/texts.ts'
import { textsIn } from '../../service/i18n/say.ts'
import { type Answer, type AnswerShape, type Call, type Route, route } from '../request/route.ts'
import { cancelAnswer, executedAnswer } from '../schemas/execution.ts'
import { priority } from '../schemas/job.ts'
import { anything, id, instant, text } from '../schemas/values.ts'
import { JOB, JOB_ANSWERS, JOBS, jobAnswer, jobParams } from './jobs.ts'

const reason = text(1_000)

const TEN_YEARS_MS = 10 * 366 * 24 * 3_600_000

export const EXECUTE_ANSWERS: Readonly<Record<number, AnswerShape>> = {
  202: { description: 'It stands in the queue', schema: executedAnswer },
}

export const CANCEL_ANSWERS: Readonly<Record<number, AnswerShape>> = {
  202: { description: 'What was cancelled, and what cleans up first', schema: cancelAnswer },
}

/** What may be asked of a job. */
export const jobVerbRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: `${JOB}/executar`,
    aliases: [`${JOB}/execute`],
    name: 'executeJob',
    summary: 'Execute a job now',
    access: { permissions: ['jobs:execute'] },
    params: jobParams,
    body: z.strictObject({ payload: anything.optional(), priority: priority.optional() }),
    isBodyOptional: true,
    idempotency: 'kept',
    problems: [404, 409],
    answers: EXECUTE_ANSWERS,
    handle: async (call) => {
      const { service, principal, params, body, resourceId } = call
      return executed(await service.jobs.execute(principal, params.id, { ...body, id: resourceId }), call)
    },
  }),
  route({
    method: 'POST',
    path: `${JOBS}/enqueue`,
    name: 'enqueue',
    summary: 'Enqueue an execution of a job, or of a job type that is declared enqueueable, now or later',
    access: { permissions: ['jobs:execute'] },
    body: z.strictObject({
      jobId: id.optional(),
      jobName: text(255, 1).optional(),
      jobType: text(100, 1).optional(),
      payload: anything.optional(),
      priority: priority.optional(),
      runAt: instant.optional(),
      delayMs: z.int().min(0).max(TEN_YEARS_MS).optional(),
      idempotencyKey: text(255, 1).optional(),
    }),
    idempotency: 'kept',
    problems: [404, 409, 422],
    answers: EXECUTE_ANSWERS,
    handle: async (call) => {
      const { service, principal, body, resourceId } = call
      return executed(await service.jobs.enqueue(principal, { ...body, id: resourceId }), call)
    },
  }),
  route({
    method: 'POST',
    path: `${JOB}/retry`,
    name: 'retryExecution',
    summary: 'Execute again what failed; the last that failed unless one is named',
    access: { permissions: ['jobs:execute'] },
    params: jobParams,
    query: z.strictObject({ executionId: id.optional() }),
    idempotency: 'kept',
    problems: [404, 409, 410],
    answers: EXECUTE_ANSWERS,
    handle: async (call) => {
      const { service, principal, params, query, resourceId } = call
      const made = await service.jobs.retry(principal, params.id, query.executionId ?? null, { id: resourceId })
      return executed(made, call)
    },
  }),
  route({
    method: 'POST',
    path: `${JOB}/cancelar`,
    aliases: [`${JOB}/cancel`],
    name: 'cancelJobExecutions',
    summary: 'Cancel one execution of a job, or all that have not ended',
    access: { permissions: ['jobs:execute'] },
    params: jobParams,
    body: z.strictObject({ executionId: id.optional(), reason: reason.optional() }),
    isBodyOptional: true,
    idempotency: 'kept',
    problems: [404, 409],
    answers: CANCEL_ANSWERS,
    handle: async ({ service, principal, params, body }) => ({
      status: 202,
      body: await service.jobs.cancel(principal, params.id, {
        executionId: body.executionId ?? null,
        reason: body.reason ?? null,
      }),
    }),
  }),
  route({
    method: 'POST',
    path: `${JOB}/pausar`,
    aliases: [`${JOB}/pause`],
    name: 'pauseJob',
    summary: 'Pause a job, for a time or until it is resumed',
    access: { permissions: ['jobs:pause'] },
    params: jobParams,
    body: z.strictObject({ reason: reason.nullable().optional(), until: instant.nullable().optional() }),
    isBodyOptional: true,
    idempotency: 'kept',
    problems: [404, 409],
    answers: JOB_ANSWERS,
    handle: async ({ service, principal, params, body }) =>
      jobAnswer(
        await service.jobs.pause(principal, params.id, { reason: body.reason ?? null, until: body.until ?? null }),
      ),
  }),
  route({
    method: 'POST',
    path: `${JOB}/retomar`,
    aliases: [`${JOB}/resume`],
    name: 'resumeJob',
    summary: 'Resume a job',
    access: { permissions: ['jobs:pause'] },
    params: jobParams,
    idempotency: 'kept',
    problems: [404, 409],
    answers: JOB_ANSWERS,
    handle: async ({ service, principal, params }) => jobAnswer(await service.jobs.resume(principal, params.id)),
  }),
  route({
    method: 'POST',
    path: `${JOB}/approve`,
    aliases: [`${JOB}/aprovar`],
    name: 'approveJob',
    summary: 'Approve what a sensitive job would run',
    access: { permissions: ['jobs:approve', 'jobs:execute'] },
    params: jobParams,
    body: z.strictObject({ comment: reason.nullable().optional() }),
    isBodyOptional: true,
    isVersioned: true,
    idempotency: 'kept',
    problems: [404, 409],
    answers: JOB_ANSWERS,
    handle: async ({ service, principal, params, body, expectedVersion }) =>
      jobAnswer(await service.jobs.approve(principal, params.id, { comment: body.comment ?? null, expectedVersion })),
  }),
  route({
    method: 'POST',
    path: `${JOB}/reject`,
    aliases: [`${JOB}/rejeitar`],
    name: 'rejectJob',
    summary: 'Reject what a sensitive job would run',
    access: { permissions: ['jobs:approve', 'jobs:execute'] },
    params: jobParams,
    body: z.strictObject({ reason: text(1_000, 1) }),
    isVersioned: true,
    idempotency: 'kept',
    problems: [404, 409],
    answers: JOB_ANSWERS,
    handle: async ({ service, principal, params, body, expectedVersion }) =>
      jobAnswer(await service.jobs.reject(principal, params.id, { reason: body.reason, expectedVersion })),
  }),
  route({
    method: 'POST',
    path: `${JOB}/reset`,
    name: 'resetJob',
    summary: 'Take back what differs from what the code declares',
    access: { permissions: ['jobs:update'] },
    params: jobParams,
    idempotency: 'kept',
    problems: [404, 409],
    answers: JOB_ANSWERS,
    handle: async ({ service, principal, params }) => jobAnswer(await service.jobs.reset(principal, params.id)),
  }),
]

type Notice = NonNullable<ExecuteAnswer['notice']>

/** Each notice in words. */
const TEXTS: Readonly<Record<Notice, (texts: Catalogue) => string>> = {
  maxWorkersExceeded: ({ jobs }) => jobs.messages.error.maxWorkersExceeded,
  suspended: ({ flags }) => flags.suspended,
}

/** An execution that was asked for; what there is to know about it also in the language of whoever asks. */
export function executed(answer: ExecuteAnswer, { language }: Pick<Call, 'language'>): Answer {
  const { notice } = answer
  return { status: 202, body: { ...answer, message: notice === null ? null : TEXTS[notice](textsIn(language)) } }
}

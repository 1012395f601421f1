import { z } from 'zod'
import type { HistoryEntryView } from '../../engine/durable/history-view.ts'
import { plain, wireInstant } from '../../service/wire-value.ts'
import { type Route, route } from '../request/route.ts'
import { activityView, chainView, executionDetailView, executionPage } from '../schemas/execution.ts'
import { anything, booleanParameter, id, instant, searchParameter, text } from '../schemas/values.ts'
import { archivedParameter, historyQuery } from './job-questions.ts'
import { CANCEL_ANSWERS, EXECUTE_ANSWERS, executed } from './job-verbs.ts'
import { JOBS } from './jobs.ts'

export const EXECUTION = `${JOBS}/executions/:id`

const params = z.object({ id })
const archivedQuery = z.strictObject({ archived: archivedParameter })

export const executionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/executions`,
    name: 'listExecutions',
    summary: 'List executions, the newest first',
    access: { permissions: ['jobs:viewHistory'] },
    problems: [404],
    query: z.strictObject({
      ...historyQuery,
      q: searchParameter.optional(),
      jobId: id.optional(),
      jobType: z.string().max(100).optional(),
      from: instant.optional(),
      to: instant.optional(),
    }),
    answers: { 200: { description: 'A page of executions', schema: executionPage } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.executions.list(principal, query),
    }),
  }),
  route({
    method: 'GET',
    path: EXECUTION,
    name: 'getExecution',
    summary: 'Get an execution with what it was given and what it gave',
    access: { permissions: ['jobs:viewHistory'] },
    params,
    query: archivedQuery.extend({
      log: booleanParameter.default(true).meta({ description: 'Whether the log is told too.' }),
    }),
    problems: [404],
    answers: { 200: { description: 'The execution', schema: executionDetailView } },
    handle: async ({ service, principal, params, query, language }) => ({
      status: 200,
      body: await service.executions.get(principal, params.id, { ...query, language }),
    }),
  }),
  route({
    method: 'GET',
    path: `${EXECUTION}/activities`,
    name: 'listActivities',
    summary: 'List what is recorded of a durable execution',
    access: { permissions: ['jobs:viewHistory'] },
    params,
    query: archivedQuery,
    problems: [404, 409, 410],
    answers: { 200: { description: 'In the order of calls', schema: z.object({ items: z.array(activityView) }) } },
    async handle({ service, principal, params, query }) {
      const entries = await service.executions.activities(principal, params.id, query)
      return { status: 200, body: { items: entries.map(onTheWire) } }
    },
  }),
  route({
    method: 'GET',
    path: `${EXECUTION}/chain`,
    name: 'getChain',
    summary: 'Get the executions of the chain that an execution belongs to',
    access: { permissions: ['jobs:viewHistory'] },
    params,
    query: archivedQuery,
    problems: [404],
    answers: { 200: { description: 'Executions, the oldest first, and the links between them', schema: chainView } },
    handle: async ({ service, principal, params, query }) => ({
      status: 200,
      body: await service.executions.chain(principal, params.id, query),
    }),
  }),
  route({
    method: 'POST',
    path: `${EXECUTION}/cancel`,
    aliases: [`${EXECUTION}/cancelar`],
    name: 'cancelExecution',
    summary: 'Cancel an execution',
    access: { permissions: ['jobs:execute'] },
    params,
    body: z.strictObject({ reason: text(1_000).optional() }),
    isBodyOptional: true,
    idempotency: 'kept',
    problems: [404, 409],
    answers: CANCEL_ANSWERS,
    handle: async ({ service, principal, params, body }) => ({
      status: 202,
      body: await service.executions.cancel(principal, params.id, body.reason ?? null),
    }),
  }),
  route({
    method: 'POST',
    path: `${EXECUTION}/erase`,
    name: 'eraseExecution',
    summary: 'Erase what an execution that has ended was given, gave and said',
    access: { profile: 'Admin' },
    params,
    idempotency: 'kept',
    problems: [404, 409],
    answers: { 204: { description: 'It is erased' } },
    async handle({ service, principal, params }) {
      await service.executions.erase(principal, params.id)
      return { status: 204 }
    },
  }),
  route({
    method: 'POST',
    path: `${EXECUTION}/signal`,
    name: 'signalExecution',
    summary: 'Send a message to a durable execution',
    access: { permissions: ['jobs:execute'] },
    params,
    body: z.strictObject({ name: text(255, 1), payload: anything.optional(), key: text(255, 1).optional() }),
    idempotency: 'kept',
    problems: [404, 409],
    answers: { 202: { description: 'It will be given to the execution' } },
    async handle({ service, principal, params, body, resourceId }) {
      // A request that is sent again sends its message once.
      await service.executions.signal(principal, params.id, { ...body, key: body.key ?? resourceId })
      return { status: 202 }
    },
  }),
  route({
    method: 'POST',
    path: `${EXECUTION}/restart`,
    name: 'restartExecution',
    summary: 'Begin a durable execution anew from a place in its history',
    access: { permissions: ['jobs:execute'] },
    params,
    body: z.strictObject({ sequence: z.int().min(1) }),
    idempotency: 'kept',
    problems: [404, 409, 410],
    answers: EXECUTE_ANSWERS,
    handle: async (call) => {
      const { service, principal, resourceId } = call
      return executed(await service.executions.restart(principal, call.params.id, call.body, { id: resourceId }), call)
    },
  }),
]

function onTheWire(entry: HistoryEntryView): z.output<typeof activityView> {
  return {
    ...entry,
    input: plain(entry.input),
    output: plain(entry.output),
    error: plain(entry.error),
    details: plain(entry.details),
    startedAt: wireInstant(entry.startedAt),
    dueAt: wireInstant(entry.dueAt),
    endedAt: wireInstant(entry.endedAt),
  }
}

import { z } from 'zod'
import { type Route, route } from '../request/route.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'
import { logLevel, logsAnswer } from '../schemas/execution.ts'
import { id, integerParameter, limitParameter } from '../schemas/values.ts'
import { EXECUTION } from './executions.ts'
import { archivedParameter } from './job-questions.ts'

const params = z.object({ id })

/** As many as can be counted. */
const MAX_ATTEMPT = 2_147_483_647

const filter = {
  level: logLevel.optional().meta({ description: 'The lowest level.' }),
  attempt: integerParameter(1, MAX_ATTEMPT).optional(),
  archived: archivedParameter,
}

/** What an execution has written, once it is written. */
export const logRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${EXECUTION}/logs`,
    name: 'readLogs',
    summary: 'Read the log of an execution',
    access: { permissions: ['jobs:viewLogs'] },
    params,
    query: z.strictObject({
      ...filter,
      after: integerParameter(0, Number.MAX_SAFE_INTEGER).optional(),
      limit: limitParameter(200),
    }),
    problems: [404, 410],
    answers: { 200: { description: 'Lines in order', schema: logsAnswer } },
    handle: async ({ service, principal, params, query }) => ({
      status: 200,
      body: await service.executions.logs(principal, params.id, query),
    }),
  }),
  route({
    method: 'GET',
    path: `${EXECUTION}/logs/download`,
    name: 'downloadLogs',
    summary: 'Download the log of an execution',
    access: { permissions: ['jobs:viewLogs'] },
    params,
    query: z.strictObject(filter),
    problems: [404, 410],
    answers: { 200: { description: 'A line for each line', schema: z.string(), mediaTypes: ['text/plain'] } },
    async handle({ service, principal, params, query }) {
      // Whoever may not have it is told so before the first byte.
      const text = await service.executions.logText(principal, params.id, query)
      return new Response(streamOf(text), {
        headers: {
          ...ALWAYS_HEADERS,
          'content-type': 'text/plain; charset=utf-8',
          'content-disposition': `attachment; filename="execution-${params.id}.log"`,
        },
      })
    },
  }),
]

/** A piece is asked for once the one before it was taken. */
function streamOf(text: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const pieces = text[Symbol.asyncIterator]()
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = await pieces.next()
        if (piece.done === true) controller.close()
        else controller.enqueue(encoder.encode(piece.value))
      },
      async cancel() {
        await pieces.return?.()
      },
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import type { AuditApi, CountersView } from '../../service/api.ts'
import { wireInstant } from '../../service/wire-value.ts'
import type { LogLine } from '../../store/logs.ts'
import { requireShape } from '../request/field-problems.ts'
import { type Route, route } from '../request/route.ts'
import { eventText, RETRY_TEXT } from '../response/streams.ts'
import { isSame, type TenantFeeds } from '../response/tenant-feed.ts'
import { tenantEvent } from '../schemas/audit.ts'
import { logLineView } from '../schemas/execution.ts'
import { id, integerParameter } from '../schemas/values.ts'
import { EXECUTION } from './executions.ts'
import { JOBS } from './jobs.ts'

const MEDIA_TYPES = ['text/event-stream'] as const

/** A client that comes back names the last event it saw in a header, one that begins may do so in a parameter. */
const place = integerParameter(0, Number.MAX_SAFE_INTEGER)
const resumeQuery = z.strictObject({ after: place.optional() })

export const streamRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/events`,
    name: 'followEvents',
    summary: 'Follow what happens to the jobs of the tenant',
    access: { permissions: ['jobs:read'] },
    query: resumeQuery,
    answers: {
      200: {
        description:
          'Events, resumed by Last-Event-ID; and events named `counters`, without an id, with what runs and waits: at the beginning, and whenever it changes',
        schema: tenantEvent,
        mediaTypes: MEDIA_TYPES,
      },
    },
    async handle({ service, principal, query, request, streams, feeds, isStillAllowed }) {
      const last = await service.audit.lastSequence(principal)
      const after = Math.min(resumePlace(request, query.after) ?? last, last)
      const source = (signal: AbortSignal) => tenantEvents({ audit: service.audit, feeds, principal }, after, signal)
      return await streams.open({ request, tenant: principal.tenant, isStillAllowed, source })
    },
  }),
  route({
    method: 'GET',
    path: `${EXECUTION}/logs/stream`,
    name: 'followLogs',
    summary: 'Follow the log of an execution until it has ended',
    access: { permissions: ['jobs:viewLogs'] },
    params: z.object({ id }),
    query: resumeQuery,
    problems: [404, 410],
    answers: { 200: { description: 'Lines, resumed by Last-Event-ID', schema: logLineView, mediaTypes: MEDIA_TYPES } },
    async handle({ service, principal, params, query, request, streams, isStillAllowed }) {
      const after = resumePlace(request, query.after)
      const abort = new AbortController()
      const lines = await service.executions.followLogs(principal, params.id, { after, signal: abort.signal })
      const source = (signal: AbortSignal) => {
        signal.addEventListener('abort', () => abort.abort())
        return logEvents(lines)
      }
      try {
        return await streams.open({ request, tenant: principal.tenant, isStillAllowed, source })
      } catch (error) {
        abort.abort()
        throw error
      }
    },
  }),
]

function resumePlace({ headers }: Request, parameter: number | undefined): number | undefined {
  const header = headers.get('last-event-id')
  if (header === null || header === '') return parameter
  return requireShape(z.object({ 'Last-Event-ID': place }), { 'Last-Event-ID': header })['Last-Event-ID']
}

const EVENTS_AT_ONCE = 100

interface EventSurroundings {
  readonly audit: AuditApi
  readonly feeds: TenantFeeds
  readonly principal: Principal
}

async function* tenantEvents(
  { audit, feeds, principal }: EventSurroundings,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  let position = after
  let told: CountersView | null = null
  // Without data it is no event, but tells the client where to go on from, should nothing happen before it is cut off.
  yield RETRY_TEXT + eventText({ id: position })
  while (!signal.aborted) {
    const events = await audit.eventsAfter(principal, position, EVENTS_AT_ONCE)
    position = events.at(-1)?.sequence ?? position
    const counters = await feeds.counters(principal)
    const isNews = counters !== null && !isSame(counters, told)
    if (isNews) told = counters
    if (events.length > 0 || isNews) {
      const texts = events.map((event) => eventText({ id: event.sequence, data: event }))
      yield texts.join('') + (isNews ? eventText({ event: 'counters', data: counters }) : '')
    }
    if (events.length < EVENTS_AT_ONCE) await feeds.waitFor(principal, { position, counters: told }, signal)
  }
}

async function* logEvents(lines: AsyncIterable<LogLine>): AsyncGenerator<string> {
  yield RETRY_TEXT
  for await (const line of lines) yield eventText({ id: line.sequence, data: onTheWire(line) })
  // Otherwise a client would take the end for a cut, and come back.
  yield eventText({ event: 'end', data: {} })
}

function onTheWire({ sequence, attempt, at, level, message, fields }: LogLine): z.output<typeof logLineView> {
  return {
    sequence,
    attempt,
    at: wireInstant(at),
    level,
    message,
    fields: fields === null ? null : (JSON.parse(fields) as unknown),
  }
}

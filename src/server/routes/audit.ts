import { z } from 'zod'
import { AUDIT_OPERATIONS } from '../../access/audit.ts'
import type { Principal } from '../../access/principal.ts'
import type { AuditApi } from '../../service/api.ts'
import { CSV_HEAD, csvRows } from '../../service/audit/csv.ts'
import type { AuditQuery } from '../../service/requests.ts'
import { type Route, route } from '../request/route.ts'
import { ALWAYS_HEADERS } from '../response/problem.ts'
import { auditPage, auditVerdict } from '../schemas/audit.ts'
import { cursorParameter, id, instant, limitParameter, listParameter, PAGE_LIMIT } from '../schemas/values.ts'
import { archivedParameter } from './job-questions.ts'
import { JOBS } from './jobs.ts'

const ACCESS = { permissions: ['jobs:read'], profile: 'Admin' } as const

const filter = {
  operation: listParameter(AUDIT_OPERATIONS).optional(),
  userId: z.string().max(255).optional(),
  jobId: id.optional(),
  executionId: id.optional(),
  from: instant.optional(),
  to: instant.optional(),
  archived: archivedParameter,
}

export const auditRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: `${JOBS}/audit-log`,
    name: 'listAuditEntries',
    summary: 'List what was done, the newest first',
    access: ACCESS,
    query: z.strictObject({ limit: limitParameter(), cursor: cursorParameter.optional(), ...filter }),
    answers: { 200: { description: 'A page of entries', schema: auditPage } },
    handle: async ({ service, principal, query }) => ({
      status: 200,
      body: await service.audit.list(principal, query),
    }),
  }),
  route({
    method: 'GET',
    path: `${JOBS}/audit-log/export`,
    name: 'exportAuditEntries',
    summary: 'Download all entries that are asked for, the newest first',
    access: ACCESS,
    query: z.strictObject(filter),
    answers: { 200: { description: 'Comma-separated values', schema: z.string(), mediaTypes: ['text/csv'] } },
    async handle({ service, principal, query }) {
      // Whoever may not have it is told so before the first byte.
      const first = await service.audit.list(principal, { ...query, limit: PAGE_LIMIT })
      return new Response(csvOf(service.audit, principal, query, first), {
        headers: {
          ...ALWAYS_HEADERS,
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': 'attachment; filename="audit-log.csv"',
        },
      })
    },
  }),
  route({
    method: 'GET',
    path: `${JOBS}/audit-log/verify`,
    name: 'verifyAuditLog',
    summary: 'Check the chain of hashes, and name the first entry that is wrong',
    access: ACCESS,
    answers: { 200: { description: 'Whether it holds', schema: auditVerdict } },
    handle: async ({ service, principal }) => ({ status: 200, body: await service.audit.verify(principal) }),
  }),
]

type AuditPage = Awaited<ReturnType<AuditApi['list']>>

/** The pages of a list as one text; a page is read once the one before it was taken. */
function csvOf(
  audit: AuditApi,
  principal: Principal,
  query: Omit<AuditQuery, 'limit' | 'cursor'>,
  first: AuditPage,
): ReadableStream<Uint8Array> {
  let head = CSV_HEAD
  let page: AuditPage | null = first
  return new ReadableStream(
    {
      async pull(controller) {
        if (page === null) return controller.close()
        const { items, nextCursor: cursor }: AuditPage = page
        controller.enqueue(encoder.encode(head + csvRows(items)))
        head = ''
        page = cursor === null ? null : await audit.list(principal, { ...query, limit: PAGE_LIMIT, cursor })
      },
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

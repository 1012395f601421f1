import type { BegunRequest, NewRequest, RequestKey, RequestStore } from '../../requests.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { RequestRow } from '../schema/service-tables.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

const KEPT_MS = 24 * 60 * 60_000

export function requestStore(session: Session): RequestStore {
  return {
    begin: (request) => session.statement((tables, now) => begin(tables, request, now)),

    // The first answer counts: it is the one that somebody may have seen.
    finish: (request, answer) =>
      session.statement((tables) => {
        const open = openRequest(tables, request)
        if (open) tables.service.requests.put(frozenCopy({ ...open, answer }))
      }),

    forget: (request) =>
      session.statement((tables) => {
        if (openRequest(tables, request)) tables.service.requests.take(keyFrom(request))
      }),
  }
}

function begin({ service }: Tables, request: NewRequest, now: number): BegunRequest {
  const { tenant, userId, key, fingerprint, resourceId, takeoverMs } = request
  const row = { tenant, userId, key, fingerprint, begunAt: now, expiresAt: now + KEPT_MS, answer: null }
  const kept = service.requests.get(keyFrom(request))
  if (!kept || kept.expiresAt <= now) {
    service.requests.put(Object.freeze({ ...row, resourceId }))
    return { state: 'new', resourceId }
  }
  if (kept.fingerprint !== fingerprint) return { state: 'mismatch' }
  if (kept.answer) return { state: 'done', answer: kept.answer }
  // Sent again by whoever has lost the answer.
  if (kept.resourceId === resourceId) return { state: 'new', resourceId }
  if (kept.begunAt > now - takeoverMs) return { state: 'running' }
  service.requests.put(Object.freeze({ ...row, resourceId: kept.resourceId }))
  return { state: 'resumed', resourceId: kept.resourceId }
}

/** One that somebody is at. */
function openRequest({ service }: Tables, request: RequestKey): RequestRow | null {
  const kept = service.requests.get(keyFrom(request))
  return kept?.answer === null ? kept : null
}

function keyFrom({ tenant, userId, key }: RequestKey): string {
  return keyOf(tenant, userId, key)
}

/** Removes requests that are a day old. */
export function removePastRequests({ service }: Tables, now: number): void {
  const past = [...service.requests.rows()].filter(({ expiresAt }) => expiresAt <= now)
  for (const request of past) service.requests.take(keyFrom(request))
}

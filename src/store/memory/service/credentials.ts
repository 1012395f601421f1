import type { CredentialStore, Session as KeptSession } from '../../credentials.ts'
import { compareIds, inOrderOf } from '../schema/compare.ts'
import { frozenCopy } from '../schema/frozen.ts'
import type { Tables } from '../schema/tables.ts'
import type { Session } from '../session.ts'

const newestFirst = inOrderOf<{ readonly id: string; readonly createdAt: number }>(
  (a, b) => b.createdAt - a.createdAt,
  (a, b) => compareIds(b.id, a.id),
)

export function credentialStore(session: Session): CredentialStore {
  return {
    findKey: (secretHash) =>
      session.statement(({ service }) => [...service.keys.rows()].find((key) => key.secretHash === secretHash) ?? null),

    listKeys: (tenant) =>
      session.statement(({ service }) =>
        [...service.keys.rows()].filter((key) => key.tenant === tenant).toSorted(newestFirst),
      ),

    addKey: (key, draft) =>
      session.statement(({ service, audit }, now) => {
        if (service.keys.has(key.id)) return
        service.keys.put(frozenCopy({ ...key, createdAt: now, revokedAt: null, lastUsedAt: null }))
        if (draft) audit.write({ ...draft, tenant: key.tenant }, now)
      }),

    revokeKey: (tenant, id, draft) =>
      session.statement(({ service, audit }, now) => {
        const key = service.keys.get(id)
        if (key?.tenant !== tenant || key.revokedAt !== null) return false
        service.keys.put(Object.freeze({ ...key, revokedAt: now }))
        if (draft) audit.write({ ...draft, tenant }, now)
        return true
      }),

    touchKeys: (ids) =>
      session.statement(({ service }, now) => {
        for (const id of ids) {
          const key = service.keys.get(id)
          if (key) service.keys.put(Object.freeze({ ...key, lastUsedAt: Math.max(key.lastUsedAt ?? now, now) }))
        }
      }),

    findSession: (secretHash) =>
      session.statement((tables, now) => {
        const found = tables.service.sessions.get(secretHash)
        return found && isOpen(tables, found, now) ? found : null
      }),

    addSession: (added) =>
      session.statement(({ service }, now) => {
        if (service.sessions.has(added.secretHash)) return
        service.sessions.put(frozenCopy({ ...added, createdAt: now }))
      }),

    removeSessions: (secretHashes) =>
      session.statement(({ service }) => {
        for (const hash of secretHashes) service.sessions.take(hash)
      }),
  }
}

/** The end of a key ends what it was exchanged for. */
function isOpen({ service }: Tables, { expiresAt, keyId }: KeptSession, now: number): boolean {
  if (expiresAt <= now) return false
  if (keyId === null) return true
  const key = service.keys.get(keyId)
  return key !== undefined && key.revokedAt === null && (key.expiresAt ?? Number.POSITIVE_INFINITY) > now
}

/** Removes sessions that are over. */
export function removePastSessions({ service }: Tables, now: number): void {
  const past = [...service.sessions.rows()].filter(({ expiresAt }) => expiresAt <= now)
  for (const { secretHash } of past) service.sessions.take(secretHash)
}

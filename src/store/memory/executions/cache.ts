import type { CacheFilter, CacheStore, NewCachedResult } from '../../cache.ts'
import type { CacheRow } from '../schema/rows.ts'
import { keyOf } from '../schema/table.ts'
import type { Tables } from '../schema/tables.ts'
import { take } from '../schema/take.ts'
import type { Session } from '../session.ts'

export function cacheStore(session: Session): CacheStore {
  return {
    find: (places) =>
      session.statement((tables, now) => {
        const wanted = new Set(places.map(({ tenant, jobType, hash }) => keyOf(tenant, jobType, hash)))
        const rows = [...wanted].flatMap((key) => tables.cached.get(key) ?? []).filter((row) => row.expiresAt > now)
        return rows.map(({ tenant, jobType, hash, executionId, output }) => ({
          tenant,
          jobType,
          hash,
          executionId,
          output,
        }))
      }),

    put: (results) =>
      session.statement((tables) => {
        for (const each of results) putOne(tables, each)
      }),

    clear: (filter, limit) =>
      session.statement((tables) => remove(tables, take(tables.cached.rows(), limit, { where: isOf(filter) }))),
  }
}

/** Removes what no longer counts. */
export function removeExpired(tables: Tables, now: number): void {
  const expired = take(tables.cachedByExpiry.ascending(), Number.POSITIVE_INFINITY, {
    while: ({ expiresAt }) => expiresAt <= now,
  })
  remove(tables, expired)
}

function putOne(tables: Tables, { tenant, jobType, hash, executionId, ttlMs }: NewCachedResult): void {
  const result = tables.results.get(executionId)
  if (result?.status !== 'SUCCESS') return
  const { finishedAt, output } = result
  const before = tables.cached.get(keyOf(tenant, jobType, hash))
  if (before && before.finishedAt > finishedAt) return
  tables.cached.put({ tenant, jobType, hash, executionId, output, finishedAt, expiresAt: finishedAt + ttlMs })
}

function remove(tables: Tables, rows: readonly CacheRow[]): number {
  for (const { tenant, jobType, hash } of rows) tables.cached.take(keyOf(tenant, jobType, hash))
  return rows.length
}

function isOf({ tenant, jobType, hash }: CacheFilter): (row: CacheRow) => boolean {
  return (row) => row.tenant === tenant && row.jobType === jobType && (hash === undefined || row.hash === hash)
}

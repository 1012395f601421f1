import type { App } from '../../engine/app/app.ts'
import type { SeriesBucket } from '../../store/series.ts'

/** So long after its last instant all that ended in a bucket is committed. */
const SETTLED_MS = 60_000
/** What was purged since is forgotten this soon. */
const KEPT_MS = 10 * 60_000
const MOST_SERIES = 500

/** The buckets of one tenant's series that are over: what ended in them is measured once. null where nothing did. */
export interface KeptBuckets {
  readonly bucketMs: number
  readonly since: number
  readonly buckets: Map<number, SeriesBucket | null>
}

const kept = new WeakMap<App, Map<string, KeptBuckets>>()

export function keptBuckets(opened: App, tenant: string, bucketMs: number, now: number): KeptBuckets {
  const all = kept.get(opened) ?? new Map<string, KeptBuckets>()
  kept.set(opened, all)
  const key = `${bucketMs} ${tenant}`
  const known = all.get(key)
  if (known && now - known.since < KEPT_MS) return known
  for (const [each, { since }] of all) {
    if (now - since >= KEPT_MS || all.size >= MOST_SERIES) all.delete(each)
  }
  const fresh = { bucketMs, since: now, buckets: new Map<number, SeriesBucket | null>() }
  all.set(key, fresh)
  return fresh
}

/** Keeps what was found of buckets that are over. */
export function keepBuckets(
  { buckets, bucketMs }: KeptBuckets,
  asked: readonly number[],
  found: ReadonlyMap<number, SeriesBucket>,
  now: number,
): void {
  for (const at of asked) if (at + bucketMs + SETTLED_MS <= now) buckets.set(at, found.get(at) ?? null)
}

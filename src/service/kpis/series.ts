import { requirePermission } from '../../access/principal.ts'
import { HOUR_MS, MINUTE_MS } from '../../duration.ts'
import type { App } from '../../engine/app/app.ts'
import type { SeriesBucket } from '../../store/series.ts'
import { requireDashboard } from '../administration/flags.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import type { SeriesBucketView, SeriesView } from './figure-views.ts'

const MOST_BUCKETS = 96

const USUAL_HOURS = 24

/** A busy tenant may have more; then the newest tell. */
const MEASURED = 200_000

/** A question is about so many at most, as far as the one before it tells: so none takes long, and others come in between. */
const ASKED_AT_ONCE = 4_000

/** What comes next may be busier. */
const MOST_GROWTH = 4

/** How executions of the last hours ended, how long they took and how late they were, over time. */
export async function readSeries(
  scope: Scope,
  query: { readonly hours?: number | undefined } = {},
): Promise<SeriesView> {
  requirePermission(scope.principal, 'jobs:viewDashboard')
  await requireDashboard(scope)
  const window = seriesWindow(scope.now(), query.hours ?? USUAL_HOURS)
  const { buckets, isPartial } = await measuredTogether(scope, window)
  return {
    from: wireInstant(window.from),
    to: wireInstant(window.to),
    bucketMinutes: window.bucketMs / MINUTE_MS,
    buckets: bucketsOf(window).map((at) => viewOfBucket(at, buckets.get(at))),
    isPartial,
  }
}

interface MeasuredBuckets {
  readonly buckets: ReadonlyMap<number, SeriesBucket>
  readonly isPartial: boolean
}

const underWay = new WeakMap<object, Map<string, Promise<MeasuredBuckets>>>()

/** Whoever asks while the same is read for somebody else is given that. */
async function measuredTogether(scope: Scope, window: SeriesWindow): Promise<MeasuredBuckets> {
  const { opened, tenant } = scope
  const asked = underWay.get(opened) ?? new Map<string, Promise<MeasuredBuckets>>()
  underWay.set(opened, asked)
  const key = `${window.from} ${window.to} ${window.bucketMs} ${tenant}`
  const measured = asked.get(key) ?? measure(scope, window).finally(() => asked.delete(key))
  asked.set(key, measured)
  return await measured
}

async function measure(scope: Scope, window: SeriesWindow): Promise<MeasuredBuckets> {
  const { opened, store, tenant } = scope
  const { bucketMs } = window
  const askedAt = scope.now()
  const kept = keptBuckets(opened, tenant, bucketMs, askedAt)
  const wanted = bucketsOf(window)
  const buckets = new Map<number, SeriesBucket>()
  for (const at of wanted) {
    const known = kept.buckets.get(at)
    if (known) buckets.set(at, known)
  }
  let left = MEASURED - sumOf(buckets.values())
  const missing = wanted.filter((at) => !kept.buckets.has(at))
  let most = 1
  while (missing.length > 0) {
    if (left <= 0) return { buckets, isPartial: true }
    const asked = takeNewest(missing, bucketMs, most)
    const [since = 0] = asked
    const until = since + asked.length * bucketMs
    const found = await store.executions.series({ tenant, since, until, bucketMs, limit: left })
    for (const bucket of found) buckets.set(bucket.at, bucket)
    const ended = sumOf(found)
    left -= ended
    most = nextSize(asked.length, ended)
    if (left > 0) keepBuckets(kept, asked, new Map(found.map((bucket) => [bucket.at, bucket])), askedAt)
  }
  return { buckets, isPartial: left <= 0 }
}

/** Takes away the newest buckets that follow on one another, at most so many. */
export function takeNewest(buckets: number[], bucketMs: number, most: number): number[] {
  let first = buckets.length - 1
  while (first > 0 && buckets.length - first < most && buckets[first - 1] === (buckets[first] ?? 0) - bucketMs)
    first -= 1
  return buckets.splice(first)
}

/** How many buckets are asked for after so many of which so much had ended. */
export function nextSize(buckets: number, ended: number): number {
  const fitting = Math.floor((buckets * ASKED_AT_ONCE) / Math.max(1, ended))
  return Math.min(Math.max(1, fitting), buckets * MOST_GROWTH)
}

function sumOf(buckets: Iterable<SeriesBucket>): number {
  let sum = 0
  for (const { succeeded, failed, timedOut, cancelled } of buckets) sum += succeeded + failed + timedOut + cancelled
  return sum
}

const NOTHING: Omit<SeriesBucket, 'at'> = {
  succeeded: 0,
  failed: 0,
  timedOut: 0,
  cancelled: 0,
  meanDurationMs: null,
  p95DurationMs: null,
  meanQueueMs: null,
  started: 0,
  onTime: 0,
  p99LatenessMs: null,
}

function viewOfBucket(at: number, bucket: Omit<SeriesBucket, 'at'> = NOTHING): SeriesBucketView {
  const { started, onTime, p99LatenessMs, ...figures } = bucket
  return { ...figures, at: wireInstant(at), onTimeRate: started === 0 ? null : onTime / started, p99LatenessMs }
}

/** So long after its last instant all that ended in a bucket is committed. */
const SETTLED_MS = 60_000

/** What was purged since is forgotten this soon. */
const KEPT_MS = 10 * 60_000

const MOST_SERIES = 500

/** The buckets of one tenant's series that are over: what ended in them is measured once. null where nothing did. */
interface KeptBuckets {
  readonly bucketMs: number
  readonly since: number
  readonly buckets: Map<number, SeriesBucket | null>
}

const kept = new WeakMap<App, Map<string, KeptBuckets>>()

function keptBuckets(opened: App, tenant: string, bucketMs: number, now: number): KeptBuckets {
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
function keepBuckets(
  { buckets, bucketMs }: KeptBuckets,
  asked: readonly number[],
  found: ReadonlyMap<number, SeriesBucket>,
  now: number,
): void {
  for (const at of asked) if (at + bucketMs + SETTLED_MS <= now) buckets.set(at, found.get(at) ?? null)
}

/** Lengths of which a day has a whole number. */
const BUCKET_MINUTES = [1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1_440] as const

/** A stretch of time, cut into buckets of equal length. */
interface SeriesWindow {
  /** When the first bucket begins. */
  readonly from: number
  /** When the last one will be over. */
  readonly to: number
  readonly bucketMs: number
}

/** The last hours in so many buckets as a chart has room for. All of the hours are in it, and the bucket that is under way. */
export function seriesWindow(now: number, hours: number): SeriesWindow {
  const spanMs = hours * HOUR_MS
  const minutes = BUCKET_MINUTES.find((each) => spanMs / (each * MINUTE_MS) <= MOST_BUCKETS - 1) ?? 1_440
  const bucketMs = minutes * MINUTE_MS
  const floor = (instant: number) => Math.floor(instant / bucketMs) * bucketMs
  return { from: floor(now - spanMs), to: floor(now) + bucketMs, bucketMs }
}

/** When each bucket begins, the oldest first. */
export function bucketsOf({ from, to, bucketMs }: SeriesWindow): number[] {
  return Array.from({ length: (to - from) / bucketMs }, (_, index) => from + index * bucketMs)
}

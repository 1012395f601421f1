import { requirePermission } from '../../access/principal.ts'
import { MINUTE_MS } from '../../duration.ts'
import type { SeriesBucket } from '../../store/series.ts'
import { requireDashboard } from '../administration/flags.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import type { SeriesBucketView, SeriesView } from './figure-views.ts'
import { keepBuckets, keptBuckets } from './kept-buckets.ts'
import { bucketsOf, type SeriesWindow, seriesWindow } from './series-window.ts'

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

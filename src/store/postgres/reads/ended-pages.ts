import type { MeasureQuery, Measures } from '../../executions.ts'
import { latenessOf } from '../../lateness.ts'

/** When an execution ended, and which one. */
type End = readonly [at: number, id: string]

/** What is measured of some of the executions that have ended. */
export interface EndedPage {
  readonly ended: number
  /** Where the next page goes on; null where this one is empty. */
  readonly oldestId: string | null
  /** When the first of them was created, or due. */
  readonly wantedSince: number | null
  readonly succeeded: number
  readonly failed: number
  readonly timedOut: number
  readonly cancelled: number
  readonly retried: number
  readonly ran: number
  readonly durationMs: number
  readonly queuedMs: number
  readonly busyMs: number
  readonly latenessesMs: readonly number[]
  readonly lastSuccess: End | null
  /** Those that FAILED or timed out after the last success of the page: of the others, none is after that of all pages. */
  readonly failures: readonly End[]
}

/** What runs. */
export interface Held {
  readonly now: number
  readonly claimedAt: readonly number[]
}

/** What is measured of all pages together, and of what runs. */
export function sumPages(pages: readonly EndedPage[], { now, claimedAt }: Held, query: MeasureQuery): Measures {
  const sum = (of: (page: EndedPage) => number) => pages.reduce((total, page) => total + of(page), 0)
  const measuredSince = sinceOf(pages, query)
  const running = claimedAt.reduce((total, at) => total + Math.max(0, now - Math.max(at, measuredSince)), 0)
  const ran = sum((page) => page.ran)
  return {
    now,
    measuredSince,
    succeeded: sum((page) => page.succeeded),
    failed: sum((page) => page.failed),
    timedOut: sum((page) => page.timedOut),
    cancelled: sum((page) => page.cancelled),
    retried: sum((page) => page.retried),
    consecutiveFailures: consecutiveFailures(pages),
    meanDurationMs: ran === 0 ? null : sum((page) => page.durationMs) / ran,
    meanQueueMs: ran === 0 ? null : sum((page) => page.queuedMs) / ran,
    busyMs: sum((page) => page.busyMs) + running,
    lateness: latenessOf(pages.flatMap((page) => page.latenessesMs)),
  }
}

/** Where there are more than are measured, they tell of the time since the first of them was wanted. */
function sinceOf(pages: readonly EndedPage[], { since, limit }: MeasureQuery): number {
  const ended = pages.reduce((total, page) => total + page.ended, 0)
  if (ended === 0 || ended < limit) return since
  return Math.max(since, Math.min(...pages.map(({ wantedSince }) => wantedSince ?? Infinity)))
}

function consecutiveFailures(pages: readonly EndedPage[]): number {
  const successes = pages.flatMap(({ lastSuccess }) => (lastSuccess ? [lastSuccess] : []))
  const last = successes.reduce<End | null>((latest, end) => (latest && isAfter(latest, end) ? latest : end), null)
  return pages.reduce(
    (total, { failures }) => total + failures.filter((end) => last === null || isAfter(end, last)).length,
    0,
  )
}

function isAfter([at, id]: End, [otherAt, otherId]: End): boolean {
  return at > otherAt || (at === otherAt && id > otherId)
}

import type { Env } from '../../clock.ts'
import type { Page } from '../../service/answers.ts'
import type { ExecutionView } from '../../service/execution-view.ts'
import type { FailureGroupView, FailuresView, SeriesView } from '../../service/kpis/figure-views.ts'
import type { AlertView, DashboardView, WorkersView } from '../../service/overview-answers.ts'
import { formatInstant } from '../../time/instant.ts'
import { AnsweredError, type Connection } from '../client/connection.ts'

/** What `top` shows at one moment. What whoever asks may not see is null. */
export interface Glance {
  readonly at: string
  /** Who was asked. */
  readonly place: string
  readonly running: number
  readonly queued: number
  readonly waiting: number | null
  /** How many of the tenant may run at once; null for any number. */
  readonly cap: number | null
  readonly oldestWaitMs: number | null
  readonly nodes: WorkersView['nodes']
  readonly queues: WorkersView['queues']
  /** Those that have run for the longest first. */
  readonly executions: readonly RunningExecution[] | null
  readonly rates: Rates | null
  readonly failures: readonly FailureGroupView[] | null
  readonly alerts: readonly AlertView[] | null
}

interface RunningExecution {
  readonly id: string
  readonly jobName: string | null
  readonly jobType: string
  readonly startedAt: string | null
  readonly ageMs: number
  readonly attempt: number
  readonly progress: number | null
  readonly progressNote: string | null
}

/** How much ended within the last hour. */
interface Rates {
  /** A minute, over the last five. */
  readonly endedPerMinute: number
  readonly failedPerMinute: number
  /** Over the hour, the oldest first, in stretches of equal length. */
  readonly ended: readonly number[]
}

/** What takes the service longer to tell, and changes more slowly. */
interface Slow {
  readonly dashboard: DashboardView | null
  readonly series: SeriesView | null
  readonly failures: FailuresView | null
}

const KEEP_SLOW_MS = 5_000
const MOST_EXECUTIONS = 100
const RATE_MINUTES = 5

/** Asks a service again and again for what happens. */
export class GlanceReader {
  readonly #connection: Connection
  readonly #env: Env
  #slow: { readonly at: number; readonly read: Slow } | null = null

  constructor(connection: Connection, env: Env) {
    this.#connection = connection
    this.#env = env
  }

  /** Whoever has had enough is not kept waiting: then the reason of the signal is thrown. */
  async read(signal: AbortSignal): Promise<Glance> {
    const [workers, executions, slow] = await Promise.all([
      this.#connection.ask<WorkersView>('GET', '/workers', undefined, { signal }),
      this.#allowed<Page<ExecutionView>>(`/executions?status=RUNNING&limit=${MOST_EXECUTIONS}`, signal),
      this.#readSlow(signal),
    ])
    const now = this.#env.now()
    const { dashboard, series, failures } = slow
    return {
      at: formatInstant(now),
      place: this.#connection.place,
      running: workers.running,
      queued: workers.queued,
      waiting: dashboard?.waiting ?? null,
      cap: workers.cap,
      oldestWaitMs: dashboard?.queue.oldestWaitMs ?? null,
      nodes: workers.nodes,
      queues: workers.queues,
      executions: executions && runningOf(executions.items, now),
      rates: series && ratesOf(series),
      failures: failures?.items ?? null,
      alerts: dashboard?.alerts ?? null,
    }
  }

  async #readSlow(signal: AbortSignal): Promise<Slow> {
    const at = this.#env.monotonic()
    if (this.#slow !== null && at - this.#slow.at < KEEP_SLOW_MS) return this.#slow.read
    const [dashboard, series, failures] = await Promise.all([
      this.#allowed<DashboardView>('/dashboard', signal),
      this.#allowed<SeriesView>('/series?hours=1', signal),
      this.#allowed<FailuresView>('/failures?hours=1&limit=5', signal),
    ])
    this.#slow = { at, read: { dashboard, series, failures } }
    return this.#slow.read
  }

  /** null for what whoever asks may not see, or what is switched off. */
  async #allowed<Answer>(path: string, signal: AbortSignal): Promise<Answer | null> {
    try {
      return await this.#connection.ask<Answer>('GET', path, undefined, { signal })
    } catch (error) {
      if (error instanceof AnsweredError && (error.status === 403 || error.status === 404)) return null
      throw error
    }
  }
}

function runningOf(executions: readonly ExecutionView[], now: number): RunningExecution[] {
  return executions
    .map(({ id, jobName, jobType, startedAt, retryCount, progress, progressNote }) => ({
      id,
      jobName,
      jobType,
      startedAt,
      ageMs: startedAt === null ? 0 : Math.max(0, now - Date.parse(startedAt)),
      attempt: retryCount + 1,
      progress,
      progressNote,
    }))
    .sort((one, other) => other.ageMs - one.ageMs)
}

/** The last stretch is under way, and says nothing yet about a minute. */
export function ratesOf({ buckets, bucketMinutes }: Pick<SeriesView, 'buckets' | 'bucketMinutes'>): Rates {
  const ended = buckets.map(({ succeeded, failed, timedOut, cancelled }) => succeeded + failed + timedOut + cancelled)
  const failed = buckets.map((each) => each.failed + each.timedOut)
  const count = Math.max(1, Math.round(RATE_MINUTES / bucketMinutes))
  const perMinute = (all: readonly number[]) =>
    all
      .slice(0, -1)
      .slice(-count)
      .reduce((sum, each) => sum + each, 0) /
    (count * bucketMinutes)
  return { endedPerMinute: perMinute(ended), failedPerMinute: perMinute(failed), ended }
}

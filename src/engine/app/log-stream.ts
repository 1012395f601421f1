import { isFinal } from '../../job/execution/execution.ts'
import { LOG_LEVELS, type LogLevel } from '../../logger.ts'
import type { LogLine } from '../../store/logs.ts'
import type { TenantStore } from '../../store/store.ts'
import { requireOneOf, requireOptions } from '../../time/require.ts'
import type { Pauses } from './pauses.ts'

/** Which lines of a log are given, and until when. */
export interface LogOptions {
  /** Lines after this one. */
  readonly after?: number | undefined
  /** The lowest level that is wanted. Default: all. */
  readonly level?: LogLevel | undefined
  /** Waits for more until the execution has ended. Default false. */
  readonly follow?: boolean | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
}

/** A page is held until its last line is taken, for each of who read slowly: so a page is small, also where lines are as long as they may be. */
const PAGE = 64
const LOOK_AGAIN_MS = 250

/** The lines of an execution, in order; with `follow` also those still to come. */
export async function* streamLogs(
  store: TenantStore,
  pauses: Pauses,
  executionId: string,
  options: LogOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  requireOptions(options, 'Log options', ['after', 'level', 'follow', 'signal'])
  const { after, level, follow = false, signal } = options
  if (level !== undefined) requireOneOf(level, 'level', LOG_LEVELS)
  let last = after
  while (!signal?.aborted) {
    // Asked before the lines are read, so that those of its last moment are seen.
    const isOver = !follow || (await hasEnded(store, executionId))
    const lines = await store.logs.read({ executionId, after: last, lowest: level, limit: PAGE })
    yield* lines
    last = lines.at(-1)?.sequence ?? last
    if (lines.length === PAGE) continue
    if (isOver) return
    await pauses.pause(LOOK_AGAIN_MS, signal)
  }
}

async function hasEnded(store: TenantStore, executionId: string): Promise<boolean> {
  const [execution] = await store.executions.find([executionId])
  return !execution || isFinal(execution.status)
}

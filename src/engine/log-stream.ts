import type { Env } from '../clock.ts'
import { isFinal } from '../job/execution.ts'
import type { LogLevel } from '../logger.ts'
import type { LogLine } from '../store/logs.ts'
import type { Store } from '../store/store.ts'

export interface LogOptions {
  /** Lines after this one. */
  readonly after?: number | undefined
  /** The lowest level that is wanted. Default: all. */
  readonly level?: LogLevel | undefined
  /** Waits for more until the execution has ended. Default false. */
  readonly follow?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}

const PAGE = 500
const LOOK_AGAIN_MS = 250

/** The lines of an execution, in order; with `follow` also those still to come. */
export async function* streamLogs(
  store: Store,
  env: Env,
  executionId: string,
  { after, level, follow = false, signal }: LogOptions = {},
): AsyncGenerator<LogLine, void, undefined> {
  let last = after
  while (!signal?.aborted) {
    // Asked before the lines are read, so that those of its last moment are seen.
    const isOver = !follow || (await hasEnded(store, executionId))
    const lines = await store.logs.read({ executionId, after: last, lowest: level, limit: PAGE })
    yield* lines
    last = lines.at(-1)?.sequence ?? last
    if (lines.length === PAGE) continue
    if (isOver) return
    await pause(env, signal)
  }
}

async function hasEnded(store: Store, executionId: string): Promise<boolean> {
  const [execution] = await store.executions.find([executionId])
  return !execution || isFinal(execution.status)
}

function pause(env: Env, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const cancel = env.after(LOOK_AGAIN_MS, done)
    signal?.addEventListener('abort', done, { once: true })
    function done() {
      cancel()
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}

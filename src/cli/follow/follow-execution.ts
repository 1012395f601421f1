import { type Env, systemEnv } from '../../clock.ts'
import { isFinal } from '../../job/execution/execution.ts'
import type { LogLineView } from '../../service/answers.ts'
import type { ExecutionDetailView } from '../../service/execution-view.ts'
import { AnsweredError, type Connection, isPassing } from '../client/connection.ts'
import { GIVE_UP_MS } from '../client/events.ts'
import { readExecution } from '../client/find.ts'
import { pause } from '../signals.ts'

export interface Follower {
  readonly onLine: (line: LogLineView) => void
  /** Told of the execution whenever it was looked at: at the beginning, and every other second. */
  readonly onLook?: ((execution: ExecutionDetailView) => void) | undefined
  /** Told when the connection is lost and looked for again. */
  readonly onCut?: ((reason: string) => void) | undefined
  /** Behind which line to begin. Default: with the first. */
  readonly after?: number | undefined
  readonly signal: AbortSignal
  readonly env?: Env | undefined
}

const LOOK_MS = 2_000

/** Follows an execution until it has ended, or stands still for somebody to see to it, which is what DIVERGED means; or until the signal is aborted. */
export async function followExecution(
  connection: Connection,
  id: string,
  follower: Follower,
): Promise<ExecutionDetailView> {
  const { onLine, onCut, after, signal, env = systemEnv } = follower
  const ended = new AbortController()
  const either = AbortSignal.any([signal, ended.signal])
  const watching = watch(connection, id, { ...follower, signal: either, env, onParked: () => ended.abort() })
  try {
    const path = `/executions/${id}/logs/stream${after === undefined ? '' : `?after=${after}`}`
    for await (const { data } of connection.stream(path, either, onCut)) onLine(data as LogLineView)
  } catch (error) {
    // Who may run jobs need not be one who may see their logs.
    if (!(error instanceof AnsweredError && error.status === 403)) throw error
    await watching
  } finally {
    ended.abort()
    await watching
  }
  return await lookOnceMore(connection, id, env, signal)
}

interface Watch extends Pick<Follower, 'onLook'> {
  readonly signal: AbortSignal
  readonly env: Env
  readonly onParked: () => void
}

/** Looks at the execution every other second. What cannot be reached is somebody else's to tell: the stream is on the same way. */
async function watch(connection: Connection, id: string, { onLook, onParked, signal, env }: Watch): Promise<void> {
  while (!signal.aborted) {
    const execution = await readExecution(connection, id, signal).catch(() => null)
    if (signal.aborted) return
    if (execution !== null) {
      onLook?.(execution)
      if (execution.status === 'DIVERGED') return onParked()
      if (isFinal(execution.status)) return
    }
    await pause(env, LOOK_MS, signal)
  }
}

/** How it stands once its log is over. A service that is away at just that moment comes back. */
async function lookOnceMore(
  connection: Connection,
  id: string,
  env: Env,
  signal: AbortSignal,
): Promise<ExecutionDetailView> {
  const began = env.monotonic()
  for (;;) {
    try {
      return await readExecution(connection, id, signal)
    } catch (error) {
      if (!isPassing(error) || env.monotonic() - began > GIVE_UP_MS) throw error
    }
    await pause(env, LOOK_MS, signal)
  }
}

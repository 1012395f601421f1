import { ask, withParameters } from '../api/ask.ts'
import { apiAddress } from '../api/places.ts'
import type { LogLineView, LogsAnswer } from '../api/wire.ts'

/** `ended`: there is no more to come. `failed`: it cannot be read. */
export type LogState = 'connecting' | 'live' | 'reconnecting' | 'ended' | 'failed'

export interface LogListener {
  lines(lines: readonly LogLineView[]): void
  state(state: LogState, error?: Error): void
}

const FLUSH_MS = 60
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
const PAGE = 100

/** Follows the log of an execution until it has ended, and goes on where it was cut. What is in the archive has no stream: it is read page by page. Returns how to stop. */
export function followLog(executionId: string, listener: LogListener): () => void {
  const stop = new AbortController()
  const flusher = new Flusher((lines) => listener.lines(lines))
  let last: string | null = null
  let source: EventSource | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let waitMs = FIRST_WAIT_MS
  let isOpened = false

  const open = () => {
    source = new EventSource(apiAddress(withParameters(`jobs/executions/${executionId}/logs/stream`, { after: last })))
    source.onopen = () => {
      isOpened = true
      waitMs = FIRST_WAIT_MS
      listener.state('live')
    }
    source.onmessage = ({ data, lastEventId }: MessageEvent<string>) => {
      last = lastEventId || last
      flusher.add(JSON.parse(data) as LogLineView)
    }
    source.addEventListener('end', () => {
      source?.close()
      flusher.flush()
      listener.state('ended')
    })
    source.onerror = () => {
      if (isOpened) listener.state('reconnecting')
      if (source?.readyState !== EventSource.CLOSED) return
      if (isOpened) {
        timer = setTimeout(open, waitMs)
        waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
      } else void readPages(executionId, listener, stop.signal)
    }
  }
  open()
  return () => {
    stop.abort()
    clearTimeout(timer)
    flusher.stop()
    source?.close()
  }
}

async function readPages(executionId: string, listener: LogListener, signal: AbortSignal): Promise<void> {
  try {
    let after: string | null = null
    do {
      const path: string = withParameters(`jobs/executions/${executionId}/logs`, { after, limit: PAGE, archived: true })
      const page: LogsAnswer = await ask<LogsAnswer>(path, { signal })
      listener.lines(page.items)
      after = page.nextCursor
    } while (after !== null)
    listener.state('ended')
  } catch (error) {
    if (!signal.aborted) listener.state('failed', error as Error)
  }
}

/** Hands on what comes in a short while at once: a page that drew every line would do nothing else. */
class Flusher {
  readonly #hand: (lines: readonly LogLineView[]) => void
  #lines: LogLineView[] = []
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(hand: (lines: readonly LogLineView[]) => void) {
    this.#hand = hand
  }

  add(line: LogLineView): void {
    this.#lines.push(line)
    this.#timer ??= setTimeout(() => this.flush(), FLUSH_MS)
  }

  flush(): void {
    this.stop()
    const lines = this.#lines
    this.#lines = []
    if (lines.length > 0) this.#hand(lines)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

import type { Env } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { RequestError } from '../request/request-error.ts'
import { ALWAYS_HEADERS } from './problem.ts'

/** One event of a stream, as `text/event-stream` has it. JSON has no line breaks of its own. */
export function eventText({ id, event, data }: { id?: number; event?: string; data?: unknown }): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(data === undefined ? [] : [`data: ${JSON.stringify(data)}`]),
  ]
  return `${lines.join('\n')}\n\n`
}

/** How long a client waits before it comes back. */
export const RETRY_TEXT = 'retry: 2000\n\n'

/** Parts of a stream of events, as text. Ends when the signal is aborted. */
export type StreamSource = (signal: AbortSignal) => AsyncIterable<string>

export interface StreamOptions {
  readonly request: Request
  readonly tenant: string
  /** Whether whoever asked may still have it. */
  readonly isStillAllowed: () => Promise<boolean>
  readonly source: StreamSource
}

export interface StreamsOptions {
  readonly env: Env
  readonly logger: Logger
  readonly perTenant: number
}

/** Keeps proxies and clients from taking silence for an end. */
const HEARTBEAT_MS = 15_000
/** A key that was revoked is noticed this soon. */
const RECHECK_MS = 5_000
/** A client comes back with the last id it saw, so that an end costs it nothing; one that stopped reading is let go of. */
const LONGEST_MS = 15 * 60_000

const HEARTBEAT = ': still here\n\n'
const encoder = new TextEncoder()

/** Streams of events that are open, counted by tenant. */
export class Streams {
  readonly #options: StreamsOptions
  readonly #open = new Map<string, Set<OpenStream>>()
  #isClosed = false

  constructor(options: StreamsOptions) {
    this.#options = options
  }

  /** Answers with a stream of events; a tenant that has as many as it may is refused. */
  async open({ request, tenant, isStillAllowed, source }: StreamOptions): Promise<Response> {
    const streams = this.#open.get(tenant) ?? new Set()
    if (streams.size >= this.#options.perTenant) {
      throw new RequestError(
        429,
        'too_many_streams',
        `A tenant may have ${this.#options.perTenant} streams open at once.`,
        { headers: { 'retry-after': '30' }, details: { limit: this.#options.perTenant } },
      )
    }
    const headers = { ...ALWAYS_HEADERS, 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
    if (request.method === 'HEAD') return new Response(null, { headers })
    this.#open.set(tenant, streams)
    const stream = new OpenStream(this.#options, isStillAllowed, source, () => {
      streams.delete(stream)
      if (streams.size === 0 && this.#open.get(tenant) === streams) this.#open.delete(tenant)
    })
    streams.add(stream)
    // One that was asked for before the server closed, and would keep it from closing.
    if (this.#isClosed) stream.end()
    return new Response(stream.body, { headers })
  }

  close(): void {
    this.#isClosed = true
    for (const streams of this.#open.values()) for (const stream of streams) stream.end()
  }
}

/** One stream: nothing is read from its source before the client has taken what came before. */
class OpenStream {
  readonly body: ReadableStream<Uint8Array>
  readonly #env: Env
  readonly #logger: Logger
  readonly #abort = new AbortController()
  readonly #parts: AsyncIterator<string>
  readonly #onEnd: () => void
  readonly #timers: readonly (() => void)[]
  #controller: ReadableStreamDefaultController<Uint8Array> | null = null
  #next: Promise<IteratorResult<string>> | null = null

  constructor(
    { env, logger }: StreamsOptions,
    isStillAllowed: () => Promise<boolean>,
    source: StreamSource,
    onEnd: () => void,
  ) {
    this.#env = env
    this.#logger = logger
    this.#onEnd = onEnd
    this.#parts = source(this.#abort.signal)[Symbol.asyncIterator]()
    this.#timers = [
      env.after(LONGEST_MS, () => this.end()),
      env.every(RECHECK_MS, () => void this.#check(isStillAllowed)),
    ]
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller
        },
        pull: () => this.#pull(),
        cancel: () => this.end(),
      },
      { highWaterMark: 0 },
    )
  }

  end(): void {
    if (this.#abort.signal.aborted) return
    this.#abort.abort()
    for (const cancel of this.#timers) cancel()
    this.#onEnd()
    // A source that waits for something else than the signal is not waited for.
    void this.#parts.return?.().catch(() => {})
    try {
      this.#controller?.close()
    } catch {
      // The client has gone already.
    }
  }

  async #pull(): Promise<void> {
    try {
      this.#next ??= this.#parts.next()
      const part = await this.#orHeartbeat(this.#next)
      if (this.#abort.signal.aborted) return
      if (part === null) return this.#send(HEARTBEAT)
      this.#next = null
      if (part.done === true) this.end()
      else this.#send(part.value)
    } catch (error) {
      this.#logger.warn('A stream has ended early', { error })
      this.end()
    }
  }

  /** What comes, or null where nothing does for a while. */
  #orHeartbeat(next: Promise<IteratorResult<string>>): Promise<IteratorResult<string> | null> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        cancel()
        this.#abort.signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        settle()
        resolve(null)
      }
      const cancel = this.#env.after(HEARTBEAT_MS, giveUp)
      this.#abort.signal.addEventListener('abort', giveUp)
      next.finally(settle).then(resolve, reject)
    })
  }

  #send(text: string): void {
    this.#controller?.enqueue(encoder.encode(text))
  }

  async #check(isStillAllowed: () => Promise<boolean>): Promise<void> {
    if (!(await isStillAllowed())) this.end()
  }
}

import type { Env } from '../../clock.ts'
import { pause } from '../signals.ts'
import {
  AnsweredError,
  cutOff,
  isPassing,
  noService,
  refusalOf,
  type ServerEvent,
  UnreachableError,
} from './connection.ts'

/** What a stream of events holds: events, and what the server says about coming back. */
export type StreamPart =
  | { readonly kind: 'event'; readonly event: ServerEvent }
  | { readonly kind: 'retry'; readonly retryMs: number }
  /** Where to go on from, without an event. */
  | { readonly kind: 'place'; readonly id: string }
  /** Nothing but a sign of life. */
  | { readonly kind: 'alive' }

const LONGEST_BLOCK = 4_000_000

/** Reads `text/event-stream`, as the HTML standard has it; data is JSON. */
export async function* readEvents(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamPart> {
  const decoder = new TextDecoder()
  let rest = ''
  let id: string | null = null
  for await (const bytes of body) {
    rest = (rest + decoder.decode(bytes, { stream: true })).replaceAll('\r\n', '\n')
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    if (rest.length > LONGEST_BLOCK) throw new Error('an event has no end')
    for (const block of blocks) {
      for (const part of partsOf(block, id)) {
        if (part.kind === 'place') id = part.id
        yield part
      }
    }
  }
}

function partsOf(block: string, lastId: string | null): StreamPart[] {
  const fields = block.split('\n').map(fieldOf)
  const lastOf = (name: string) => fields.findLast((field) => field.name === name)?.value
  const data = fields.filter(({ name }) => name === 'data').map(({ value }) => value)
  const [id, retry] = [lastOf('id'), Number(lastOf('retry') ?? Number.NaN)]
  const parts: StreamPart[] = []
  if (Number.isInteger(retry) && retry >= 0) parts.push({ kind: 'retry', retryMs: retry })
  if (id !== undefined) parts.push({ kind: 'place', id })
  if (data.length > 0) {
    const event = lastOf('event') ?? 'message'
    parts.push({ kind: 'event', event: { event, id: id ?? lastId, data: JSON.parse(data.join('\n')) as unknown } })
  }
  return parts.length > 0 ? parts : [{ kind: 'alive' }]
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':')
  if (colon < 0) return { name: line, value: '' }
  const value = line.slice(colon + 1)
  return { name: line.slice(0, colon), value: value.startsWith(' ') ? value.slice(1) : value }
}

export interface FollowOptions {
  readonly env: Env
  readonly place: string
  /** Asks for the stream, behind an event. */
  readonly open: (lastId: string | null, signal: AbortSignal) => Promise<Response>
  readonly signal: AbortSignal
  /** Told when the stream is cut off, once until it is taken up again. */
  readonly onCut?: ((reason: string) => void) | undefined
}

/** Where the server does not say. */
const RETRY_MS = 2_000

/** Whatever the server says: nobody is asked without a pause. */
const SHORTEST_RETRY_MS = 100
const LONGEST_RETRY_MS = 15_000

/** A server gives a sign of life every 15 seconds. */
const SILENCE_MS = 45_000

/** Long enough for a service to be installed anew. */
export const GIVE_UP_MS = 10 * 60_000

/** The server's word for an end that is none of the connection. */
const END = 'end'

/**
 * The events of a stream from where it begins to its end, however often the connection is lost in between. Throws where the first attempt fails, where the service
 * refuses, and where nobody answers for ten minutes.
 */
export async function* followEvents(options: FollowOptions): AsyncGenerator<ServerEvent> {
  const { env, signal, onCut } = options
  let lastId: string | null = null
  let retryMs = RETRY_MS
  let [lastAnsweredAt, failures, isFirst] = [env.monotonic(), 0, true]
  while (!signal.aborted) {
    try {
      for await (const part of once(options, lastId)) {
        ;[lastAnsweredAt, failures, isFirst] = [env.monotonic(), 0, false]
        if (part.kind === 'retry') retryMs = Math.max(SHORTEST_RETRY_MS, part.retryMs)
        if (part.kind === 'place') lastId = part.id
        if (part.kind !== 'event') continue
        if (part.event.event === END) return
        yield part.event
      }
      // A server ends what has lasted for long, so that this alone is no news.
      isFirst = false
    } catch (error) {
      if (signal.aborted) return
      if (isFirst || isRefusal(error) || env.monotonic() - lastAnsweredAt > GIVE_UP_MS) throw error
      if (failures === 0) onCut?.(reasonOf(error))
      failures += 1
    }
    await pause(env, Math.min(retryMs * Math.max(1, failures), LONGEST_RETRY_MS), signal)
  }
}

/** In a word or two. */
function reasonOf(error: unknown): string {
  const reason = error instanceof UnreachableError ? error.details['reason'] : undefined
  if (typeof reason === 'string') return reason
  return error instanceof Error ? error.message : String(error)
}

/** Nothing changes by asking again. */
function isRefusal(error: unknown): boolean {
  return error instanceof AnsweredError && !isPassing(error)
}

/** One connection, until it is cut off. One that is silent for too long is cut off by us: it may be gone without a word. */
async function* once(options: FollowOptions, lastId: string | null) {
  const { env, place, open, signal } = options
  const silence = new AbortController()
  const either = AbortSignal.any([signal, silence.signal])
  let cancel = env.after(SILENCE_MS, () => silence.abort())
  try {
    const response = await open(lastId, either)
    if (!response.ok) throw await refusalOf(response, place)
    if (!response.body) return
    if (!isEventStream(response)) throw noService(response.status, place)
    for await (const part of readEvents(abortable(response.body, either))) {
      cancel()
      cancel = env.after(SILENCE_MS, () => silence.abort())
      yield part
    }
  } catch (error) {
    if (silence.signal.aborted) throw new UnreachableError('client.silent', `${place} has fallen silent.`, { place })
    throw signal.aborted ? error : cutOff(error, place)
  } finally {
    cancel()
  }
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false
}

/** A body that ends once the signal is aborted, also one that is not made by `fetch`. */
async function* abortable(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      signal.throwIfAborted()
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}

import { apiAddress } from '../api/places.ts'
import type { CountersView, TenantEvent } from '../api/wire.ts'
import { forgetSession } from '../session/session.ts'
import { eventReader, type StreamEvent } from './event-reader.ts'

/** What comes from the stream, or is said about it. */
export type FromStream =
  | { readonly kind: 'event'; readonly event: TenantEvent }
  | { readonly kind: 'counters'; readonly counters: CountersView }
  | { readonly kind: 'state'; readonly state: 'live' | 'reconnecting' }

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** The server says every 15 seconds that it is still there; whoever hears nothing for longer has lost it, as a phone that has changed networks. */
const SILENCE_MS = 40_000
/** A server ends streams that are old enough; one that ends them at once is not asked again at once. */
const LONG_ENOUGH_MS = 10_000

/** Keeps a stream of events open until the signal is aborted, and goes on after a cut from the last event that was seen. */
export async function keepStream(
  signal: AbortSignal,
  after: number | null,
  tell: (told: FromStream) => void,
): Promise<void> {
  const place: Place = { seen: after === null ? null : String(after) }
  let waitMs = FIRST_WAIT_MS
  while (!signal.aborted) {
    const openedAt = performance.now()
    const end = await readStream(signal, place, tell)
    if (signal.aborted) return
    if (end === 'ended' && performance.now() - openedAt > LONG_ENOUGH_MS) continue
    tell({ kind: 'state', state: 'reconnecting' })
    if (end === 'refused') waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    else waitMs = FIRST_WAIT_MS
    await pause(waitMs, signal)
  }
}

interface Place {
  seen: string | null
}

/** `ended`: by the server, in order. `cut`: by whatever lies between. `refused`: it never began. */
type End = 'ended' | 'cut' | 'refused'

async function readStream(signal: AbortSignal, place: Place, tell: (told: FromStream) => void): Promise<End> {
  const watch = watchSilence()
  let end: End = 'refused'
  try {
    const answer = await fetch(apiAddress('jobs/events'), {
      credentials: 'same-origin',
      cache: 'no-store',
      headers: { accept: 'text/event-stream', ...(place.seen === null ? {} : { 'last-event-id': place.seen }) },
      signal: AbortSignal.any([signal, watch.signal]),
    })
    if (answer.status === 401) forgetSession()
    if (!answer.ok || !answer.body) return end
    end = 'cut'
    tell({ kind: 'state', state: 'live' })
    const take = eventReader((event) => {
      place.seen = event.id ?? place.seen
      tellOf(event, tell)
    })
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return 'ended'
      watch.heard()
      take(value)
    }
  } catch {
    return end
  } finally {
    watch.stop()
  }
}

function tellOf({ type, data }: StreamEvent, tell: (told: FromStream) => void): void {
  if (data === null) return
  if (type === 'counters') tell({ kind: 'counters', counters: JSON.parse(data) as CountersView })
  else if (type === 'message') tell({ kind: 'event', event: JSON.parse(data) as TenantEvent })
}

/** Gives up on a stream that nothing is heard of, or without a network; a page that was asleep looks as soon as it is seen again. */
function watchSilence() {
  const silence = new AbortController()
  let heardAt = performance.now()
  const look = () => {
    if (performance.now() - heardAt > SILENCE_MS) silence.abort()
  }
  const timer = setInterval(look, SILENCE_MS / 4)
  const cut = () => silence.abort()
  document.addEventListener('visibilitychange', look)
  addEventListener('offline', cut)
  return {
    signal: silence.signal,
    heard: () => {
      heardAt = performance.now()
    },
    stop: () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
      removeEventListener('offline', cut)
    },
  }
}

/** Waits; not any longer once the browser has a network again, or somebody looks. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const go = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(go, ms)
    signal.addEventListener('abort', go, { signal: over.signal })
    addEventListener('online', go, { signal: over.signal })
    document.addEventListener('visibilitychange', () => document.hidden || go(), { signal: over.signal })
  })
}

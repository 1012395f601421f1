import { signal } from '@preact/signals'
import type { CountersView } from '../api/wire.ts'
import { session, whoIs } from '../session/session.ts'
import { lookWhoIsThere } from '../session/sign.ts'
import { standForLeader } from './leadership.ts'
import { makeRefresher } from './refresh.ts'
import { type FromStream, keepStream } from './stream.ts'

export type LiveState = 'connecting' | 'live' | 'reconnecting'

export const liveState = signal<LiveState>('connecting')
/** What runs and waits right now; null while nobody says so. */
export const counters = signal<CountersView | null>(null)

/** `state?`: a tab asks how things are. `here`: the leader is. `left`: somebody has signed out, or in as somebody else. */
type Told = FromStream | { readonly kind: 'state?' } | { readonly kind: 'here' } | { readonly kind: 'left' }

interface Message {
  /** Whose session the tab has that says so: nobody is told what happens to others. */
  readonly who: string
  readonly told: Told
}

/** While there is no stream, what is on the page is asked for this often. */
const POLL_MS = 15_000
const HERE_MS = 20_000
/** Browsers slow down what nobody sees to once a minute. */
const SILENT_MS = 90_000

/** Follows what happens, with one stream for all tabs of the browser: the leader has it and tells the others. Returns how to stop. */
export function followLive(): () => void {
  const who = whoIs(session.peek())
  const channel = new BroadcastChannel('pontual.live')
  const stop = new AbortController()
  const refresher = makeRefresher()
  let isLeader = false
  let heardAt = performance.now()
  /** The last event that was told, by whichever tab: whoever leads next goes on from there. */
  let seen: number | null = null
  const say = (told: Told) => channel.postMessage({ who, told } satisfies Message)

  const take = (told: FromStream) => {
    if (told.kind === 'event') seen = told.event.sequence
    hear(told, refresher.ask)
  }
  const lead = async (term: AbortSignal) => {
    isLeader = true
    // Whoever led before had the stream: it is not live again before this tab has it.
    if (liveState.value === 'live') take({ kind: 'state', state: 'reconnecting' })
    const beat = setInterval(() => say({ kind: 'here' }), HERE_MS)
    await keepStream(term, seen, (told) => {
      take(told)
      say(told)
    })
    clearInterval(beat)
    isLeader = false
  }
  channel.onmessage = ({ data: { who: whose, told } }: MessageEvent<Message>) => {
    if (whose !== who || told.kind === 'left') return void lookWhoIsThere()
    heardAt = performance.now()
    if (told.kind === 'state?') return isLeader ? sayAll(say) : undefined
    if (told.kind !== 'here') take(told)
  }
  say({ kind: 'state?' })

  const takeOver = standForLeader({ signal: stop.signal, lead })
  const look = () => {
    if (document.hidden) return
    if (!isLeader && performance.now() - heardAt > SILENT_MS) takeOver()
    if (liveState.value !== 'live') refresher.ask()
  }
  const timer = setInterval(look, POLL_MS)
  document.addEventListener('visibilitychange', look, { signal: stop.signal })
  return () => {
    stop.abort()
    clearInterval(timer)
    refresher.stop()
    say({ kind: 'left' })
    channel.close()
    forget()
  }
}

function hear(told: FromStream, refresh: () => void): void {
  switch (told.kind) {
    case 'state':
      // What was missed while the stream was away is caught up with by asking.
      if (told.state === 'live' && liveState.value === 'reconnecting') refresh()
      if (told.state === 'reconnecting') counters.value = null
      liveState.value = told.state
      return
    case 'counters':
      // The first ones say how things are, not that something has changed.
      if (counters.value !== null && JSON.stringify(counters.value) !== JSON.stringify(told.counters)) refresh()
      counters.value = told.counters
      return
    case 'event':
      refresh()
  }
}

function sayAll(say: (told: FromStream) => void): void {
  if (liveState.value !== 'connecting') say({ kind: 'state', state: liveState.value })
  if (counters.value) say({ kind: 'counters', counters: counters.value })
}

function forget(): void {
  liveState.value = 'connecting'
  counters.value = null
}

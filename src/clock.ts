import { monitorEventLoopDelay } from 'node:perf_hooks'
import { uuidFrom } from './uuid.ts'

/** The only place that knows what time it is; everything else is handed a clock. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
}

/** Calls a timer off; to call it twice, or after it went off, does nothing. */
export type CancelTimer = () => void

/** Time and chance as the engine knows them. A test hands in its own and decides both. */
export interface Env extends Clock {
  /** Milliseconds that only grow, with fractions; for measuring, not for dating. */
  monotonic(): number
  /** Calls once, when so many milliseconds have passed. */
  after(delayMs: number, call: () => void): CancelTimer
  /**
   * Calls again and again. What it calls stands behind something else, such as a poll behind a notification: a clock that is moved by hand
   * may call it once for a long stretch of time.
   */
  every(intervalMs: number, call: () => void): CancelTimer
  /** Calls once everything has gone first that the event loop has at hand. */
  nextTurn(call: () => void): void
  /** From 0 up to, but not including, 1. */
  random(): number
  /** A new UUID, version 7, of the given instant. Those that one process makes grow. */
  uuid(at: number): string
}

export const systemClock: Clock = {
  now: () => Date.now(),
}

/** setTimeout takes anything longer for one millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

function after(delayMs: number, call: () => void): CancelTimer {
  const rest = delayMs - LONGEST_TIMER_MS
  if (rest <= 0) {
    const timer = setTimeout(call, delayMs)
    return () => clearTimeout(timer)
  }
  let cancel: CancelTimer = () => clearTimeout(timer)
  const timer = setTimeout(() => {
    cancel = after(rest, call)
  }, LONGEST_TIMER_MS)
  return () => cancel()
}

function every(intervalMs: number, call: () => void): CancelTimer {
  const timer = setInterval(call, intervalMs)
  return () => clearInterval(timer)
}

/** The machine's own time and chance. */
export const systemEnv: Env = {
  now: () => systemClock.now(),
  monotonic: () => performance.now(),
  after,
  every,
  nextTurn,
  random: () => Math.random(),
  uuid: uuidFrom(secureWord()),
}

/** Random 32-bit words, drawn from the system a few thousand at a time. */
function secureWord(): () => number {
  const pool = new Uint32Array(4_096)
  let used = pool.length
  return () => {
    if (used === pool.length) {
      crypto.getRandomValues(pool)
      used = 0
    }
    return pool[used++] ?? 0
  }
}

/** 256 bits that nobody can guess, as text that fits a header, a cookie and a URL. Not of an Env: what a test can foretell is no secret. */
export function newSecret(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

/** Lets everything go first that the event loop has at hand. */
export function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Calls once everything has gone first that the event loop has at hand. */
export function nextTurn(call: () => void): void {
  setImmediate(call)
}

/** How late timers go off in this process. */
export interface LagMeter {
  /** In seconds, by share of the looks since it was last read. */
  read<Share extends number>(shares: readonly Share[]): readonly (readonly [Share, number])[]
  stop(): void
}

/** How often it is looked. */
const LAG_LOOK_MS = 20
const NS_PER_SECOND = 1e9

/** Keeps no process alive. */
export function measureLag(): LagMeter {
  const delays = monitorEventLoopDelay({ resolution: LAG_LOOK_MS })
  delays.enable()
  // What is measured is the time from one look to the next.
  const lagAt = (share: number) => delays.percentile(share * 100) / NS_PER_SECOND - LAG_LOOK_MS / 1_000
  return {
    read: (shares) => {
      const lags = shares.map((share) => [share, Math.max(0, lagAt(share))] as const)
      delays.reset()
      return lags
    },
    stop: () => void delays.disable(),
  }
}

import type { Gate } from './gate.ts'

/** How soon it is tried again, at first and at most. */
const FIRST_LOOK_MS = 2
const LONGEST_LOOK_MS = 250

interface Waiting {
  readonly gate: Gate
  readonly host: { now(): number }
}

/** Tries something at an instant, and again for as long as the store finds it too early: clocks differ. Returns how to call it off. */
export function atInstant({ gate, host }: Waiting, dueAt: number, attempt: (onEarly: () => void) => void): () => void {
  let delayMs = FIRST_LOOK_MS
  const tryIt = () =>
    attempt(() => {
      stop = gate.wait(host.now() + delayMs, tryIt)
      delayMs = Math.min(2 * delayMs, LONGEST_LOOK_MS)
    })
  let stop = gate.wait(dueAt, tryIt)
  return () => stop()
}

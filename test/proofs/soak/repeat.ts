import { setTimeout as sleep } from 'node:timers/promises'

/** Does something again and again, at equal distances, until it is told to stop; where it takes longer the next one follows at once. Rejects with what it throws. */
export async function repeat(everyMs: number, signal: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  for (let nextAt = performance.now(); !signal.aborted; ) {
    await work()
    nextAt = Math.max(nextAt + everyMs, performance.now())
    await pause(nextAt - performance.now(), signal)
  }
}

/** Waits, or less where it is told to stop. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal }).catch(() => {})
}

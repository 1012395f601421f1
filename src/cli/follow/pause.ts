import type { Env } from '../../clock.ts'

/** Waits, or until the signal is aborted. */
export function pause(env: Env, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = () => {
      cancel()
      signal.removeEventListener('abort', end)
      resolve()
    }
    const cancel = env.after(delayMs, end)
    signal.addEventListener('abort', end)
  })
}

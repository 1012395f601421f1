import type { Env } from '../../clock.ts'

/** How the demo takes its time: a step that stands for a call of another system lasts as long as one might. */
export interface Pace {
  readonly env: Env
  /** How long one step takes; 0 in tests. */
  readonly stepMs: number
}

/** Takes the time of one step. Rejects at once where the run is to end. */
export async function takeStep({ env, stepMs }: Pace, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (stepMs === 0) return
  await new Promise<void>((resolve) => {
    const wake = () => {
      cancel()
      signal.removeEventListener('abort', wake)
      resolve()
    }
    const cancel = env.after(stepMs, wake)
    signal.addEventListener('abort', wake, { once: true })
  })
  signal.throwIfAborted()
}

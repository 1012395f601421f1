import type { Env } from '../clock.ts'

export interface Backoff {
  readonly firstMs: number
  readonly longestMs: number
}

/** Doubles with every failure, up to the longest. */
export function backoffMs({ firstMs, longestMs }: Backoff, failures: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures, 20), longestMs)
}

/** The only loop that repeats a request: as long as `mayRepeat` says so, after growing pauses that differ between processes. */
export async function repeating<Result>(
  env: Pick<Env, 'random' | 'after'>,
  backoff: Backoff,
  send: () => Promise<Result>,
  mayRepeat: (error: unknown, failures: number) => boolean,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => env.after(ms, resolve)),
): Promise<Result> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await send()
    } catch (error) {
      if (!mayRepeat(error, failures + 1)) throw error
      await pause(backoffMs(backoff, failures) * (0.5 + env.random() / 2))
    }
  }
}

import type { Ledger } from './ledger.ts'
import type { Machine } from './machine.ts'
import type { StoreClock } from './store-clock.ts'
import type { VirtualTime } from './virtual-time.ts'

/** What a plain execution is to do. */
export interface Task {
  readonly runMs: number
  /** It fails in its first so many attempts. */
  readonly failures: number
  /** From this attempt on it takes its process along; 0: never. */
  readonly killsAt: number
  /** Whether it kills its process in every attempt from then on, and not in that one alone. */
  readonly isPoison?: boolean | undefined
  /** Whether it hears that it is to end. */
  readonly isDeaf: boolean
}

export interface Surroundings {
  readonly machine: Machine
  readonly time: VirtualTime
  readonly clock: StoreClock
  readonly ledger: Ledger
}

type Note = (
  kind: 'begun' | 'ended' | 'performed' | 'sleeps' | 'slept' | 'heard',
  more?: { readonly step?: string; readonly value?: unknown },
) => void

export function noteFor(
  { machine, time, ledger }: Surroundings,
  { executionId, attempt }: { readonly executionId: string; readonly attempt: number },
): Note {
  return (kind, more = {}) => {
    // What a process does after its death nobody sees.
    if (!machine.isDead) ledger.note({ at: time.now, machine: machine.name, executionId, attempt, kind, ...more })
  }
}

/** Takes its time on the process's own clock, and ends early where it is told to. */
export function work({ machine }: Surroundings, signal: AbortSignal | null, forMs: number): Promise<void> {
  const env = machine.env()
  return new Promise((resolve, reject) => {
    const cancel = env.after(forMs, resolve)
    const abort = () => {
      cancel()
      reject(signal?.reason instanceof Error ? signal.reason : new Error('aborted'))
    }
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
}

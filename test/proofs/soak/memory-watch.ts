import type { Figure } from '../record/record.ts'
import type { Verdict } from './part.ts'
import type { ProcessState } from './process-messages.ts'
import { median, type Slope, slopeOf } from './slope.ts'

interface MemorySample extends Pick<ProcessState, 'retainedBytes' | 'rssBytes' | 'ended'> {
  readonly hour: number
}

const MIB = 2 ** 20

/** What is asked for. */
const MOST_MIB_PER_HOUR = 1

/** What code that is compiled late and caches that are not quite full may add, whatever the length of the run: no leak, which goes on. */
const SETTLING_MIB = 2.5

/** Fewer than this, of each process, say nothing: what is kept of them would be less than what a process takes while it warms up. */
const LEAST_EXECUTIONS = 15_000

/** The first part of the time is for warming up. */
const WARM_UP = 1 / 3

/** What processes hold once their garbage is collected, as time goes by. */
export class MemoryWatch {
  readonly #samples = new Map<string, MemorySample[]>()

  add(name: string, hour: number, { retainedBytes, rssBytes, ended }: ProcessState): void {
    const samples = this.#samples.get(name) ?? []
    samples.push({ hour, retainedBytes, rssBytes, ended })
    this.#samples.set(name, samples)
  }

  get hasEnoughSeen(): boolean {
    return [...this.#samples.values()].every((samples) => (samples.at(-1)?.ended ?? 0) >= LEAST_EXECUTIONS)
  }

  /** What each held in the course of time, a tenth of it after the other, in MiB. */
  courses(): string[] {
    return [...this.#samples].map(([name, samples]) => {
      const tenth = Math.max(1, samples.length / 10)
      const parts = Array.from({ length: 10 }, (_, n) =>
        samples.slice(Math.floor(n * tenth), Math.ceil((n + 1) * tenth)),
      )
      return `${name} retains ${parts.map((part) => levelOf(part, 'retainedBytes')).join(', ')} MiB`
    })
  }

  verdict(): Verdict {
    const figures: Figure[] = []
    const faults: string[] = []
    const gaps: string[] = []
    for (const [name, all] of this.#samples) {
      const samples = all.slice(Math.floor(all.length * WARM_UP))
      const retained = slopeIn(samples, 'retainedBytes')
      const rss = slopeIn(samples, 'rssBytes')
      const perExecution = bytesPerExecution(samples, retained)
      const of = { section: 'load', invariants: ['I29'] } as const
      figures.push(
        { ...of, what: `heap that ${name} retains`, value: levelOf(samples, 'retainedBytes'), unit: 'MiB' },
        {
          ...of,
          what: `growth of the heap that ${name} retains (95 %: ${boundsText(retained)})`,
          value: round(retained.perHour),
          unit: 'MiB/h',
          atMost: MOST_MIB_PER_HOUR,
        },
        {
          ...of,
          what: `growth of the resident memory of ${name} (95 %: ${boundsText(rss)})`,
          value: round(rss.perHour),
          unit: 'MiB/h',
        },
        {
          ...of,
          what: `bytes that ${name} may keep of each execution`,
          value: round(perExecution.high),
          unit: 'bytes',
        },
      )
      const told = `The heap of ${name} grows by ${boundsText(retained)} MiB an hour`
      const minutes = round(hoursOf(samples) * 60)
      if (retained.low > Math.max(MOST_MIB_PER_HOUR, SETTLING_MIB / hoursOf(samples))) {
        faults.push(`${told}, ${round(perExecution.low)} bytes or more of each execution.`)
      } else if (retained.high > MOST_MIB_PER_HOUR) {
        gaps.push(
          `${told} by what ${minutes} minutes allow to say, where at most ${MOST_MIB_PER_HOUR} was to be shown.`,
        )
      }
      // What the allocator keeps for later, and gives back when it likes, is in it: no fault.
      if (rss.high > MOST_MIB_PER_HOUR) {
        gaps.push(
          `The resident memory of ${name} grows by ${boundsText(rss)} MiB an hour by what ${minutes} minutes allow to say.`,
        )
      }
    }
    if (!this.hasEnoughSeen)
      gaps.push(
        `Fewer than ${LEAST_EXECUTIONS} executions ended in a process: a leak of 100 bytes of each would not be seen.`,
      )
    return { figures, faults, gaps }
  }
}

function slopeIn(samples: readonly MemorySample[], field: 'retainedBytes' | 'rssBytes'): Slope {
  return slopeOf(samples.map((sample) => ({ hour: sample.hour, value: sample[field] / MIB })))
}

function hoursOf(samples: readonly MemorySample[]): number {
  return (samples.at(-1)?.hour ?? 0) - (samples[0]?.hour ?? 0)
}

function bytesPerExecution(samples: readonly MemorySample[], { low, high }: Slope): { low: number; high: number } {
  const ended = (samples.at(-1)?.ended ?? 0) - (samples[0]?.ended ?? 0)
  const each = (mibPerHour: number) => (mibPerHour * MIB * hoursOf(samples)) / Math.max(1, ended)
  return { low: each(low), high: each(high) }
}

function levelOf(samples: readonly MemorySample[], field: 'retainedBytes' | 'rssBytes'): number {
  return round(median(samples.map((sample) => sample[field])) / MIB)
}

function boundsText({ low, high }: Slope): string {
  return `${round(low)} to ${round(high)}`
}

function round(value: number): number {
  return Number(value.toFixed(2))
}

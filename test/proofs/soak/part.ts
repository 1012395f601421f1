import type { Figure } from '../record/record.ts'

/** What a part of the soak is given. */
export interface Surroundings {
  /** Of a database of its own, as the superuser of a server that has `fsync` on. */
  readonly url: string
  /** How long the whole soak is to last, in minutes: parts take their share of it, and scale down with it. */
  readonly minutes: number
  /** What is made wrong on purpose, so that the part has to fail. */
  readonly control: Control | null
  /** Says how far it is. */
  readonly say: (line: string) => void
}

/** `leak`: handlers keep 100 bytes of each execution for ever. `table`: nobody removes what is old. */
export const CONTROLS = ['leak', 'table'] as const
export type Control = (typeof CONTROLS)[number]

/** What a part has shown. */
export interface Verdict {
  readonly figures: readonly Figure[]
  /** What grew, stopped or came too late: a sentence each. */
  readonly faults: readonly string[]
  /** What the length of the run did not allow to say: a sentence each. */
  readonly gaps: readonly string[]
}

export interface Part {
  readonly name: string
  run(surroundings: Surroundings): Promise<Verdict>
}

/** A fault for each figure that is more than it may be, a gap for each that is less than was asked for. */
export function judge(figures: readonly Figure[]): Verdict {
  const faults = figures.flatMap(({ what, value, unit = '', atMost }) =>
    atMost !== undefined && !(value <= atMost) ? [`${what}: ${value} ${unit}, at most ${atMost} may be.`] : [],
  )
  const gaps = figures.flatMap(({ what, value, unit = '', atLeast }) =>
    atLeast !== undefined && !(value >= atLeast)
      ? [`${what}: ${value} ${unit} of ${atLeast} that were asked for.`]
      : [],
  )
  return { figures, faults, gaps }
}

export function together(verdicts: readonly Verdict[]): Verdict {
  return {
    figures: verdicts.flatMap(({ figures }) => figures),
    faults: verdicts.flatMap(({ faults }) => faults),
    gaps: verdicts.flatMap(({ gaps }) => gaps),
  }
}

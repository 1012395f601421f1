/** Two versions of the code may run side by side. */
export type Version = 'old' | 'new'

export const VERSIONS: readonly Version[] = ['old', 'new']

/** How the new version of a durable job differs: `same` where it does not. */
export const CODE_CHANGES = ['same', 'added', 'removed', 'renamed', 'swapped'] as const

export type CodeChange = (typeof CODE_CHANGES)[number]

/** A job type that the new version no longer has, and one that the old one does not have yet. */
const ONLY_IN: Readonly<Record<string, Version>> = { relic: 'old', novelty: 'new' }

/** Whether a version of the code has a job type. */
export function isKnownTo(version: Version, jobType: string): boolean {
  return (ONLY_IN[jobType] ?? version) === version
}

export const TYPES_OF_ONE_VERSION = Object.keys(ONLY_IN)

/** A call of a durable job, in the order in which its code makes them. */
export type Stage = 'extra' | 'first' | 'begin' | 'steps' | 'sleep' | 'signals' | 'child' | 'last'

const OLD: readonly Stage[] = ['first', 'steps', 'sleep', 'signals', 'child', 'last']

const NEW: Readonly<Record<CodeChange, readonly Stage[]>> = {
  same: OLD,
  added: ['extra', ...OLD],
  removed: OLD.filter((stage) => stage !== 'first'),
  renamed: ['begin', ...OLD.slice(1)],
  swapped: ['first', 'last', 'steps', 'sleep', 'signals', 'child'],
}

export function stagesOf(version: Version, change: CodeChange): readonly Stage[] {
  return version === 'old' ? OLD : NEW[change]
}

/** What a durable job is asked to do, as far as it decides which calls it makes. */
interface Asked {
  readonly steps: number
  readonly sleepMs: number
  readonly signals: number
  readonly hasChild: boolean
}

/** The names of the activities that a version of the code calls, in the places of its calls; null where a call is something else. */
export function activitiesOf(version: Version, change: CodeChange, asked: Asked): readonly (string | null)[] {
  const none = (count: number) => Array.from({ length: count }, () => null)
  return stagesOf(version, change).flatMap((stage): (string | null)[] => {
    if (stage === 'steps') return Array.from({ length: asked.steps }, (_, index) => `step ${index + 1}`)
    if (stage === 'sleep') return asked.sleepMs > 0 ? ['look at the clock', null] : []
    if (stage === 'signals') return none(asked.signals)
    if (stage === 'child') return asked.hasChild ? none(2) : []
    return [stage]
  })
}

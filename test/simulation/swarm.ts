import { Chance } from './chance.ts'
import { type FaultRates, QUESTION_FAULTS, type QuestionFault, WORLD_FAULTS, type WorldFault } from './faults.ts'

const POLICIES = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext', 'smart'] as const
const OVERLAPS = ['allow', 'queue', 'skip', 'replace'] as const
const ZONES = ['UTC', 'America/Sao_Paulo', 'America/New_York', 'Australia/Lord_Howe'] as const

/** What a seed is about: each draws its own, so that some have no faults at all, and some only one kind. */
export interface Configuration {
  readonly seed: number
  readonly startAt: number
  readonly nodes: number
  readonly slots: number
  readonly leaseMs: number
  readonly latencyMs: number
  readonly skewMs: number
  /** null: any number. */
  readonly cap: number | null
  readonly chaosMs: number
  readonly operations: number
  readonly schedules: readonly {
    readonly policy: (typeof POLICIES)[number]
    readonly overlap: (typeof OVERLAPS)[number]
    readonly everySeconds: number
    readonly timeZone: string
    readonly runMs: number
  }[]
  readonly isDurable: boolean
  readonly hasApprovals: boolean
  readonly rates: FaultRates
}

/** Instants around which clocks are set. */
const STARTS = [
  '2026-01-01T00:00:00Z',
  '2026-03-08T06:58:30Z', // a gap in New York
  '2026-11-01T05:58:30Z', // and an overlap
  '2026-04-04T14:58:30Z', // an overlap of half an hour in Lord Howe
  '2026-02-28T23:58:30Z',
]

export function drawConfiguration(seed: number): Configuration {
  const chance = new Chance(seed, 'configuration')
  const isUnder = (probability: number) => chance.isIn(probability)
  return {
    seed,
    startAt: Date.parse(chance.pick(STARTS)),
    nodes: chance.between(1, 5),
    slots: chance.between(1, 4),
    leaseMs: chance.pick([2_000, 5_000, 10_000, 30_000]),
    latencyMs: chance.pick([0, 5, 50, 300]),
    skewMs: isUnder(0.3) ? 3_600_000 : 0,
    cap: isUnder(0.6) ? chance.between(1, 4) : null,
    chaosMs: chance.between(20, 90) * 1_000,
    operations: chance.between(3, 40),
    schedules: Array.from({ length: chance.between(0, 3) }, () => ({
      policy: chance.pick(POLICIES),
      overlap: chance.pick(OVERLAPS),
      everySeconds: chance.pick([2, 5, 10, 20]),
      timeZone: chance.pick(ZONES),
      runMs: chance.pick([0, 100, 3_000, 15_000]),
    })),
    isDurable: isUnder(0.6),
    hasApprovals: isUnder(0.3),
    rates: drawRates(chance),
  }
}

function drawRates(chance: Chance): FaultRates {
  const style = chance.fraction()
  if (style < 0.1) return {}
  const all: readonly (QuestionFault | WorldFault)[] = [...QUESTION_FAULTS, ...WORLD_FAULTS]
  const isOnly = style < 0.3
  const chosen = isOnly ? [chance.pick(all)] : all.filter(() => chance.isIn(0.5))
  return Object.fromEntries(
    chosen.map((kind) => {
      const isWorlds = (WORLD_FAULTS as readonly string[]).includes(kind)
      return [kind, isWorlds ? chance.pick([0.02, 0.05, 0.1]) : chance.pick([0.002, 0.01, 0.03])]
    }),
  )
}

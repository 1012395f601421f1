import { Chance } from '../../harness/chance.ts'
import { type FaultRates, QUESTION_FAULTS, type QuestionFault, WORLD_FAULTS, type WorldFault } from './faults.ts'
import { CODE_CHANGES, type CodeChange } from './versions.ts'

const POLICIES = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext', 'smart'] as const
const OVERLAPS = ['allow', 'queue', 'skip', 'replace'] as const
const ZONES = ['UTC', 'America/Sao_Paulo', 'America/New_York', 'Australia/Lord_Howe'] as const

/** The shortest makes so many questions that few have it, and not for long. */
const LEASES_MS = [200, 1_000, 2_000, 2_000, 5_000, 5_000, 10_000, 10_000, 30_000, 60_000] as const

interface DrawnSchedule {
  readonly policy: (typeof POLICIES)[number]
  readonly overlap: (typeof OVERLAPS)[number]
  readonly everySeconds: number
  /** As a cron expression says it: all, or those around which a clock is set. */
  readonly hours: string
  readonly timeZone: string
  readonly runMs: number
  /** How many attempts fail. */
  readonly failures: number
}

/** What a seed is about: each draws its own, so that some have no faults at all, and some only one kind. */
export interface Configuration {
  readonly seed: number
  readonly startAt: number
  /** When clocks are set somewhere, soon after the start; null where none are. */
  readonly clockChange: ClockChange | null
  readonly nodes: number
  readonly slots: number
  readonly leaseMs: number
  readonly latencyMs: number
  readonly skewMs: number
  readonly driftPpm: number
  /** null: any number. */
  readonly cap: number | null
  readonly chaosMs: number
  readonly operations: number
  readonly schedules: readonly DrawnSchedule[]
  readonly isDurable: boolean
  readonly hasApprovals: boolean
  readonly hasChains: boolean
  readonly hasRates: boolean
  readonly hasNotices: boolean
  readonly hasTwoVersions: boolean
  /** How a durable job differs in the new version. */
  readonly codeChange: CodeChange
  readonly rates: FaultRates
}

interface ClockChange {
  readonly at: number
  readonly kind: 'gap' | 'fold'
}

/** Instants around which clocks are set. */
const STARTS: readonly { readonly at: string; readonly change?: { at: string; kind: 'gap' | 'fold' } }[] = [
  { at: '2026-01-01T00:00:00Z' },
  { at: '2026-03-08T06:59:30Z', change: { at: '2026-03-08T07:00:00Z', kind: 'gap' } }, // New York
  { at: '2026-11-01T05:59:30Z', change: { at: '2026-11-01T06:00:00Z', kind: 'fold' } },
  { at: '2026-04-04T14:59:30Z', change: { at: '2026-04-04T15:00:00Z', kind: 'fold' } }, // Lord Howe, by half an hour
  { at: '2026-02-28T23:58:30Z' },
]

export function drawConfiguration(seed: number): Configuration {
  const chance = new Chance(seed, 'configuration')
  const isUnder = (probability: number) => chance.isIn(probability)
  const start = chance.pick(STARTS)
  const leaseMs = chance.pick(LEASES_MS)
  const hasTwoVersions = isUnder(0.25)
  return {
    seed,
    startAt: Date.parse(start.at),
    clockChange: start.change ? { at: Date.parse(start.change.at), kind: start.change.kind } : null,
    nodes: chance.between(1, 7),
    slots: chance.between(1, 4),
    leaseMs,
    // Who needs longer to be heard than a lease lasts holds none for long.
    latencyMs: chance.pick([0, 5, 50, 300].filter((latencyMs) => latencyMs * 20 <= leaseMs)),
    skewMs: isUnder(0.3) ? 3_600_000 : 0,
    driftPpm: isUnder(0.3) ? 400 : 0,
    cap: isUnder(0.6) ? chance.between(1, 10) : null,
    chaosMs: leaseMs < 1_000 ? chance.between(10, 20) * 1_000 : chance.between(20, 90) * 1_000,
    operations: chance.between(3, 40),
    schedules: Array.from({ length: chance.between(0, 3) }, () => ({
      policy: chance.pick(POLICIES),
      overlap: chance.pick(OVERLAPS),
      everySeconds: chance.pick([2, 5, 10, 20]),
      hours: chance.pick(['*', '*', '0-2']),
      timeZone: chance.pick(ZONES),
      runMs: chance.pick([0, 100, 3_000, 15_000]),
      failures: chance.pick([0, 0, 0, 1, 5]),
    })),
    isDurable: hasTwoVersions || isUnder(0.6),
    hasApprovals: isUnder(0.3),
    hasChains: isUnder(0.3),
    hasRates: isUnder(0.2),
    hasNotices: isUnder(0.25),
    hasTwoVersions,
    codeChange: hasTwoVersions ? chance.pick(CODE_CHANGES) : 'same',
    rates: drawRates(chance, hasTwoVersions),
  }
}

function drawRates(chance: Chance, hasTwoVersions: boolean): FaultRates {
  const style = chance.fraction()
  if (style < 0.1) return {}
  const all: readonly (QuestionFault | WorldFault)[] = [...QUESTION_FAULTS, ...WORLD_FAULTS]
  const possible = all.filter((kind) => kind !== 'deploy' || hasTwoVersions)
  const isOnly = style < 0.3
  const chosen = isOnly ? [chance.pick(possible)] : possible.filter(() => chance.isIn(0.4))
  return Object.fromEntries(chosen.map((kind) => [kind, rateOf(kind, chance)]))
}

function rateOf(kind: QuestionFault | WorldFault, chance: Chance): number {
  if (kind.startsWith('clock')) return chance.pick([0.01, 0.03])
  if (kind === 'outage') return chance.pick([0.01, 0.03])
  const isWorlds = (WORLD_FAULTS as readonly string[]).includes(kind)
  return isWorlds ? chance.pick([0.02, 0.05, 0.1]) : chance.pick([0.002, 0.01, 0.02])
}

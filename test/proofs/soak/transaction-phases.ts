import type { Figure } from '../record/record.ts'
import { percentile } from '../torture/dead-rows.ts'
import { judge, type Verdict } from './part.ts'

/** What was seen for a while. */
export interface Phase {
  readonly name: string
  readonly seconds: number
  readonly started: number
  /** In ascending order. */
  readonly claimsMs: readonly number[]
  /** From enqueue to start. */
  readonly waitP99Ms: number
}

interface Phases {
  readonly before: Phase
  /** While transactions are open. */
  readonly during: Phase
  readonly after: Phase
  readonly openMs: number
  readonly dead: number
}

const OPEN_SECONDS = 600
const DEAD_ROWS = 1_000_000
const MOST_CLAIM_MS = 50

/** Less of what was started before, in percent, is no noise any more. */
const LEAST_SHARE = 80

/** A claim takes no longer because a transaction is open. Where it takes too long without one the machine has too much else to do for anything to be said. */
export function verdictOf({ before, during, after, openMs, dead }: Phases): Verdict {
  const of = { section: 'load', invariants: ['I29'] } as const
  const isTooBusy = claimP99(before) > MOST_CLAIM_MS
  const share = Math.round((100 * rateOf(during)) / rateOf(before))
  const openSeconds = Math.round(openMs / 1_000)
  const limit = isTooBusy ? {} : { atMost: MOST_CLAIM_MS }
  const figures: Figure[] = [
    {
      ...of,
      what: 'a snapshot and locks of other transactions are held for',
      value: openSeconds,
      unit: 's',
      atLeast: OPEN_SECONDS,
    },
    { ...of, what: 'dead rows that could not be cleared away meanwhile', value: dead, atLeast: DEAD_ROWS },
    { ...of, what: 'a claim while they are held, p99', value: claimP99(during), unit: 'ms', ...limit },
    {
      ...of,
      what: 'starts a second while they are held, of those before',
      value: share,
      unit: '%',
      atLeast: LEAST_SHARE,
    },
    ...[before, during, after].flatMap((phase) => [
      { ...of, what: `started a second, ${phase.name}`, value: Math.round(rateOf(phase)) },
      { ...of, what: `from enqueue to start, ${phase.name}, p99`, value: round(phase.waitP99Ms), unit: 'ms' },
    ]),
    ...[before, after].map((phase) => ({
      ...of,
      what: `a claim ${phase.name}, p99`,
      value: claimP99(phase),
      unit: 'ms',
    })),
  ]
  const { faults, gaps } = judge(figures)
  const stopped = `While a transaction was open ${share} % of what was started before was started.`
  const busy = `Claims took ${claimP99(before)} ms (p99) before any transaction was open: this machine was too busy to say more.`
  return {
    figures,
    faults: share < LEAST_SHARE ? [...faults, stopped] : faults,
    gaps: isTooBusy ? [...gaps, busy] : gaps,
  }
}

function rateOf({ started, seconds }: Phase): number {
  return started / seconds
}

function claimP99({ claimsMs }: Phase): number {
  return round(percentile(claimsMs, 99))
}

function round(ms: number): number {
  return Number(ms.toFixed(1))
}

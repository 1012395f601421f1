import { mkdirSync } from 'node:fs'
import { Chaos, type ChaosReport } from './cast/chaos.ts'
import { Ensemble, type EnsembleOptions } from './cast/ensemble.ts'
import { type Healed, heal } from './cast/healing.ts'
import { placeVersionBefore } from './cast/version-before.ts'
import {
  ACTIVITIES,
  BOOKINGS,
  JOB_TYPES,
  LEASE_MS,
  POLL_MS,
  RENEWAL_MS,
  SCHEDULES,
  STALE_CHECK_MS,
  TENANTS,
} from './cast/workload.ts'
import { dumpDatabase } from './check/dump-database.ts'
import type { Fault } from './faults/fault.ts'
import { wallMinusMachine } from './history/machine-time.ts'
import { writeWorld } from './history/world-file.ts'

export interface TortureOptions {
  readonly seed: number
  readonly seconds: number
  /** Executions in a second. */
  readonly rate: number
  readonly faults: readonly Fault[]
  /** Where everything is written down. */
  readonly folder: string
  /** How long all may take to end once nothing goes wrong any more. */
  readonly healWithinMs: number
  readonly interrupted: AbortSignal
  /** Of single programs, such as a planted bug for the nodes alone. */
  readonly surroundings?: EnsembleOptions['surroundings'] | undefined
  /** Whether it begins with the version before, and is brought up to date under load. */
  readonly beginsBefore?: boolean | undefined
}

/** What was seen while it went on. What it means for Pontual the checker says, from the folder. */
export interface Torture {
  readonly chaos: ChaosReport
  readonly healed: Healed
  /** What processes did that none may do. */
  readonly strange: readonly string[]
  readonly seconds: number
  /** How long the service was away while the database of the version before was brought up to date; null where it began with this one. */
  readonly upgradedInMs: number | null
}

/** Chaos, healing, and a copy of the tables; null where it was interrupted. */
export async function runTorture(options: TortureOptions): Promise<Torture | null> {
  if (options.beginsBefore !== true) return await play(options, null)
  const before = await placeVersionBefore()
  try {
    return await play(options, before.root)
  } finally {
    await before[Symbol.asyncDispose]()
  }
}

async function play(options: TortureOptions, rootBefore: string | null): Promise<Torture | null> {
  const { seed, seconds, rate, faults, folder, interrupted, surroundings = {} } = options
  const startedAt = performance.now()
  const minutes = seconds / 60
  mkdirSync(folder, { recursive: true })
  describeWorld(folder, seed, minutes)
  const ensemble = await Ensemble.assemble({ seed, minutes, rate, folder, interrupted, surroundings, rootBefore })
  try {
    const timeIsOver = AbortSignal.any([AbortSignal.timeout(seconds * 1_000), interrupted])
    timeIsOver.addEventListener('abort', () => ensemble.stopWaiting(), { once: true })
    const chaos = await new Chaos(ensemble, seed).reign(faults, seconds * 1_000, timeIsOver)
    if (interrupted.aborted) return null
    const healed = await heal(ensemble, options.healWithinMs, interrupted)
    if (interrupted.aborted) return null
    await ensemble.rest()
    await dumpDatabase(ensemble.server.url, folder, { bookings: BOOKINGS })
    const { strange, upgradedInMs } = ensemble
    const took = (performance.now() - startedAt) / 1_000
    return { chaos, healed, strange, upgradedInMs, seconds: took }
  } finally {
    await ensemble[Symbol.asyncDispose]()
  }
}

function describeWorld(folder: string, seed: number, minutes: number): void {
  writeWorld(folder, {
    seed,
    minutes,
    leaseMs: LEASE_MS,
    staleCheckMs: STALE_CHECK_MS,
    pollMs: POLL_MS,
    renewalMs: RENEWAL_MS,
    wallMinusMachineMs: wallMinusMachine(),
    jobTypes: JOB_TYPES,
    schedules: SCHEDULES,
    tenants: TENANTS,
    bookings: BOOKINGS,
    activities: ACTIVITIES,
  })
}

import { findOpenTelemetry } from '../../../src/engine/telemetry/open-telemetry.ts'
import type { Fault } from './faults.ts'
import type { Violation } from './invariants/invariant.ts'
import { type Configuration, drawConfiguration } from './swarm.ts'
import { World } from './world.ts'

export interface SeedResult {
  readonly configuration: Configuration
  readonly violation: Violation | null
  readonly faults: readonly Fault[]
  readonly trace: readonly string[]
  readonly seen: ReadonlyMap<string, number>
  readonly happenings: number
  /** How many executions have finished. */
  readonly finished: number
}

type Reducible =
  | 'nodes'
  | 'operations'
  | 'schedules'
  | 'isDurable'
  | 'hasApprovals'
  | 'hasChains'
  | 'hasRates'
  | 'hasNotices'
  | 'skewMs'
  | 'driftPpm'

/** How a configuration is made smaller; what is left out is as the seed draws it. */
export type Change = Partial<Pick<Configuration, Reducible>>

/** Runs one seed to its end. `only`: with these faults alone, of all that it would have. */
export async function runSeed(
  seed: number,
  only: readonly Fault[] | null = null,
  change: Change = {},
): Promise<SeedResult> {
  // Loading a module takes real time, so that nodes would not open within virtual time.
  await findOpenTelemetry()
  const configuration = { ...drawConfiguration(seed), ...change }
  const world = new World(configuration, only)
  const violation = await world.run()
  const { faults, trace, seen, happenings, tables } = world
  const finished = tables.results.size
  return { configuration, violation, faults: faults.happened, trace: trace.lines, seen, happenings, finished }
}

import type { Fault } from './faults.ts'
import { type Change, runSeed, type SeedResult } from './run-seed.ts'

export interface Shrunk {
  readonly result: SeedResult
  readonly faults: readonly Fault[]
  readonly change: Change
  readonly runs: number
}

const MAX_RUNS = 200

/** Makes a seed that fails as small as can be while it breaks the same invariant: fewer faults, nodes, schedules and requests. */
export async function shrink(seed: number, found: SeedResult): Promise<Shrunk> {
  let best: SeedResult = found
  let [faults, change]: [readonly Fault[], Change] = [found.faults, {}]
  let runs = 0
  const tryOut = async (fewer: readonly Fault[], smaller: Change): Promise<boolean> => {
    if (runs >= MAX_RUNS) return false
    runs += 1
    const result = await runSeed(seed, fewer, smaller)
    if (result.violation?.invariant !== found.violation?.invariant) return false
    best = result
    faults = fewer
    change = smaller
    return true
  }

  for (let size = Math.ceil(faults.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < faults.length; ) {
      const fewer = [...faults.slice(0, at), ...faults.slice(at + size)]
      if (!(await tryOut(fewer, change))) at += size
    }
  }
  const { nodes, schedules, operations } = found.configuration
  for (let fewer = 1; fewer < nodes; fewer += 1) if (await tryOut(faults, { ...change, nodes: fewer })) break
  if (schedules.length > 0) await tryOut(faults, { ...change, schedules: [] })
  for (const part of ['isDurable', 'hasApprovals', 'hasChains', 'hasRates', 'hasNotices'] as const) {
    if (found.configuration[part]) await tryOut(faults, { ...change, [part]: false })
  }
  for (const part of ['skewMs', 'driftPpm'] as const) {
    if (found.configuration[part] > 0) await tryOut(faults, { ...change, [part]: 0 })
  }
  for (let fewer = Math.floor(operations / 2); fewer >= 1; fewer = Math.floor(fewer / 2)) {
    if (!(await tryOut(faults, { ...change, operations: fewer }))) break
  }
  return { result: best, faults, change, runs }
}

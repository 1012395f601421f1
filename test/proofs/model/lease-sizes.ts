import type { Budget } from './lease-state.ts'
import type { Size } from './lease-world.ts'

const NOTHING: Budget = { crashes: 0, losses: 0, pauses: 0, failures: 0, cancels: 0, limits: [] }

function sized(change: Partial<Omit<Size, 'budget'>> & { readonly budget: Partial<Budget> }): Size {
  const { budget, ...rest } = change
  const size = { processes: 2, executions: 1, maxAttempts: 2, limit: null, recoveries: 1, ...rest }
  return { ...size, budget: { ...NOTHING, ...budget } }
}

/** Small enough to be looked at whenever the tests run. */
export const SMALL_SIZES: Readonly<Record<string, Size>> = {
  'one execution, a crash': sized({ budget: { crashes: 1 } }),
  'one execution, a pause and a failure': sized({ budget: { pauses: 1, failures: 1 } }),
  'one execution, a pause and a cancel': sized({ budget: { pauses: 1, cancels: 1 } }),
  'one execution, two recoveries at once, a pause': sized({ recoveries: 2, budget: { pauses: 1 } }),
  'one execution, a lost answer': sized({ budget: { losses: 1 } }),
  'two executions under a limit of one, a crash': sized({ executions: 2, limit: 1, budget: { crashes: 1 } }),
  'two executions under a limit of one, a pause': sized({ executions: 2, limit: 1, budget: { pauses: 1 } }),
  'two executions under a limit that is set meanwhile': sized({ executions: 2, budget: { limits: [1] } }),
  'three executions under a limit that is raised and lowered': sized({
    executions: 3,
    limit: 1,
    budget: { limits: [2, 1] },
  }),
}

/** For a proof: several faults at once, three nodes, three executions. */
export const LARGE_SIZES: Readonly<Record<string, Size>> = {
  'one execution, a crash, a pause and a lost answer': sized({ budget: { crashes: 1, pauses: 1, losses: 1 } }),
  'one execution, a pause, a failure, a cancel': sized({ budget: { pauses: 1, failures: 1, cancels: 1 } }),
  'one execution, two pauses and two failures, three attempts': sized({
    maxAttempts: 3,
    budget: { pauses: 2, failures: 2 },
  }),
  'one execution, two recoveries at once, a crash and a pause': sized({
    recoveries: 2,
    budget: { crashes: 1, pauses: 1 },
  }),
  'one execution on three nodes, two pauses': sized({ processes: 3, budget: { pauses: 2 } }),
  'two executions under a limit of one, a pause and a lost answer': sized({
    executions: 2,
    limit: 1,
    budget: { pauses: 1, losses: 1 },
  }),
  'two executions under a limit of one, a crash and a cancel': sized({
    executions: 2,
    limit: 1,
    budget: { crashes: 1, cancels: 1 },
  }),
  'two executions under a limit that is set meanwhile, a crash': sized({
    executions: 2,
    budget: { crashes: 1, limits: [1] },
  }),
  'three executions on three nodes under a limit of two': sized({
    processes: 3,
    executions: 3,
    limit: 2,
    budget: { failures: 1 },
  }),
  'three executions on three nodes under a limit of two, a crash': sized({
    processes: 3,
    executions: 3,
    limit: 2,
    budget: { crashes: 1 },
  }),
  'three executions under a limit that is set, lowered and lifted, a pause': sized({
    executions: 3,
    budget: { pauses: 1, limits: [2, 1, null] },
  }),
}

import { RULES, type Rules } from './lease-rules.ts'
import type { Budget } from './lease-state.ts'
import type { Size } from './lease-world.ts'

/** A rule that is not kept, where that shows, and the invariant that has to break. */
interface Mutant {
  readonly name: string
  readonly rules: Rules
  readonly size: Size
  readonly breaks: string
}

function mutant(
  name: string,
  breaks: string,
  change: Partial<Rules>,
  budget: Partial<Budget>,
  size: Partial<Size> = {},
): Mutant {
  const nothing = { crashes: 0, losses: 0, pauses: 0, failures: 0, cancels: 0, limits: [] }
  const base = { processes: 2, executions: 1, maxAttempts: 2, limit: null, recoveries: 1 }
  return { name, breaks, rules: { ...RULES, ...change }, size: { ...base, ...size, budget: { ...nothing, ...budget } } }
}

const FENCE = 'I6: who has lost an execution writes nothing about it'
const LIMIT = 'I17: nothing begins beyond the limit'
const FINAL = 'I7: an end is final, and comes once'
const CANCEL = 'I21: what was cancelled does not begin again'
const ENDS = 'everything ends'

export const MUTANTS: readonly Mutant[] = [
  mutant('an end names no epoch', FENCE, { finishIsFenced: false }, { pauses: 1 }),
  mutant('a retry names no epoch', FENCE, { retryIsFenced: false }, { pauses: 1, failures: 1 }),
  mutant('a claim does not raise the epoch', 'I5: epochs grow with every claim', { epochGrows: false }, { pauses: 1 }),
  mutant('a claim takes what was cancelled since it looked', CANCEL, { claimLooksAgain: false }, { cancels: 1 }),
  mutant('a cancel ends what was moved since it looked', CANCEL, { cancelLooksAgain: false }, { cancels: 1 }),
  mutant('recovery takes what has ended since it looked', FINAL, { recoverLooksAgain: false }, { pauses: 1 }),
  mutant(
    'recovery takes from nodes whose lease lasts',
    'I11: a node that is on the list keeps its work',
    { recoverSparesTheLiving: false },
    {},
  ),
  mutant(
    'a lost attempt is not counted',
    'I12: an attempt that is lost counts',
    { lostAttemptCounts: false },
    { crashes: 1 },
  ),
  mutant(
    'a limit is counted, with neither lock nor key',
    LIMIT,
    { slotsAreLocked: false, slotsAreKeys: false },
    {},
    { executions: 2, limit: 1 },
  ),
  mutant(
    'a limit is set while claims are under way',
    LIMIT,
    { limitStopsClaims: false },
    { limits: [1] },
    { executions: 2 },
  ),
  mutant(
    'what runs without a slot is not numbered when a limit is set',
    LIMIT,
    { limitNumbersLeases: false },
    { limits: [1] },
    { executions: 2 },
  ),
  mutant(
    'recovery does not free a slot that is counted',
    ENDS,
    { slotIsFreed: 'neverByRecovery' },
    { crashes: 1 },
    { limit: 1 },
  ),
  mutant(
    'an end that comes late frees a slot once more',
    LIMIT,
    { slotIsFreed: 'againByLateEnds' },
    { pauses: 1 },
    { executions: 2, limit: 1, processes: 3 },
  ),
  mutant('what a lost claim took is not given back', ENDS, { strangersAreReleased: false }, { losses: 1 }),
]

import { QUESTION_FAULTS, WORLD_FAULTS } from './faults.ts'

/** What has to happen in any ten thousand seeds, or the simulation shows less than it seems to. */
const SOMETIMES: readonly string[] = [
  ...WORLD_FAULTS,
  'unknown leases.claim',
  'unknown leases.finish',
  'unknown histories.record',
  'unknown executions.enqueue',
  'belated leases.finish',
  'belated histories.record',
  'doubled leases.claim',
  'doubled executions.enqueue',
  'doubled occurrences.fire',
  'a fenced write was attempted',
  'a rescue raced a completion',
  'what kills its nodes is given up',
  'the limit of a tenant is reached',
  'a job that does not overlap runs',
  'an occurrence waits behind a run',
  'an occurrence is fired',
  'an occurrence is firedLate',
  'an occurrence is consolidated',
  'an occurrence is not fired, and a row says why',
  'a misfire under fireNow',
  'a misfire under fireOnce',
  'a misfire under fireAll',
  'a misfire under skipToNext',
  'a misfire under smart',
  'a gap is crossed while no node runs',
  'a fold is crossed while no node runs',
  'the clock is set while no node runs',
  'an execution ends as SUCCESS',
  'an execution ends as FAILED',
  'an execution ends as CANCELLED',
  'an execution is tried again',
  'a step is recorded',
  'a signal is heard',
  'a run is DIVERGED',
  'a run that was DIVERGED goes on',
  'a run has a child',
  'something runs behind what ended as SUCCESS',
  'something runs behind what ended as FAILED',
  'something is not needed behind what ended',
  'a rate limit lets something wait',
  'something sensitive runs',
  'an approval is voided by an edit',
  'an end is in the audit log',
  'a failure is to be told',
  'somebody is told of a failure',
  'a node stops as it should',
  'a node is told to stop while it claims',
]

/** What should have happened, and has not. Each fault of a question has to have hit some verb. */
export function missingIn(seen: ReadonlyMap<string, number>): string[] {
  const verbs = [...seen.keys()]
  const faults = QUESTION_FAULTS.filter((kind) => !verbs.some((what) => what.startsWith(`${kind} `)))
  return [...faults, ...SOMETIMES.filter((what) => !seen.has(what))]
}

/** How many different things have to happen. */
export const SOMETIMES_COUNT = SOMETIMES.length + QUESTION_FAULTS.length

import { SETTINGS, type Setting } from './cast.ts'
import type { Meeting } from './meeting.ts'
import { permutations } from './serial.ts'
import { VERBS } from './verbs.ts'

/** Every two verbs, also of the same name, in every setting: the first commits, and is undone. */
export function allPairs(names: readonly string[], settings: readonly Setting[] = SETTINGS): Meeting[] {
  return settings.flatMap((setting) =>
    names.flatMap((first) => names.flatMap((second) => bothEnds({ setting, verbs: [first, second], nth: 1 }))),
  )
}

export const ALL_VERBS: readonly string[] = Object.keys(VERBS)

/** What meets most, and what the guarantees are about. */
export const CHOSEN_VERBS: readonly string[] = [
  'claim one',
  'renew',
  'succeed',
  'retry',
  'recover',
  'cancel',
  'limit to one',
]

/** What concerns a job and its occurrences. */
export const JOB_VERBS: readonly string[] = [
  'approve',
  'edit what waits for approval',
  'pause the job',
  'fire',
  'fire and displace',
]

/** I7: those who may end an execution, in all their orders. */
export const ENDING_VERBS: readonly string[] = ['recover', 'cancel', 'time out', 'succeed']

export function allOrders(verbs: readonly string[], setting: Setting): Meeting[] {
  return permutations(verbs).flatMap((order) => bothEnds({ setting, verbs: order, nth: 1 }))
}

/** Three at once, where each wants what the others have. */
export const TRIPLES: readonly (readonly string[])[] = [
  ['claim one', 'recover', 'cancel'],
  ['claim one', 'claim all', 'limit to one'],
  ['succeed', 'claim all', 'limit to one'],
  ['recover', 'renew', 'claim all'],
  ['recover', 'succeed', 'enqueue behind'],
  ['signal', 'park', 'recover'],
  ['signal', 'cancel the run', 'end the run'],
  ['record', 'recover', 'end the run by force'],
  ['fire', 'pause the job', 'remove the job'],
  ['fire and displace', 'claim one', 'cancel'],
  ['approve', 'edit what waits for approval', 'edit the job'],
  ['enqueue with a key', 'enqueue other input with the key', 'purge'],
  ['retry', 'promote', 'cancel'],
]

/** Verbs that send more than one statement, held before the commit of the second. */
const SECOND_STATEMENTS: readonly string[] = ['cancel the run', 'enqueue with a key', 'start a child', 'remove the job']

export function secondStatements(): Meeting[] {
  return SETTINGS.flatMap((setting) =>
    SECOND_STATEMENTS.flatMap((first) =>
      ALL_VERBS.flatMap((second) => bothEnds({ setting, verbs: [first, second], nth: 2 })),
    ),
  )
}

function bothEnds(meeting: Omit<Meeting, 'isUndone'>): Meeting[] {
  return [false, true].map((isUndone) => ({ ...meeting, isUndone }))
}

import { BARE } from '../../durable/journal.ts'
import type { NewEntry } from '../../job/activity/history.ts'

/** What a run goes on with that begins anew, for the first, second … time. */
export function inputEntry(input: string | null, at: number, generation: number): NewEntry {
  return {
    ...BARE,
    sequence: 0,
    kind: 'input',
    name: 'input',
    status: 'COMPLETED',
    attempt: generation,
    input,
    startedAt: at,
    endedAt: at,
  }
}

import type { DeclaredSchedule } from '../../../src/job/schedule-options.ts'
import { type JobContext, type JobType, job } from '../../../src/job/type/job-type.ts'
import type { OccurrenceRecord } from '../../../src/store/occurrences.ts'

/** A job type that notes each of its runs. */
export interface Recording {
  readonly type: JobType<undefined>
  readonly runs: JobContext[]
}

/** What a recorded job type does beside noting its run. */
type Work = (context: JobContext) => unknown

/** A job type by its id, declared with these schedules. */
export function recording(
  id: string,
  schedule: DeclaredSchedule<undefined> | readonly DeclaredSchedule<undefined>[] = [],
  work: Work = () => null,
): Recording {
  const runs: JobContext[] = []
  const type = job(id, {
    schedule,
    run: (_input: undefined, context) => {
      runs.push(context)
      return work(context)
    },
  })
  return { type, runs }
}

/** The occurrences that runs stand for, in the order in which they ran. */
export function occurrencesOf({ runs }: Recording): string[] {
  return runs.map(({ scheduledAt }) => clock(scheduledAt))
}

/** The time of day in UTC, without seconds where they are zero. */
export function clock(instant: number | null): string {
  if (instant === null) return 'never'
  return new Date(instant).toISOString().slice(11, 19).replace(/:00$/, '')
}

/** A ledger in words: `9 consolidated 10:02-10:10 outage`. */
export function told(ledger: readonly OccurrenceRecord[]): string[] {
  return ledger.map(({ count, decision, from, to, cause }) => {
    const range = from === to ? clock(from) : `${clock(from)}-${clock(to)}`
    return [count, decision, range, cause].filter((part) => part !== null).join(' ')
  })
}

/** A ledger in words, neighbours of one decision and cause as one: a node that was late decides about several at once. */
export function sums(ledger: readonly OccurrenceRecord[]): string[] {
  const merged: OccurrenceRecord[] = []
  for (const record of ledger) {
    const last = merged.at(-1)
    const isSame = last !== undefined && last.decision === record.decision && last.cause === record.cause
    if (isSame) merged[merged.length - 1] = { ...last, to: record.to, count: last.count + record.count }
    else merged.push(record)
  }
  return told(merged)
}

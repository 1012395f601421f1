import type { HistoryEntryView } from '../../api/wire.ts'

/** One thing that is recorded of a durable execution, with its instants as they stand on the wire. */
export interface ActivityView extends Omit<HistoryEntryView, 'startedAt' | 'dueAt' | 'endedAt'> {
  readonly startedAt: string
  readonly dueAt: string | null
  readonly endedAt: string | null
}

/** Whether it stands for time that passes rather than for something that is done. */
export function isWait({ kind }: Pick<ActivityView, 'kind'>): boolean {
  return kind === 'timer' || kind === 'signal' || kind === 'child'
}

/** Whether a run can begin again from it: what has no place among the calls is not called again by itself. */
export function isPlace({ sequence }: Pick<ActivityView, 'sequence'>): boolean {
  return sequence >= 1
}

/** Whether another execution has done it, and this one began with its result. */
export function isTakenOver({ endedAt }: Pick<ActivityView, 'endedAt'>, createdAt: string): boolean {
  return endedAt !== null && Date.parse(endedAt) < Date.parse(createdAt)
}

/** How long it took, or has taken until now. */
export function lengthMs({ startedAt, endedAt }: Pick<ActivityView, 'startedAt' | 'endedAt'>, now: number): number {
  return Math.max(0, (endedAt === null ? now : Date.parse(endedAt)) - Date.parse(startedAt))
}

/** What stays and what is done again where a run begins anew from a place. */
export function splitAt(
  entries: readonly ActivityView[],
  sequence: number,
): { readonly kept: readonly ActivityView[]; readonly again: readonly ActivityView[] } {
  const places = entries.filter(isPlace)
  return {
    kept: places.filter((entry) => entry.sequence < sequence),
    again: places.filter((entry) => entry.sequence >= sequence),
  }
}

import type { FailureRecord } from '../../store/series.ts'
import { failurePattern } from './failure-pattern.ts'

/** Failures of one kind. */
export interface FailureGroup {
  readonly errorName: string
  readonly message: string
  readonly count: number
  /** Whose they were, those that failed last first. */
  readonly jobIds: readonly string[]
  readonly lastAt: number
  readonly lastExecutionId: string
}

const MAX_MESSAGE = 1_000

interface Gathered {
  readonly errorName: string
  readonly pattern: string
  readonly last: FailureRecord
  isAlike: boolean
  count: number
  readonly jobIds: Set<string>
}

/** Puts failures together that differ in numbers, ids and quoted parts at most: the most frequent first, of equally frequent ones the latest. */
export function groupFailures(latestFirst: readonly FailureRecord[]): FailureGroup[] {
  const groups = new Map<string, Gathered>()
  for (const failure of latestFirst) {
    const errorName = failure.error?.name ?? (failure.status === 'TIMEOUT' ? 'TimeoutError' : 'Error')
    const pattern = failurePattern(messageOf(failure))
    const key = `${errorName}\n${pattern}`
    const group = groups.get(key) ?? { errorName, pattern, last: failure, isAlike: true, count: 0, jobIds: new Set() }
    groups.set(key, group)
    group.count += 1
    group.isAlike &&= messageOf(failure) === messageOf(group.last)
    if (failure.jobId !== null) group.jobIds.add(failure.jobId)
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count || b.last.at - a.last.at)
    .map(({ errorName, pattern, last, isAlike, count, jobIds }) => ({
      errorName,
      message: isAlike ? messageOf(last).slice(0, MAX_MESSAGE) : pattern,
      count,
      jobIds: [...jobIds],
      lastAt: last.at,
      lastExecutionId: last.executionId,
    }))
}

function messageOf({ error }: FailureRecord): string {
  return error?.message ?? ''
}

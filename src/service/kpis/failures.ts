import { requirePermission } from '../../access/principal.ts'
import { HOUR_MS } from '../../duration.ts'
import type { FailureRecord } from '../../store/series.ts'
import { namesOfJobs } from '../owned.ts'
import type { FailuresQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { wireInstant } from '../wire-value.ts'
import type { FailuresView } from './figure-views.ts'

/** So many of the latest are looked at; more would tell the same. */
const LOOKED_AT = 2_000
const MAX_JOBS = 5

/** What went wrong in the last hours, by kinds of errors. */
export async function readFailures(
  scope: Scope,
  { hours = 24, limit = 10 }: FailuresQuery = {},
): Promise<FailuresView> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const { tenant, store } = scope
  const since = scope.now() - hours * HOUR_MS
  const failures = await store.executions.failures({ tenant, since, limit: LOOKED_AT })
  const groups = groupFailures(failures).slice(0, limit)
  const names = await namesOfJobs(
    scope,
    groups.flatMap(({ jobIds }) => jobIds.slice(0, MAX_JOBS).map((jobId) => ({ jobId }))),
  )
  return {
    items: groups.map(({ jobIds, lastAt, ...group }) => ({
      ...group,
      jobCount: jobIds.length,
      jobs: jobIds.slice(0, MAX_JOBS).flatMap((id) => {
        const name = names.get(id)
        return name === undefined ? [] : [{ id, name }]
      }),
      lastAt: wireInstant(lastAt),
    })),
    isPartial: failures.length >= LOOKED_AT,
  }
}

/** Failures of one kind. */
interface FailureGroup {
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

/** What is put where something was taken out. */
const GAP = '…'

const MAX_READ = 1_000

const MAX_LENGTH = 300

type TakeOut = readonly [what: RegExp, rest: (found: string) => string]

const nothing = () => GAP

/** A word of letters alone is no id, however long. */
const unlessWord = (found: string) => (/\d/.test(found) ? GAP : found)

/** What differs from one failure to the next of the same kind, in the order in which it is taken out. None of it looks at a character over and over. */
const TAKEN_OUT: readonly TakeOut[] = [
  // What is asked for at an address.
  [/\bhttps?:\/\/[^\s"'<>]+/g, (url) => url.replace(/[?#].*/, GAP)],
  // Quoted parts, and no apostrophes.
  [/"[^"]*"|`[^`]*`|“[^“”]*”|«[^«»]*»|(?<![\p{L}\d])'[^']*'(?![\p{L}\d])/gu, nothing],
  [/\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?/g, nothing],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi, nothing],
  [/\b0x[0-9a-f]+\b/gi, nothing],
  [/\b[0-9a-f]{8,}\b/gi, unlessWord],
  [/[\w-]{16,}/g, unlessWord],
  // Numbers, addresses and ports among them.
  [/\d(?:[.,:]?\d)*/g, nothing],
]

/** An error's message without what makes it differ from that of another failure of the same kind. */
export function failurePattern(message: string): string {
  let text = message.slice(0, MAX_READ)
  for (const [what, rest] of TAKEN_OUT) text = text.replace(what, rest)
  return text
    .replaceAll(/…(?:[-_./:]?…)+/g, GAP)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
}

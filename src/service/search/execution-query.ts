import { EXECUTION_STATUSES, type ExecutionStatus } from '../../job/execution/execution.ts'
import { type Range, readRange } from './range.ts'
import { readTokens, readWords } from './read-tokens.ts'

/** Executions as somebody has typed what he looks for. Absent: it does not matter. */
export interface ExecutionQuery extends Range {
  /** Part of the error's message or of the job's name, or the whole of an id. */
  readonly text?: string | undefined
  readonly statuses?: readonly ExecutionStatus[] | undefined
  readonly jobTypes?: readonly string[] | undefined
  /** Parts of names of jobs, or their ids. */
  readonly jobs?: readonly string[] | undefined
  readonly tags?: readonly string[] | undefined
}

const KEYS = ['status', 'type', 'job', 'tag', 'after', 'before'] as const

/** Reads `status:failed job:closing after:2d "connection refused"`. */
export function readExecutionQuery(query: string | undefined, now: number): ExecutionQuery {
  const tokens = readTokens(query, KEYS)
  const statuses = tokens.of('status')
  return {
    text: tokens.text,
    jobTypes: tokens.of('type'),
    jobs: tokens.of('job'),
    tags: tokens.of('tag'),
    ...(statuses && { statuses: readWords('status', statuses, EXECUTION_STATUSES) }),
    ...readRange(tokens, now),
  }
}

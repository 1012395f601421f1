import { EXECUTION_STATUSES, type ExecutionStatus } from '../../job/execution/execution.ts'
import { JOB_STATUSES, type JobStatus } from '../../job/job-status.ts'
import { PRIORITIES, type Priority } from '../../job/rules/priority.ts'
import { type Range, readRange } from './range.ts'
import { readTokens, readWords } from './read-tokens.ts'

/** Jobs as somebody has typed whom he looks for. Absent: it does not matter. */
export interface JobQuery {
  readonly text?: string | undefined
  readonly jobTypes?: readonly string[] | undefined
  readonly priorities?: readonly Priority[] | undefined
  readonly tags?: readonly string[] | undefined
  /** Those in one of these statuses, or with such an execution. */
  readonly statuses?: readonly JobStatus[] | undefined
  readonly ran?: Ran | undefined
}

/** What a job has an execution of: in one of these statuses, created within a range. */
export interface Ran extends Range {
  readonly statuses?: readonly ExecutionStatus[] | undefined
}

const KEYS = ['status', 'tag', 'type', 'priority', 'after', 'before'] as const
const STATUSES = [...JOB_STATUSES, ...EXECUTION_STATUSES]

/** Reads `status:failed tag:x after:2d`. Statuses of executions say what a job has run; so does a range by itself. */
export function readJobQuery(query: string | undefined, now: number): JobQuery {
  const tokens = readTokens(query, KEYS)
  const statuses = tokens.of('status') && readWords('status', tokens.of('status') ?? [], STATUSES)
  const priorities = tokens.of('priority')
  const ofJobs = statuses?.filter(isJobStatus) ?? []
  const ofExecutions = statuses?.filter(isExecutionStatus) ?? []
  const range = readRange(tokens, now)
  const hasRange = Object.keys(range).length > 0
  return {
    text: tokens.text,
    jobTypes: tokens.of('type'),
    tags: tokens.of('tag'),
    ...(priorities && { priorities: readWords('priority', priorities, PRIORITIES) }),
    ...(ofJobs.length > 0 && { statuses: ofJobs }),
    ...(ofExecutions.length > 0 && { ran: { statuses: ofExecutions, ...range } }),
    ...(ofExecutions.length === 0 && hasRange && { ran: range }),
  }
}

function isJobStatus(status: JobStatus | ExecutionStatus): status is JobStatus {
  return (JOB_STATUSES as readonly string[]).includes(status)
}

function isExecutionStatus(status: JobStatus | ExecutionStatus): status is ExecutionStatus {
  return (EXECUTION_STATUSES as readonly string[]).includes(status)
}

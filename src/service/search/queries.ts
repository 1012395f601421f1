import { requirePermission } from '../../access/principal.ts'
import { EXECUTION_STATUSES, type ExecutionStatus, isFinal } from '../../job/execution/execution.ts'
import { JOB_STATUSES, type JobStatus } from '../../job/job-status.ts'
import { PRIORITIES, type Priority } from '../../job/rules/priority.ts'
import type { JobSelection } from '../../store/jobs.ts'
import { requireOneOf } from '../../time/require.ts'
import { HISTORY_MS } from '../owned.ts'
import type { JobFilterQuery } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { checkSought } from '../sent-values.ts'
import { commonPart, type Range, readRange, readTokens, readWords } from './tokens.ts'

/** The jobs that somebody asks for, as a store is asked for them: what was typed into the search, and the parameters beside it. */
export async function selectionOf(scope: Scope, query: JobFilterQuery): Promise<JobSelection> {
  const { q, status, jobType, priority, tag } = query
  for (const each of status ?? []) requireOneOf(each, 'status', JOB_STATUSES)
  for (const each of priority ?? []) requireOneOf(each, 'priority', PRIORITIES)
  checkSought('q', q)
  checkSought('tag', tag)
  checkSought('jobType', ...(jobType ?? []))
  const typed = readJobQuery(q, scope.now())
  const { text, tags, ran } = typed
  const isEither = typed.statuses !== undefined && ran?.statuses !== undefined
  return {
    tenant: scope.tenant,
    text,
    tags,
    tag,
    jobTypes: commonPart(jobType, typed.jobTypes),
    priorities: commonPart(priority, typed.priorities),
    statuses: isEither ? status : commonPart(status, typed.statuses),
    either: ran && { statuses: isEither ? (typed.statuses ?? []) : [], ids: await jobsThatRan(scope, ran) },
  }
}

/** What jobs have run is for those who may see it. */
async function jobsThatRan(scope: Scope, { statuses, from, until }: NonNullable<JobQuery['ran']>): Promise<string[]> {
  requirePermission(scope.principal, 'jobs:viewHistory')
  const { tenant, store } = scope
  return await store.executions.ran({ tenant, statuses, since: from ?? firstInstant(scope, { statuses }), until })
}

/** As lists of executions have it: what has not ended is never too old. */
function firstInstant(scope: Scope, { statuses = EXECUTION_STATUSES }: Ran): number {
  return statuses.some(isFinal) ? Math.max(0, scope.now() - HISTORY_MS + 1) : 0
}

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
interface Ran extends Range {
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

const EXECUTION_KEYS = ['status', 'type', 'job', 'tag', 'after', 'before'] as const

/** Reads `status:failed job:closing after:2d "connection refused"`. */
export function readExecutionQuery(query: string | undefined, now: number): ExecutionQuery {
  const tokens = readTokens(query, EXECUTION_KEYS)
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

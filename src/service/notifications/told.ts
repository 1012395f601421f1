import type { Execution, Failure } from '../../job/execution/execution.ts'
import { isUnreadable } from '../../job/execution/unreadable.ts'
import type { Job } from '../../job/job.ts'
import type { NotificationEvent } from '../../store/notifications.ts'
import type { TenantStore } from '../../store/store.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import { type ErrorClass, errorClassOf } from './error-class.ts'

/** An event with what is known, when somebody is told, of what it is about. */
export interface Told {
  readonly event: NotificationEvent
  readonly job: { readonly id: string; readonly name: string | null; readonly timeZone: string | null } | null
  readonly execution: {
    readonly id: string
    /** null if it was removed. */
    readonly jobType: string | null
    readonly status: string | null
    readonly attempts: number | null
    /** null where it was erased, or there is none. */
    readonly error: Pick<Failure, 'name' | 'message' | 'code'> | null
    readonly errorClass: ErrorClass
  } | null
}

/** Looks up what events are about. What is gone by then is told without. */
export async function readTold(store: TenantStore, events: readonly NotificationEvent[]): Promise<Told[]> {
  const jobs = await byId(idsOf(events, 'jobId'), (ids) => store.jobs.find(ids))
  const executions = await byId(idsOf(events, 'executionId'), (ids) => store.executions.find(ids))
  return events.map((event) => ({
    event,
    job: aboutJob(event, jobs),
    execution: aboutExecution(event, executions),
  }))
}

function idsOf(events: readonly NotificationEvent[], name: 'jobId' | 'executionId'): string[] {
  const ids = events.map(({ facts }) => facts[name]).filter((id) => typeof id === 'string')
  return [...new Set(ids)]
}

async function byId<Thing extends { readonly id: string }>(
  ids: readonly string[],
  find: (ids: readonly string[]) => Promise<readonly Thing[]>,
): Promise<ReadonlyMap<string, Thing>> {
  const found = ids.length === 0 ? [] : await find(ids)
  return new Map(found.map((each) => [each.id, each]))
}

function aboutJob({ facts, tenant }: NotificationEvent, jobs: ReadonlyMap<string, Job>): Told['job'] {
  const id = facts['jobId']
  if (typeof id !== 'string') return null
  const job = jobs.get(id)
  if (job?.tenant !== tenant) return { id, name: null, timeZone: null }
  return { id, name: job.name, timeZone: triggerFrom(job.definition.trigger).timeZone }
}

function aboutExecution(
  { facts, tenant }: NotificationEvent,
  executions: ReadonlyMap<string, Execution>,
): Told['execution'] {
  const id = facts['executionId']
  if (typeof id !== 'string') return null
  const found = executions.get(id)
  if (found?.tenant !== tenant) {
    return { id, jobType: null, status: null, attempts: null, error: null, errorClass: 'unknown' }
  }
  const error = found.error === null || isUnreadable(found.error.message) ? null : found.error
  return {
    id,
    jobType: found.jobType,
    status: found.status,
    attempts: found.attempt,
    error,
    errorClass: errorClassOf(found.status, error),
  }
}

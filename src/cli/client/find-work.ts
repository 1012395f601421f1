import { quote } from '../../errors.ts'
import type { Page } from '../../service/answers.ts'
import type { ExecutionDetailView, ExecutionView } from '../../service/execution-view.ts'
import type { JobView } from '../../service/job-view.ts'
import { isUuid } from '../../uuid.ts'
import type { Connection } from './connection.ts'
import { AnsweredError } from './errors.ts'
import { findJob } from './find-job.ts'

/** What somebody names: an execution by its id, or a job by its name or id. */
export type Work =
  | { readonly kind: 'execution'; readonly execution: ExecutionDetailView }
  | { readonly kind: 'job'; readonly job: JobView }

export async function findWork(connection: Connection, named: string): Promise<Work> {
  if (!isUuid(named)) return { kind: 'job', job: await findJob(connection, named) }
  try {
    return { kind: 'execution', execution: await readExecution(connection, named) }
  } catch (error) {
    if (!(error instanceof AnsweredError) || error.status !== 404) throw error
  }
  try {
    return { kind: 'job', job: await findJob(connection, named) }
  } catch (error) {
    if (!(error instanceof AnsweredError) || error.status !== 404) throw error
    throw new AnsweredError(404, 'not_found', `There is neither an execution nor a job "${named}".`, { id: named })
  }
}

/** The execution that somebody names: by its id, or as the last one of a job. */
export async function findExecution(connection: Connection, named: string): Promise<ExecutionDetailView> {
  const work = await findWork(connection, named)
  return work.kind === 'execution' ? work.execution : await lastExecution(connection, work.job)
}

/** The newest execution of a job. */
export async function lastExecution(connection: Connection, { id, name }: JobView): Promise<ExecutionDetailView> {
  const { items } = await connection.ask<Page<ExecutionView>>('GET', `/${id}/history?limit=1`)
  const [last] = items
  if (last) return await readExecution(connection, last.id)
  throw new AnsweredError(404, 'job.never_run', `Job ${quote(name)} has not run within 90 days.`, { jobId: id })
}

/** Also one that is in the archive; without its log. */
export async function readExecution(
  connection: Connection,
  id: string,
  signal?: AbortSignal,
): Promise<ExecutionDetailView> {
  const path = `/executions/${encodeURIComponent(id)}?log=false&archived=true`
  return await connection.ask('GET', path, undefined, signal && { signal })
}

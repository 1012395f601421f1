import { quote } from '../../errors.ts'
import { didYouMean } from '../../nearest.ts'
import type { Page } from '../../service/answers.ts'
import type { ExecutionDetailView, ExecutionView } from '../../service/execution-view.ts'
import type { JobListItem, JobView } from '../../service/job-view.ts'
import { isUuid } from '../../uuid.ts'
import { collectPages, queryOf } from '../asking.ts'
import { AnsweredError, type Connection } from './connection.ts'

/** How many jobs are looked through for a name. */
const LOOKED_AT = 1_000

/** As much of a name as is searched for. */
const SEARCHED = 100

/** The job that somebody names, by its name or its id. The case of letters may differ, where that leaves no doubt. */
export async function findJob(connection: Connection, nameOrId: string): Promise<JobView> {
  if (isUuid(nameOrId)) return await connection.ask('GET', `/${nameOrId}`)
  const name = nameOrId.normalize('NFC')
  const { items } = await collectPages<JobListItem>(connection, '', queryOf({ q: searchFor(name) }), LOOKED_AT)
  const exact = items.find((job) => job.name === name)
  if (exact) return exact
  const alike = items.filter((job) => job.name.toLowerCase() === name.toLowerCase())
  const [only] = alike
  if (only === undefined) throw await unknownJob(connection, name, items)
  if (alike.length === 1) return only
  throw ambiguous(name, alike)
}

/** What stands in quotes is looked for as it is; a quote itself cannot be. */
function searchFor(name: string): string | undefined {
  const [longest = ''] = name.split('"').sort((one, other) => other.length - one.length)
  return longest.trim() === '' ? undefined : `"${longest.trim().slice(0, SEARCHED)}"`
}

function ambiguous(name: string, jobs: readonly JobView[]): AnsweredError {
  const list = jobs.map((job) => `${quote(job.name)} (${job.id})`).join(', ')
  const message = `Several jobs are called ${quote(name)}, but for the case of letters: ${list}. Write it as it is, or give the id.`
  return new AnsweredError(409, 'job.ambiguous', message, { name, jobs: jobs.map(({ id, name }) => ({ id, name })) })
}

async function unknownJob(
  connection: Connection,
  name: string,
  containing: readonly JobView[],
): Promise<AnsweredError> {
  const all = containing.length > 0 ? containing : (await collectPages<JobView>(connection, '', queryOf({}), 200)).items
  const names = all.map((job) => job.name)
  const hint =
    containing.length > 0
      ? ` There is ${names.slice(0, 5).map(quote).join(', ')}${names.length > 5 ? ' and more' : ''}.`
      : didYouMean(name, names)
  const message = `There is no job ${quote(name)}.${hint} All of them: pontual jobs.`
  return new AnsweredError(404, 'not_found', message, { kind: 'job', name })
}

/** What somebody names: an execution by its id, or a job by its name or id. */
type Work =
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

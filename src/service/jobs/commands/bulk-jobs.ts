import { createHash } from 'node:crypto'
import type { Permission } from '../../../access/permission.ts'
import { requirePermission } from '../../../access/principal.ts'
import { PontualError } from '../../../errors.ts'
import type { Job } from '../../../job/job.ts'
import { allowsVerb } from '../../../job/job-status.ts'
import { isTransient, StoreUnavailableError } from '../../../store/unavailable.ts'
import { requireUuid } from '../../../uuid.ts'
import type { BulkAnswer, BulkFailure } from '../../answers.ts'
import { InvalidFieldsError } from '../../errors.ts'
import { invalidField } from '../../field-problems.ts'
import type { BulkRequest, BulkVerb } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { selectionOf } from '../../search/queries.ts'
import { readReason } from '../../sent-values.ts'
import { pauseJob, resumeJob } from './change-job.ts'
import { executeJob } from './run-job.ts'
import { deleteJob } from './update-job.ts'

/** A job that something is asked of; the name is null where the tenant has none of this id. */
interface BulkJob {
  readonly id: string
  readonly name: string | null
}

/** The jobs that something is asked of: those that are named, or those that match. */
interface BulkSelection {
  /** All of them, in short, and the names of the first few. */
  count(sample: number): Promise<{ readonly jobs: readonly Pick<Job, 'id' | 'status'>[]; readonly names: string[] }>
  /** The next so many, from where the last call ended. */
  next(limit: number): Promise<{ readonly jobs: readonly BulkJob[]; readonly hasMore: boolean }>
  /** Where a call goes on that has come as far as this one. */
  cursorBehind(job: BulkJob): string
}

/** No tenant has more of them. */
const MOST_JOBS = 20_000

async function bulkSelection(scope: Scope, request: BulkRequest): Promise<BulkSelection> {
  const { ids, query } = request
  if (ids !== undefined && query !== undefined) {
    throw invalidField('/query', 'contradiction', 'Give either ids or query.', { names: ['ids', 'query'] })
  }
  if (ids !== undefined) return namedJobs(scope, ids, request)
  if (query !== undefined) return await matchingJobs(scope, query, request)
  throw invalidField('/ids', 'required', 'ids is required, or query in its place.', { name: 'ids', or: 'query' })
}

function namedJobs({ store, tenant, cursors }: Scope, asked: readonly string[], request: BulkRequest): BulkSelection {
  const ids = [...new Set(asked.map((id) => requireUuid(id, 'Job id')))]
  const scope = ['bulk', tenant, request.verb, ids]
  const done = Number(cursors.read(request.cursor, scope, ['count'])?.[0] ?? 0)
  const find = async (wanted: readonly string[]) =>
    new Map((await store.jobs.find(wanted)).filter((job) => job.tenant === tenant).map((job) => [job.id, job]))
  return {
    async count(sample) {
      const found = await find(ids)
      const jobs = ids.flatMap((id) => found.get(id) ?? [])
      return { jobs, names: jobs.slice(0, sample).map(({ name }) => name) }
    },
    async next(limit) {
      const page = ids.slice(done, done + limit)
      const found = await find(page)
      return {
        jobs: page.map((id) => ({ id, name: found.get(id)?.name ?? null })),
        hasMore: done + limit < ids.length,
      }
    },
    cursorBehind: ({ id }) => cursors.write([ids.indexOf(id) + 1], scope),
  }
}

/** What is wrong with the query stands in what was sent under that name. */
function withinQuery(error: unknown): never {
  if (!(error instanceof InvalidFieldsError)) throw error
  throw new InvalidFieldsError(
    error.problems.map(({ pointer, code, message, says }) => ({ pointer: `/query${pointer}`, code, message, says })),
  )
}

/** By their names, so that what becomes of one job changes nothing about which comes next. */
async function matchingJobs(
  scope: Scope,
  query: NonNullable<BulkRequest['query']>,
  { verb, cursor }: BulkRequest,
): Promise<BulkSelection> {
  const { store, tenant, cursors } = scope
  const { q, status, jobType, priority, tag } = query
  const cursorScope = ['bulk', tenant, verb, q, status, jobType, priority, tag]
  const [value = null, id] = cursors.read(cursor, cursorScope, ['text', 'id']) ?? []
  const after = id === undefined ? undefined : { value, id: String(id) }
  const selection = await selectionOf(scope, query).catch(withinQuery)
  const search = (limit: number) => store.jobs.search({ ...selection, sort: 'name', isDescending: false, limit, after })
  return {
    async count(sample) {
      const [jobs, first] = await Promise.all([store.jobs.select(selection, MOST_JOBS), search(sample)])
      return { jobs, names: first.map(({ name }) => name) }
    },
    async next(limit) {
      const found = await search(limit + 1)
      return { jobs: found.slice(0, limit), hasMore: found.length > limit }
    },
    cursorBehind: (job) => cursors.write([job.name, job.id], cursorScope),
  }
}

/** So many jobs are seen to in one call. */
const AT_ONCE = 50
const SAMPLE = 5

interface Command {
  readonly needs: Permission
  perform(scope: Scope, id: string, request: BulkRequest): Promise<unknown>
}

const COMMANDS: Readonly<Record<BulkVerb, Command>> = {
  pause: { needs: 'jobs:pause', perform: (scope, id, { reason }) => pauseJob(scope, id, { reason, until: null }) },
  resume: { needs: 'jobs:pause', perform: (scope, id) => resumeJob(scope, id) },
  execute: {
    needs: 'jobs:execute',
    perform: (scope, jobId, { id }) => executeJob(scope, jobId, id === undefined ? {} : { id: idOfRun(id, jobId) }),
  },
  delete: { needs: 'jobs:delete', perform: (scope, id) => deleteJob(scope, id) },
}

/**
 * Asks the same of many jobs: each is a command of its own, with its own audit entry, and what one of them refuses is told beside the others. Goes on by
 * cursor. To count is for whoever may read jobs.
 */
export async function bulkJobs(scope: Scope, request: BulkRequest): Promise<BulkAnswer> {
  const { verb, dryRun } = request
  requirePermission(scope.principal, 'jobs:read', ...(dryRun ? [] : [COMMANDS[verb].needs]))
  readReason(request.reason, 'reason')
  const selection = await bulkSelection(scope, request)
  return dryRun ? await count(selection, verb) : await perform(scope, selection, request)
}

async function count(selection: BulkSelection, verb: BulkVerb): Promise<BulkAnswer> {
  const { jobs, names: sample } = await selection.count(SAMPLE)
  const applicable = jobs.filter(({ status }) => allowsVerb(status, verb)).length
  return { matched: jobs.length, applicable, done: 0, failed: [], sample, nextCursor: null }
}

async function perform(scope: Scope, selection: BulkSelection, request: BulkRequest): Promise<BulkAnswer> {
  const { jobs, hasMore } = await selection.next(AT_ONCE)
  const failed: BulkFailure[] = []
  let last: BulkJob | null = null
  let matched = 0
  for (const job of jobs) {
    try {
      await COMMANDS[request.verb].perform(scope, job.id, request)
    } catch (error) {
      if (isOfJob(error)) failed.push({ ...namedAlone(job), error })
      // What was done is told, and a later call goes on from there; without anything done, there is only the error to tell.
      else if (last === null) throw error
      else return { ...answer(), nextCursor: selection.cursorBehind(last) }
    }
    matched += 1
    last = job
  }
  return { ...answer(), nextCursor: hasMore && last !== null ? selection.cursorBehind(last) : null }

  function answer(): Omit<BulkAnswer, 'nextCursor'> {
    return { matched, applicable: null, done: matched - failed.length, failed }
  }
}

/** Whether it is this job that refuses, and not the store that is away, or something that nobody has thought of. */
function isOfJob(error: unknown): error is PontualError {
  return error instanceof PontualError && !(error instanceof StoreUnavailableError) && !isTransient(error)
}

function namedAlone({ id, name }: BulkJob): BulkJob {
  return { id, name }
}

/** The id of a job's run, where the request that asks for it has one: sent again, it asks for the same. As all ids it begins with its time. */
function idOfRun(requestId: string, jobId: string): string {
  const hash = createHash('sha256').update(`${requestId} ${jobId}`).digest('hex')
  return `${requestId.slice(0, 15)}${hash.slice(0, 3)}-8${hash.slice(3, 6)}-${hash.slice(6, 18)}`
}

import type { Job } from '../../../job/job.ts'
import { requireUuid } from '../../../uuid.ts'
import { InvalidFieldsError } from '../../errors.ts'
import { invalidField } from '../../field-problems.ts'
import type { BulkRequest } from '../../requests.ts'
import type { Scope } from '../../scope.ts'
import { selectionOf } from '../../search/select-jobs.ts'

/** A job that something is asked of; the name is null where the tenant has none of this id. */
export interface BulkJob {
  readonly id: string
  readonly name: string | null
}

/** The jobs that something is asked of: those that are named, or those that match. */
export interface BulkSelection {
  /** All of them, in short, and the names of the first few. */
  count(sample: number): Promise<{ readonly jobs: readonly Pick<Job, 'id' | 'status'>[]; readonly names: string[] }>
  /** The next so many, from where the last call ended. */
  next(limit: number): Promise<{ readonly jobs: readonly BulkJob[]; readonly hasMore: boolean }>
  /** Where a call goes on that has come as far as this one. */
  cursorBehind(job: BulkJob): string
}

/** No tenant has more of them. */
const MOST_JOBS = 20_000

export async function bulkSelection(scope: Scope, request: BulkRequest): Promise<BulkSelection> {
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

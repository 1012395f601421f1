import { ForbiddenError } from '../access/errors.ts'
import { DAY_MS } from '../duration.ts'
import { type Execution, isFinal } from '../job/execution/execution.ts'
import type { Job } from '../job/job.ts'
import type { WhereToLook } from '../store/archive.ts'
import type { Calendar } from '../time/calendars/calendar.ts'
import { calendarFrom } from '../time/calendars/from-json.ts'
import { requireUuid } from '../uuid.ts'
import { NotFoundError } from './errors.ts'
import type { Scope } from './scope.ts'

/** From the 90th day on it is archive. */
export const HISTORY_MS = 90 * DAY_MS

type Kind = 'job' | 'execution' | 'apiKey'

const NAMES: Readonly<Record<Kind, string>> = { job: 'job', execution: 'execution', apiKey: 'API key' }

/** A job of the tenant, in any status. Another tenant's is a ForbiddenError, one that nobody has a NotFoundError. */
export async function ownJob(scope: Scope, id: string): Promise<Job> {
  const [job] = await scope.store.jobs.find([requireUuid(id, 'Job id')])
  if (job?.tenant === scope.tenant) return job
  throw await missing(scope, 'job', id)
}

/** What is in the archive is found by who asks for it; for others it is not there, and they are told where it is. */
export async function ownExecution(scope: Scope, id: string, where: WhereToLook = {}): Promise<Execution> {
  const { executions } = scope.store
  const wanted = [requireUuid(id, 'Execution id')]
  const [execution] = await executions.find(wanted, where)
  const isYoung = where.archived === true || (execution !== undefined && !isArchive(scope, execution))
  if (execution?.tenant === scope.tenant && isYoung) return execution
  const [archived] = where.archived ? [] : await executions.find(wanted, { archived: true })
  if (archived?.tenant !== scope.tenant) throw await missing(scope, 'execution', id)
  throw new NotFoundError('not_found', `There is no execution "${id}" but in the archive: ask with archived=true.`, {
    case: 'archived',
    kind: 'execution',
    id,
  })
}

/** Whether a finished execution belongs to the archive by its age; it may not have been moved there yet. */
export function isArchive(
  scope: Scope,
  { status, createdAt, finishedAt }: Pick<Execution, 'status' | 'createdAt' | 'finishedAt'>,
): boolean {
  return isFinal(status) && (finishedAt ?? createdAt) <= scope.now() - HISTORY_MS
}

/** Why there is no such thing for the tenant: it is another's, or nobody's. */
export async function missing(scope: Scope, kind: Kind, id: string): Promise<ForbiddenError | NotFoundError> {
  const thing = `${NAMES[kind]} "${id}"`
  const isForeign = await scope.engineStore.exists(kind, id.toLowerCase())
  if (isForeign) return new ForbiddenError('forbidden', `You have no access to ${thing}.`, { kind, id })
  return new NotFoundError('not_found', `There is no ${thing}.`, { kind, id })
}

/** Names of the jobs that are told of, by their ids; without those of which nothing is left. */
export async function namesOfJobs(
  { store }: Pick<Scope, 'store'>,
  those: readonly { readonly jobId: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(those.flatMap(({ jobId }) => jobId ?? []))
  if (ids.size === 0) return new Map()
  return new Map((await store.jobs.find([...ids])).map(({ id, name }) => [id, name]))
}

/** A calendar of the tenant by name; null where there is none, or none is named. */
export async function knownCalendar({ store, tenant }: Scope, name: string | null): Promise<Calendar | null> {
  const [stored] = name === null ? [] : await store.calendars.find([{ tenant, name }])
  return stored ? calendarFrom(stored.definition) : null
}

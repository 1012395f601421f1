import { quote } from '../../errors.ts'
import { didYouMean } from '../../nearest.ts'
import type { JobListItem, JobView } from '../../service/job-view.ts'
import { isUuid } from '../../uuid.ts'
import { collectPages, queryOf } from './collect-pages.ts'
import type { Connection } from './connection.ts'
import { AnsweredError } from './errors.ts'

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

import { requirePermission } from '../../access/principal.ts'
import type { Job } from '../../job/job.ts'
import { firesNow } from '../../job/job-status.ts'
import type { JobSearch } from '../../store/jobs.ts'
import { SearchTooLongError, stepsTaken } from '../../time/search.ts'
import type { Scope } from '../scope.ts'
import { searched } from '../search-limits.ts'
import { wireInstant } from '../wire-value.ts'
import type { UpcomingView } from './agenda-view.ts'
import { namedCalendars, type Rule, ruleOf, Turns } from './rules.ts'

const USUAL_LIMIT = 10
const PAGE = 500

/** The next fires over all jobs of a tenant, as they stand now. */
export async function readUpcoming(
  scope: Scope,
  query: { readonly limit?: number | undefined } = {},
): Promise<UpcomingView> {
  requirePermission(scope.principal, 'jobs:read')
  const { limit = USUAL_LIMIT } = query
  const { tenant, store } = scope
  // What fires after these has as many before it as are asked for.
  const search = { tenant, sort: 'nextFireAt', isDescending: false, limit } as const
  const [active, continuing, calendarNamed, { JOBS_SCHEDULING }] = await Promise.all([
    store.jobs.search({ ...search, statuses: ['ACTIVE', 'APPROVED'] }),
    continuingJobs(scope, limit),
    namedCalendars(scope),
    scope.flags(),
  ])
  const now = scope.now()
  const turns = new Turns(scope.around.env)
  const found: { readonly job: Job; readonly at: number; readonly timeZone: string }[] = []
  for (const job of [...active, ...continuing]) {
    const before = stepsTaken()
    const rule = ruleOf(job.schedule, calendarNamed(job.definition.calendar))
    for (const at of nextOf(job, rule, now, limit)) found.push({ job, at, timeZone: rule.trigger.timeZone })
    await turns.worked(1_000 + stepsTaken() - before)
  }
  return {
    isSuspended: !JOBS_SCHEDULING.isEnabled,
    items: found
      .toSorted((a, b) => a.at - b.at || (a.job.name < b.job.name ? -1 : 1))
      .slice(0, limit)
      .map(({ job, at, timeZone }) => ({ jobId: job.id, name: job.name, at: wireInstant(at), timeZone })),
  }
}

/** FAULTED jobs that continue to fire, at most so many; those that stopped are among them in the order of the search. */
async function continuingJobs({ tenant, store }: Scope, limit: number): Promise<Job[]> {
  const search = { tenant, statuses: ['FAULTED'], sort: 'nextFireAt', isDescending: false, limit: PAGE } as const
  const continuing: Job[] = []
  for (let after: JobSearch['after']; ; ) {
    const page = await store.jobs.search({ ...search, after })
    continuing.push(...page.filter(firesNow))
    const last = page.at(-1)
    if (!last || page.length < PAGE || continuing.length >= limit) return continuing.slice(0, limit)
    after = { value: last.schedule.nextFireAt, id: last.id }
  }
}

/** The stored one, also where it is due already, and then those that are still to come. */
function nextOf({ schedule }: Job, { trigger, shiftMs, firesLeft }: Rule, now: number, limit: number): number[] {
  const { nextFireAt } = schedule
  if (nextFireAt === null) return []
  const times = [nextFireAt]
  const most = Math.min(limit, firesLeft)
  try {
    searched(() => {
      let at = trigger.next(Math.max(nextFireAt, now) - shiftMs)
      for (; at !== null && times.length < most; at = trigger.next(at)) times.push(at + shiftMs)
    })
  } catch (error) {
    // Those that were found are true.
    if (!(error instanceof SearchTooLongError)) throw error
  }
  return times
}

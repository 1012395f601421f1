import { requirePermission } from '../../access/principal.ts'
import { stateOf } from '../../engine/firing/fire-job.ts'
import type { Job } from '../../job/job.ts'
import { firesNow } from '../../job/job-status.ts'
import type { Calendar } from '../../time/calendars/calendar.ts'
import type { MisfireOptions, MisfirePolicy, MisfireRules } from '../../time/misfire/policy.ts'
import { effectivePolicy } from '../../time/misfire/resolve.ts'
import { SearchTooLongError, stepsTaken } from '../../time/search.ts'
import { type SimulatedPolicy, simulate } from '../../time/simulate.ts'
import { underCalendar, withoutLimit } from '../../time/trigger-state.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import type { Page } from '../answers.ts'
import { invalidField } from '../field-problems.ts'
import { knownCalendar, ownJob } from '../owned.ts'
import { pageOf } from '../page.ts'
import type { OutageQuestion } from '../requests.ts'
import type { Scope } from '../scope.ts'
import { searched } from '../search-limits.ts'
import { readField, readInstant } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'
import type { SimulatedPolicyView, SimulationView } from './simulation-view.ts'

type JobSimulation = SimulationView['jobs'][number]

interface Outage {
  readonly from: number
  readonly to: number
}

/** What people choose from; what a job does by itself is tried too. */
const POLICIES: readonly MisfirePolicy[] = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext']
const JOBS_PER_PAGE = 200
const MAX_SHOWN = 100
const LONGEST_MS = 366 * 86_400_000

/** For one job, which nobody interrupts, and for all of a page; what takes longer can be asked about a shorter outage. Most take a thousand. */
const MOST_STEPS = 300_000
const MOST_STEPS_IN_ALL = 1_000_000

/** What jobs that fire would do if nothing fired from one instant to another: one of them, or a page of them by name. */
export async function simulateOutage(scope: Scope, question: OutageQuestion): Promise<SimulationView> {
  requirePermission(scope.principal, 'jobs:read')
  const outage = { from: readInstant(question.from, 'from'), to: readInstant(question.to, 'to') }
  const { from, to } = outage
  if (to < from) throw invalidField('/to', 'out_of_range', 'to must not be before from.', { case: 'order' })
  if (to - from > LONGEST_MS)
    throw invalidField('/to', 'out_of_range', 'An outage of more than a year is not simulated.', { case: 'year' })
  const { items, nextCursor } = await askedJobs(scope, outage, question)
  const jobs: JobSimulation[] = []
  const tooLong: { jobId: string; name: string }[] = []
  let stepsLeft = MOST_STEPS_IN_ALL
  for (const job of items) {
    const calendar = await knownCalendar(scope, job.definition.calendar)
    const before = stepsTaken()
    const steps = Math.min(stepsLeft, MOST_STEPS)
    const simulated = () => searched(() => simulateJob(job, calendar, outage), steps)
    // Of many, one that takes too long is named and the others are told all the same.
    const found = question.jobId === undefined ? orTooLong(simulated) : readField('jobId', simulated)
    if (found === null) tooLong.push({ jobId: job.id, name: job.name })
    else jobs.push(found)
    stepsLeft -= stepsTaken() - before
    // Many jobs take their time, and others wait for theirs.
    await new Promise<void>((resolve) => scope.around.env.nextTurn(resolve))
  }
  return { jobs, tooLong, nextCursor }
}

function orTooLong<Result>(simulated: () => Result): Result | null {
  try {
    return simulated()
  } catch (error) {
    if (error instanceof SearchTooLongError) return null
    throw error
  }
}

async function askedJobs(scope: Scope, outage: Outage, { jobId, cursor }: OutageQuestion): Promise<Page<Job>> {
  if (jobId !== undefined) return { items: [await ownJob(scope, jobId)], nextCursor: null }
  const { store, tenant, cursors } = scope
  const page = await pageOf(cursors, {
    limit: JOBS_PER_PAGE,
    cursor,
    scope: [tenant, 'simulate', outage],
    shape: ['text'],
    read: (limit, place) => {
      const after = place && { tenant, name: String(place[0]) }
      return store.jobs.list({ tenant, statuses: ['ACTIVE', 'APPROVED', 'FAULTED'], limit, after })
    },
    placeOf: ({ name }) => [name],
  })
  return { ...page, items: page.items.filter(firesNow) }
}

function simulateJob({ id, name, definition, schedule }: Job, calendar: Calendar | null, outage: Outage) {
  const { misfire, quartz } = definition
  const trigger = triggerFrom(definition.trigger)
  const policy = effectivePolicy(stateOf(schedule), misfire, 'outage')
  const job = { name, trigger, calendar, misfire: optionsOf(misfire), quartz, state: stateOf(schedule) }
  const [result] = simulate({ jobs: [job], outage, policies: [...new Set([...POLICIES, policy])] })
  const policies = result?.policies ?? []
  const ledger = policies[0]?.ledger ?? []
  const rule = underCalendar(withoutLimit({ ...stateOf(schedule), trigger }), calendar)
  const missed = rule.between(ledger[0]?.from ?? 0, (ledger.at(-1)?.to ?? -1) + 1)
  return {
    jobId: id,
    name,
    policy,
    missed: policies[0]?.missed ?? 0,
    missedAt: firstOf(missed).map((at) => wireInstant(at)),
    policies: Object.fromEntries(policies.map((each) => [each.policy, viewOf(each)])),
  }
}

/** The rules of a job without its policy, as options. */
function optionsOf({ thresholdMs, catchUp }: MisfireRules): MisfireOptions {
  const { limit, maxAgeMs, order, spacingMs } = catchUp
  return {
    threshold: thresholdMs,
    catchUp: { limit, maxAge: maxAgeMs ?? undefined, order, spacing: spacingMs },
  }
}

function firstOf(times: Iterable<number>): number[] {
  const found: number[] = []
  for (const at of times) {
    if (found.push(at) === MAX_SHOWN) break
  }
  return found
}

function viewOf({ fired, consolidated, skipped, dropped, nextFireAt }: SimulatedPolicy): SimulatedPolicyView {
  return {
    executions: fired.length,
    scheduledAt: fired.slice(0, MAX_SHOWN).map(({ scheduledAt }) => wireInstant(scheduledAt)),
    consolidated,
    skipped,
    dropped,
    nextExecution: wireInstant(nextFireAt),
  }
}

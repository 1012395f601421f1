import { requirePermission } from '../../access/principal.ts'
import type { Job } from '../../job/job.ts'
import { fires } from '../../job/job-status.ts'
import type { MisfirePolicyName } from '../../time/misfire/policy.ts'
import { stepsTaken } from '../../time/search-steps.ts'
import { type SimulatedPolicy, simulate } from '../../time/simulate.ts'
import { triggerFrom } from '../../time/triggers/from-json.ts'
import type { SimulationView } from '../answers.ts'
import { invalidField } from '../field-problems.ts'
import { knownCalendar } from '../known-calendar.ts'
import { ownJob } from '../owned.ts'
import type { Scope } from '../scope.ts'
import { searched } from '../search-limits.ts'
import { readField, readInstant } from '../sent-values.ts'
import { wireInstant } from '../wire-value.ts'

const POLICIES: readonly MisfirePolicyName[] = ['fireNow', 'fireOnce', 'fireAll', 'skipToNext']
const MAX_JOBS = 200
const MAX_SHOWN = 100
const LONGEST_MS = 366 * 86_400_000
/** For one job, which nobody interrupts, and for all of them; what takes longer can be asked about a shorter outage. Most take a thousand. */
const MOST_STEPS = 300_000
const MOST_STEPS_IN_ALL = 1_000_000

/** What jobs that fire would do if nothing fired from one instant to another: one of them, or the first by name. */
export async function simulateOutage(
  scope: Scope,
  outage: { readonly from: string; readonly to: string; readonly jobId?: string | undefined },
): Promise<SimulationView> {
  requirePermission(scope.principal, 'jobs:read')
  const [from, to] = [readInstant(outage.from, 'from'), readInstant(outage.to, 'to')]
  if (to < from) throw invalidField('/to', 'out_of_range', 'to must not be before from.')
  if (to - from > LONGEST_MS)
    throw invalidField('/to', 'out_of_range', 'An outage of more than a year is not simulated.')
  const jobs = outage.jobId === undefined ? await firingJobs(scope) : [await ownJob(scope, outage.jobId)]
  const views: SimulationView['jobs'][number][] = []
  let stepsLeft = MOST_STEPS_IN_ALL
  for (const job of jobs) {
    const { trigger, misfire, quartz, calendar: name } = job.definition
    const calendar = await knownCalendar(scope, name)
    const simulation = {
      jobs: [
        {
          name: job.name,
          trigger: triggerFrom(trigger),
          calendar,
          misfire: { threshold: misfire.thresholdMs, catchUp: { limit: misfire.catchUp.limit } },
          quartz,
        },
      ],
      outage: { from, to },
      policies: POLICIES,
    }
    const before = stepsTaken()
    const steps = Math.min(stepsLeft, MOST_STEPS)
    const [result] = readField('jobId', () => searched(() => simulate(simulation), steps))
    stepsLeft -= stepsTaken() - before
    views.push(viewOf(job, result?.policies ?? []))
    // Many jobs take their time, and others wait for theirs.
    await new Promise<void>((resolve) => scope.around.env.nextTurn(resolve))
  }
  return { jobs: views }
}

async function firingJobs({ store, tenant }: Scope): Promise<Job[]> {
  const jobs = await store.jobs.list({ tenant, statuses: ['ACTIVE', 'APPROVED'], limit: MAX_JOBS })
  return jobs.filter(({ status }) => fires(status))
}

function viewOf(job: Job, policies: readonly SimulatedPolicy[]): SimulationView['jobs'][number] {
  return {
    jobId: job.id,
    name: job.name,
    missed: policies[0]?.missed ?? 0,
    policies: Object.fromEntries(
      policies.map(({ policy, fired, nextFireAt }) => [
        policy,
        {
          executions: fired.length,
          scheduledAt: fired.slice(0, MAX_SHOWN).map(({ scheduledAt }) => wireInstant(scheduledAt)),
          nextExecution: wireInstant(nextFireAt),
        },
      ]),
    ),
  }
}

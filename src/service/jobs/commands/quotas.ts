import type { Job } from '../../../job/job.ts'
import type { Store } from '../../../store/store.ts'
import type { TriggerJson } from '../../../time/triggers/json.ts'
import { QuotaError } from '../../errors.ts'
import type { Scope } from '../../scope.ts'
import { isFast } from '../fields/trigger-field.ts'

const PAGE = 1_000

/** Whether a trigger fires more often than once a minute. */
export function isFrequent(json: TriggerJson): boolean {
  if (json.type === 'jittered' || json.type === 'calendared') return isFrequent(json.trigger)
  return json.type === 'cron' ? hasManySeconds(json.expression) : isFast(json)
}

/** Six fields, the first of which is more than one second of every minute. */
function hasManySeconds(expression: string): boolean {
  const [seconds = '', ...others] = expression.trim().split(/\s+/)
  return others.length === 5 && !/^\d+$/.test(seconds)
}

/** Refuses another job that would fire more often than once a minute, where the tenant has as many as it may: each of them costs everybody's scheduler as much as thousands of others. */
export async function requireRoomForFrequent(scope: Scope, after: TriggerJson, before?: TriggerJson): Promise<void> {
  if (!isFrequent(after) || (before !== undefined && isFrequent(before))) return
  const { store, tenant, rules, rooms, around } = scope
  const maximum = rules.frequentJobsPerTenant
  const count = await rooms.frequentJobs.take({
    tenant,
    maximum,
    now: around.env.monotonic(),
    count: () => countFrequent(store, tenant),
  })
  if (count < maximum) return
  const message = `There are ${count} jobs that fire more often than once a minute, and there may be ${maximum}; delete one first.`
  throw new QuotaError('quota_exceeded', message, { kind: 'frequentJob', count, maximum })
}

async function countFrequent({ jobs }: Store, tenant: string): Promise<number> {
  let count = 0
  let last: Job | undefined
  do {
    const after = last && { tenant, name: last.name }
    const page = await jobs.list({ tenant, limit: PAGE, after })
    count += page.filter(({ definition }) => isFrequent(definition.trigger)).length
    last = page.length < PAGE ? undefined : page.at(-1)
  } while (last)
  return count
}

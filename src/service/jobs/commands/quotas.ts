import type { Job } from '../../../job/job.ts'
import type { TenantStore } from '../../../store/store.ts'
import type { TriggerJson } from '../../../time/triggers/json.ts'
import { QuotaError } from '../../errors.ts'
import type { Room } from '../../room.ts'
import type { Scope } from '../../scope.ts'
import { isFast } from '../fields/trigger-field.ts'

const PAGE = 1_000

/** Rejects another job if the tenant has the maximum. */
export async function requireRoomForJob(scope: Scope): Promise<void> {
  const { store, tenant, rules, rooms } = scope
  const maximum = rules.jobsPerTenant
  const count = async () => Object.values(await store.jobs.count(tenant)).reduce((sum, each) => sum + each, 0)
  await requireRoom(scope, rooms.jobs, { kind: 'job', maximum, count }, (counted) => {
    return `There are ${counted} jobs, and there may be ${maximum}; delete one first.`
  })
}

/** Rejects another job that fires more often than once a minute if the tenant has the maximum: each of them costs the scheduler as much as thousands of others. */
export async function requireRoomForFrequent(scope: Scope, after: TriggerJson, before?: TriggerJson): Promise<void> {
  if (!isFrequent(after) || (before !== undefined && isFrequent(before))) return
  const { store, tenant, rules, rooms } = scope
  const maximum = rules.frequentJobsPerTenant
  const count = () => countFrequent(store, tenant)
  await requireRoom(scope, rooms.frequentJobs, { kind: 'frequentJob', maximum, count }, (counted) => {
    return `There are ${counted} jobs that fire more often than once a minute, and there may be ${maximum}; delete one first.`
  })
}

/** Rejects another execution if the tenant's queue is full: a queue that grows without end helps no tenant, and all tenants share the table. */
export async function requireRoomInQueue(scope: Scope): Promise<void> {
  const { store, tenant, rules, rooms } = scope
  const maximum = rules.queuedPerTenant
  const count = async () => (await store.executions.count(tenant)).QUEUED
  await requireRoom(scope, rooms.queued, { kind: 'queued', maximum, count }, (counted) => {
    return `There are ${counted} executions in the queue, and there may be ${maximum}; try again once some have run.`
  })
}

interface Quota {
  readonly kind: 'job' | 'frequentJob' | 'queued'
  readonly maximum: number
  readonly count: () => Promise<number>
}

async function requireRoom(
  { tenant, around }: Scope,
  room: Room,
  { kind, maximum, count: read }: Quota,
  message: (count: number) => string,
): Promise<void> {
  const count = await room.take({ tenant, maximum, now: around.env.monotonic(), count: read })
  if (count >= maximum) throw new QuotaError('quota_exceeded', message(count), { kind, count, maximum })
}

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

async function countFrequent({ jobs }: TenantStore, tenant: string): Promise<number> {
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
